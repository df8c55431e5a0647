/** All the rules of one log, event by event. Pure over events. */

import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { findShapeFaults } from './find-shape-faults.ts'
import { PairingRules } from './pairing-rules.ts'
import { TurnRules } from './turn-rules.ts'

export class LogRules {
  private readonly turns = new TurnRules()
  private readonly pairing = new PairingRules()
  private next = 0
  /** Open brackets of requests that are not the step's own. */
  private summaries = 0

  /** How many events have been checked. */
  get seen(): number {
    return this.next
  }

  /** Whether a request that is made now must be the fold of the log. */
  get awaitsAnswer(): boolean {
    return this.turns.openStep !== undefined && this.summaries === 0 && !this.pairing.answered
  }

  /** What this event breaks; one sentence each. */
  advance(event: SessionEvent): string[] {
    const faults = [...findShapeFaults(event, this.next), ...this.turns.advance(event), ...this.pairing.advance(event)]
    this.next = event.seq + 1
    // Declared by the compaction family, which this package does not know.
    const type: string = event.type
    if (type === 'compact/start') this.summaries++
    if (type === 'compact/end') this.summaries--
    return faults
  }
}
