/**
 * Follows a session that is being replayed, event by event beside its record,
 * and does at the recorded moment what others did then: input, injected
 * context, plugins' events, cancels. After the first difference it only watches.
 */

import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { isExternal } from './event-kinds.ts'
import type { Cut } from './find-cuts.ts'
import { isSameEvent } from './normal-form.ts'
import type { RecordedLog } from './recorded-log.ts'

/** Why a stretch of the replay is over: all was played, the process ended here, or nothing fits any more. */
export type StretchEnd = 'complete' | 'process-end' | 'diverged'

export interface LockstepOptions {
  record: RecordedLog
  agent: Agent
  /** Ends the agent as a shutdown does. */
  shutDown(): void
  onEnd(end: StretchEnd): void
}

/** A turn that the clock ended gets so long; the replay itself takes milliseconds. */
const DEADLINE_MS = 1500

export class Lockstep {
  private readonly options: LockstepOptions
  private readonly session: Session
  private readonly record: readonly SessionEvent[]
  /** Calls whose bodies have been reached. */
  private readonly running = new Set<string>()
  private readonly done = new Set<Cut>()
  private seen = 0
  private isBusy = false
  private ended: StretchEnd | undefined
  private isShuttingDown = false

  constructor(options: LockstepOptions) {
    this.options = options
    this.session = options.agent.session
    this.record = options.record.events
  }

  /** How many events agree; undefined after the first that does not. */
  get position(): number | undefined {
    return this.ended === 'diverged' ? undefined : this.session.events.length
  }

  get end(): StretchEnd | undefined {
    return this.ended
  }

  /** How many events of the session belong to the stretch. */
  get length(): number {
    return this.seen
  }

  /** Called after every append, and once at the beginning. */
  follow(): void {
    if (this.isBusy || this.ended !== undefined) return
    this.isBusy = true
    try {
      do this.compare()
      while (this.ended === undefined && this.act())
    } finally {
      this.isBusy = false
    }
  }

  /** A tool's body has been reached; a cut may have waited for it. */
  enter(callId: string): void {
    this.running.add(callId)
    this.follow()
  }

  /** Whether the clock has to end the turn from here. */
  get awaitsDeadline(): boolean {
    return this.ended === undefined && this.options.record.cuts.get(this.seen)?.kind === 'deadline'
  }

  private compare(): void {
    const { events } = this.session
    while (this.seen < events.length) {
      const [now, old] = [events[this.seen], this.record[this.seen]]
      if (!now || !old || !isSameEvent(old, now)) return this.finish('diverged')
      this.seen++
      if (this.isShuttingDown && now.type === 'turn/end') return this.finish(this.seen === this.record.length ? 'complete' : 'process-end')
    }
    if (this.seen === this.record.length) this.finish('complete')
  }

  /** Does what comes next if it comes from outside; false when the loop has to go on by itself. */
  private act(): boolean {
    const next = this.record[this.seen]
    if (!next) return false
    const cut = this.options.record.cuts.get(this.seen)
    if (cut && !this.done.has(cut)) {
      if (cut.callId !== undefined && !this.running.has(cut.callId)) return false
      this.done.add(cut)
      if (this.perform(cut)) return true
    }
    if (next.type === 'turn/start') this.options.agent.configure({ budget: this.budgetOf(next.data.turn) })
    if (!isExternal(next)) return false
    this.play(next)
    return true
  }

  /** True when it may have appended something. */
  private perform({ kind, reason, queue }: Cut): boolean {
    switch (kind) {
      case 'aborted':
        this.options.agent.cancel(reason, { queue })
        return true
      case 'disposed':
        this.isShuttingDown = true
        this.options.shutDown()
        return true
      case 'interrupted':
        this.finish('process-end')
        return false
      case 'deadline':
        return false
    }
  }

  private play(event: SessionEvent): void {
    const { agent } = this.options
    const isPlain = event.surfaceOp === undefined || event.surfaceOp === 'append'
    if (event.type === 'inbox/queued') {
      const { content, source, target } = event.data
      if (target === 'turn') agent.send(content, { source })
      else agent.steer(content, { source })
    } else if (event.type === 'inbox/dropped') {
      const { ids, reason } = event.data
      const [id] = ids
      if (ids.length === 1 && id !== undefined) agent.unqueue(id, reason)
      else agent.cancel(reason)
    } else if (event.type === 'turn/start') {
      const content = this.record[event.seq + 1]
      if (content?.type === 'context/message') agent.inject(content.data.content, { source: content.data.source })
      else this.finish('diverged')
    } else {
      const intent = event.surfaceOp && { surfaceOp: event.surfaceOp, ...(event.sourceEventSeqs && { sourceEventSeqs: event.sourceEventSeqs }) }
      const append = this.session.append.bind(this.session) as unknown as (type: string, data: unknown, ...intent: unknown[]) => void
      append(event.type, event.data, ...(intent ? [intent] : []))
      // A replacement may hide what the loop would append by itself.
      if (!isPlain && this.session.events.length === this.seen) this.finish('diverged')
    }
    if (this.session.events.length === this.seen) this.finish('diverged')
  }

  /** What the turn had used up when it ran out. */
  private budgetOf(turn: number): { maxSteps?: number; maxTokens?: number; deadlineMs?: number } {
    const end = this.record.find(event => event.type === 'turn/end' && event.data.turn === turn)
    if (end?.type !== 'turn/end' || end.data.reason.kind !== 'limit') return {}
    switch (end.data.reason.which) {
      case 'steps':
        return { maxSteps: this.record.filter(event => event.type === 'step/start' && event.data.turn === turn).length }
      case 'tokens':
        return { maxTokens: this.tokensOf(turn) }
      case 'deadline':
        return { deadlineMs: DEADLINE_MS }
      default:
        return {}
    }
  }

  private tokensOf(turn: number): number {
    let tokens = 0
    for (const event of this.record) {
      if (event.type !== 'assistant/chunk' || event.data.turn !== turn || event.data.chunk.type !== 'usage') continue
      const { inputTokens, outputTokens, cacheReadTokens = 0, cacheWriteTokens = 0 } = event.data.chunk.usage
      tokens += inputTokens + outputTokens + cacheReadTokens + cacheWriteTokens
    }
    return tokens
  }

  private finish(end: StretchEnd): void {
    if (this.ended !== undefined) return
    this.ended = end
    this.options.onEnd(end)
  }
}
