/** Why a running turn is being stopped: the reason of its abort signal. */

import type { TurnEndReason } from '@deepseek-ai/dsh-session'

/** Thrown through everything a turn awaits; never an error in itself. */
export class TurnStop extends Error {
  override readonly name = 'AbortError'
  readonly reason: TurnEndReason

  constructor(reason: TurnEndReason, message: string) {
    super(message)
    this.reason = reason
  }

  static aborted(reason: string): TurnStop {
    return new TurnStop({ kind: 'aborted', reason }, reason)
  }
}
