/** Requests to the editor, bounded: each ends with its answer, with the signal, or with the time. */

import { unlessAborted } from '@deepseek-ai/dsh-abort'
import type { AgentContext, ClientRequestMethod, ClientRequestParamsByMethod, ClientRequestResponsesByMethod, SessionUpdate } from '@agentclientprotocol/sdk'

export class Client {
  readonly #context: AgentContext

  constructor(context: AgentContext) {
    this.#context = context
  }

  /**
   * Aborted, the client is told that the answer is not wanted any more, and the
   * signal's reason is thrown at once. `onLate` gets an answer that comes all the same.
   */
  async request<M extends ClientRequestMethod>(method: M, params: ClientRequestParamsByMethod[M], signal: AbortSignal, onLate?: (answer: ClientRequestResponsesByMethod[M]) => void): Promise<ClientRequestResponsesByMethod[M]> {
    signal.throwIfAborted()
    // Whoever wants late answers has to go on waiting for them himself.
    const answer = this.#context.request(method, params, { cancellationSignal: signal, stopWaitingOnCancel: onLate === undefined })
    try {
      return await (onLate ? unlessAborted(answer, signal, { onLate }) : answer)
    } catch (error) {
      signal.throwIfAborted()
      throw error
    }
  }

  async update(sessionId: string, update: SessionUpdate): Promise<void> {
    await this.#context.notify('session/update', { sessionId, update })
  }
}
