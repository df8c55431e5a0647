/** Requests to the editor, bounded: each ends with its answer, with the signal, or with the time. */

import type { AgentContext, ClientRequestMethod, ClientRequestParamsByMethod, ClientRequestResponsesByMethod, SessionUpdate } from '@agentclientprotocol/sdk'

export class Client {
  readonly #context: AgentContext

  constructor(context: AgentContext) {
    this.#context = context
  }

  /** Aborted, the client is told that the answer is not wanted any more, and the signal's reason is thrown at once. */
  async request<M extends ClientRequestMethod>(method: M, params: ClientRequestParamsByMethod[M], signal: AbortSignal): Promise<ClientRequestResponsesByMethod[M]> {
    signal.throwIfAborted()
    try {
      return await this.#context.request(method, params, { cancellationSignal: signal, stopWaitingOnCancel: true })
    } catch (error) {
      signal.throwIfAborted()
      throw error
    }
  }

  async update(sessionId: string, update: SessionUpdate): Promise<void> {
    await this.#context.notify('session/update', { sessionId, update })
  }
}
