/** Turns and steps enclose everything, are numbered without holes, and never overlap. Pure over events. */

import type { SessionEvent } from '@deepseek-ai/dsh-session'

/** Events that belong to the step that they name. */
const STEP_SCOPED: ReadonlySet<string> = new Set(['step/end', 'request/header', 'assistant/chunk', 'assistant/message', 'llm/attempt', 'tool/call', 'tool/result', 'derivation/repaired'])

/** Facts about the session rather than about a turn, and input that waits for one. */
const FREE: ReadonlySet<string> = new Set(['inbox/queued', 'inbox/dropped', 'session/title', 'approval/mode', 'approval/revoked'])

export class TurnRules {
  private turn: number | undefined
  private step: number | undefined
  private lastTurn = 0
  private lastStep = 0

  /** The number of the step that is open. */
  get openStep(): number | undefined {
    return this.step
  }

  advance(event: SessionEvent): string[] {
    const faults = event.type === 'turn/start' ? [] : this.checkPlace(event)
    switch (event.type) {
      case 'turn/start':
        return this.startTurn(event.data.turn)
      case 'turn/end':
        if (this.step !== undefined) faults.push(`step ${this.step} is still open`)
        this.turn = this.step = undefined
        return faults
      case 'step/start':
        return [...faults, ...this.startStep(event.data.step)]
      case 'step/end':
        this.step = undefined
    }
    return faults
  }

  private checkPlace({ type, data }: SessionEvent): string[] {
    const { turn, step } = data as { turn?: unknown; step?: unknown }
    if (this.turn === undefined) return FREE.has(type) ? [] : ['outside every turn']
    if (typeof turn === 'number' && turn !== this.turn) return [`belongs to turn ${turn}, but turn ${this.turn} is open`]
    if (STEP_SCOPED.has(type) && step !== this.step) return [`belongs to step ${String(step)}, but ${this.step === undefined ? 'no step' : `step ${this.step}`} is open`]
    return []
  }

  private startTurn(turn: number): string[] {
    const faults: string[] = []
    if (this.turn !== undefined) faults.push(`turn ${this.turn} is still open`)
    if (turn !== this.lastTurn + 1) faults.push(`number ${turn} after ${this.lastTurn}`)
    this.turn = this.lastTurn = turn
    this.lastStep = 0
    this.step = undefined
    return faults
  }

  private startStep(step: number): string[] {
    const faults: string[] = []
    if (this.step !== undefined) faults.push(`step ${this.step} is still open`)
    if (step !== this.lastStep + 1) faults.push(`number ${step} after ${this.lastStep}`)
    this.step = this.lastStep = step
    return faults
  }
}
