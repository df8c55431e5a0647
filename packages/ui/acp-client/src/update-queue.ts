/** What is on its way to the client, in order. While a write waits, pieces of one message, and changes of one call, grow together. */

import type { SessionUpdate } from '@agentclientprotocol/sdk'

/** Sends one update; rejects when the client has gone. */
export type SendUpdate = (sessionId: string, update: SessionUpdate) => Promise<void>

interface Queued {
  sessionId: string
  update: SessionUpdate
}

export class UpdateQueue {
  readonly #send: SendUpdate
  readonly #queued: Queued[] = []
  #pumping: Promise<void> | undefined
  #isGone = false

  constructor(send: SendUpdate) {
    this.#send = send
  }

  push(sessionId: string, updates: readonly SessionUpdate[]): void {
    if (this.#isGone) return
    for (const update of updates) {
      if (!this.#grow(sessionId, update)) this.#queued.push({ sessionId, update })
    }
    if (this.#queued.length > 0) this.#pumping ??= this.#pump()
  }

  /** Resolves when everything that was pushed has been sent, or cannot be any more. */
  async flush(): Promise<void> {
    while (this.#pumping) await this.#pumping
  }

  async #pump(): Promise<void> {
    // What comes in the same moment goes out together.
    await Promise.resolve()
    try {
      for (let next = this.#queued.shift(); next; next = this.#queued.shift()) await this.#send(next.sessionId, next.update)
    } catch {
      // The connection is closed, and whoever holds it knows.
      this.#isGone = true
      this.#queued.length = 0
    } finally {
      this.#pumping = undefined
    }
  }

  #grow(sessionId: string, update: SessionUpdate): boolean {
    const last = this.#queued.at(-1)
    if (last?.sessionId === sessionId && update.sessionUpdate === 'tool_call_update' && last.update.sessionUpdate === 'tool_call_update' && last.update.toolCallId === update.toolCallId) {
      last.update = { ...last.update, ...update }
      return true
    }
    if (!last || last.sessionId !== sessionId || !isPiece(update) || !isPiece(last.update)) return false
    if (last.update.sessionUpdate !== update.sessionUpdate || last.update.messageId !== update.messageId) return false
    last.update = { ...last.update, content: { ...last.update.content, text: last.update.content.text + update.content.text } }
    return true
  }
}

type Piece = SessionUpdate & { sessionUpdate: 'agent_message_chunk' | 'agent_thought_chunk'; content: { type: 'text'; text: string } }

function isPiece(update: SessionUpdate): update is Piece {
  return (update.sessionUpdate === 'agent_message_chunk' || update.sessionUpdate === 'agent_thought_chunk') && update.content.type === 'text'
}
