/** Reads from a log, as it grows, what was allowed for longer than a call, and the permission mode. */

import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import type {} from './events.ts'
import type { RememberedRule } from './types.ts'

/** The mode that a log names. */
export interface LoggedMode {
  mode: string
  base?: string
}

/**
 * The answers of one session. What a fork copied from another session counts
 * for its questions' numbers only: an allowance ends with the session it was given in.
 */
export class AnswerFold {
  /** How many questions there have been. */
  asked = 0
  /** What the session's log says last; undefined when it says nothing. */
  mode: LoggedMode | undefined
  readonly #session: Session
  readonly #offered = new Map<string, { rules: readonly string[]; tool: string }>()
  readonly #ofSession = new Map<string, RememberedRule>()
  readonly #ofTurn = new Map<string, RememberedRule>()
  #next = 0

  constructor(session: Session) {
    this.#session = session
  }

  /** Takes in what has been appended since. */
  advance(): this {
    const { settledEvents, header } = this.#session
    const own = header.seedLength ?? 0
    for (; this.#next < settledEvents.length; this.#next++) {
      const event = settledEvents[this.#next]
      if (event) this.#enter(event, event.seq >= own)
    }
    return this
  }

  /** The rules that hold now, each once, in the order in which they were allowed. */
  remembered(): string[] {
    return this.allowances().map(({ rule }) => rule)
  }

  /** The same, with the answers that left them. */
  allowances(): RememberedRule[] {
    return [...this.#ofSession.values(), ...[...this.#ofTurn.values()].filter(({ rule }) => !this.#ofSession.has(rule))]
  }

  #enter({ type, data, time }: SessionEvent, isOwn: boolean): void {
    // At the start too: a crash may have taken the end.
    if (type === 'turn/start' || type === 'turn/end') this.#ofTurn.clear()
    else if (type === 'approval/inquired') this.asked++
    else if (type === 'approval/asked') {
      this.asked++
      if (isOwn) this.#offered.set(data.id, { rules: data.remember ?? [], tool: data.tool })
    } else if (type === 'approval/revoked') {
      for (const rule of data.rules ?? []) this.#forget(rule)
    } else if (type === 'approval/mode' && isOwn) this.mode = data
    else if (type === 'approval/decided') {
      const offered = this.#offered.get(data.id)
      this.#offered.delete(data.id)
      if (!offered || data.answer?.kind !== 'allow' || data.answer.scope === 'once') return
      const { scope } = data.answer
      // What is kept for the project is kept beside it too; here it holds should that fail.
      const into = scope === 'turn' ? this.#ofTurn : this.#ofSession
      for (const rule of offered.rules) into.set(rule, { rule, scope, time, tool: offered.tool })
    }
  }

  #forget(rule: string): void {
    this.#ofSession.delete(rule)
    this.#ofTurn.delete(rule)
  }
}
