/** Which prompts wait for which turn, and how each ends: a fold of the log that settles promises. */

import type { SessionEvent, TurnEndReason } from '@deepseek-ai/dsh-session'

/** How the turn ended that a prompt became a part of; without a turn, it became a part of none. */
export interface PromptEnd {
  reason: TurnEndReason
  turn?: number
}

interface Waiting {
  settle(end: PromptEnd): void
  /** The turn that has claimed it. */
  turn?: number
}

export class PromptTurns {
  readonly #waiting = new Map<string, Waiting>()

  /** Resolves when the turn ends that claims the input of that id; at once with `aborted` when it is dropped. */
  wait(inputId: string): Promise<PromptEnd> {
    const { promise, resolve } = Promise.withResolvers<PromptEnd>()
    this.#waiting.set(inputId, { settle: resolve })
    return promise
  }

  /** The prompt was taken back: it is answered now. */
  giveUp(inputId: string, reason: string): void {
    const waiting = this.#waiting.get(inputId)
    this.#waiting.delete(inputId)
    waiting?.settle({ reason: { kind: 'aborted', reason } })
  }

  get isWaiting(): boolean {
    return this.#waiting.size > 0
  }

  observe(event: SessionEvent, openTurn: number | undefined): void {
    switch (event.type) {
      case 'inbox/claimed':
        for (const id of event.data.ids) this.#join(id, event.data.turn)
        return
      case 'inbox/dropped':
        for (const id of event.data.ids) this.#drop(id, event.data.reason, openTurn)
        return
      case 'turn/end':
        this.#end(event.data.turn, event.data.reason)
    }
  }

  /** Nothing will happen any more. */
  close(): void {
    for (const [id, { settle }] of this.#waiting) {
      this.#waiting.delete(id)
      settle({ reason: { kind: 'disposed' } })
    }
  }

  #join(id: string, turn: number): void {
    const waiting = this.#waiting.get(id)
    if (waiting) waiting.turn = turn
  }

  /** What is dropped while a turn runs is told its end: the turn may be why it was dropped. */
  #drop(id: string, reason: string, openTurn: number | undefined): void {
    const waiting = this.#waiting.get(id)
    if (!waiting) return
    if (openTurn !== undefined) {
      waiting.turn = openTurn
      return
    }
    this.#waiting.delete(id)
    waiting.settle({ reason: { kind: 'aborted', reason } })
  }

  #end(turn: number, reason: TurnEndReason): void {
    for (const [id, waiting] of this.#waiting) {
      if (waiting.turn !== turn) continue
      this.#waiting.delete(id)
      waiting.settle({ reason, turn })
    }
  }
}
