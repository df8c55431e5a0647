/** One session: the append-only log, and the folds over it that are kept up to date as it grows. */

import { deepFreeze, findNonJson, freezeJson } from '@deepseek-ai/dsh-json'
import type { CallId, Message, ToolSchema } from '@deepseek-ai/dsh-llm'
import { CallIndex } from './call-index.ts'
import { SessionError } from './errors.ts'
import { EventLog } from './event-log.ts'
import { misshapenField } from './event-shape.ts'
import { MessageFold } from './message-fold.ts'
import { isSurfaceEventType } from './surface-events.ts'
import { Surface } from './surface.ts'
import type { DerivationRepair, SessionEvent, SessionEventMap, SessionEventType, SessionHeader, SessionId, SurfaceEventType, SurfaceIntent } from './types.ts'

/** Surface events must say where they go; the others must not. */
export type IntentOf<T extends SessionEventType> = T extends SurfaceEventType ? [intent: SurfaceIntent] : []

/** The system text and the tools that requests carry from some event on. */
export interface RequestHeader {
  system: string
  tools: readonly ToolSchema[]
  hash: string
}

/** Of every append: called after the event is in the log; must not throw. */
export type AppendListener = (event: SessionEvent) => void

export class Session {
  readonly header: SessionHeader
  /** Called after every append. One owner, the store, which announces the event. */
  onAppend: AppendListener | undefined
  private readonly log: EventLog
  private readonly surface = new Surface()
  private readonly calls: CallIndex
  private readonly fold: MessageFold
  private readonly recordedRepairs = new Set<string>()
  private lastTurn = 0
  private openTurnNumber: number | undefined
  private openStepNumber: number | undefined
  private lastHeader: RequestHeader | undefined

  /**
   * Throws `INVALID_EVENT` when `seed` has a hole or holds what is not JSON. A
   * frozen event was in a log before, and is taken at its word; so is a run.
   */
  constructor(header: SessionHeader, seed: readonly SessionEvent[] | EventLog = []) {
    this.header = deepFreeze({ ...header })
    this.log = seed instanceof EventLog ? seed.fork() : new EventLog()
    this.calls = new CallIndex(this.log)
    this.fold = new MessageFold(this.calls)
    for (const event of seed instanceof EventLog ? seed.settled : seed) {
      if (!Object.isFrozen(event) && !freezeJson(event)) this.admit(event)
      if (!(seed instanceof EventLog)) this.log.push(event)
      this.enter(event)
    }
  }

  get id(): SessionId {
    return this.header.id
  }

  /**
   * The whole log; grows in place. The streamed chunks of a session that was
   * resumed are built when this is first read: who does not need them reads
   * `settledEvents`, and who needs the end `eventsFrom`.
   */
  get events(): readonly SessionEvent[] {
    return this.log.events
  }

  /** The log without `assistant/chunk` events, which say nothing that is not said again; grows in place. */
  get settledEvents(): readonly SessionEvent[] {
    return this.log.settled
  }

  /** The log from event `seq` on, at most `count` events of it; costs what stands behind `seq`. */
  eventsFrom(seq: number, count?: number): SessionEvent[] {
    return this.log.from(seq, count)
  }

  /** The number that the next event will get. */
  get seq(): number {
    return this.log.length
  }

  /** The number of the turn that is open in the log. */
  get openTurn(): number | undefined {
    return this.openTurnNumber
  }

  /** The number of the step that is open in the open turn. */
  get openStep(): number | undefined {
    return this.openStepNumber
  }

  /** The number of the last turn that was opened; 0 before the first. */
  get turns(): number {
    return this.lastTurn
  }

  /** System text and tools of the last request; undefined before the first. */
  get requestHeader(): RequestHeader | undefined {
    return this.lastHeader
  }

  /** What the model may see, in the order it sees it. */
  get surfaceEvents(): readonly SessionEvent<SurfaceEventType>[] {
    return this.surface.nodes
  }

  /** Whether a call of that id is in the log, started or only asked for. */
  hasCall(callId: CallId): boolean {
    return this.calls.has(callId)
  }

  /**
   * Adds one event at the end and announces it. `data` is frozen, not copied:
   * hand it over. Throws `INVALID_EVENT`, at the caller and before anything is
   * changed, when `data` would not survive JSON, is not of the shape that every
   * reader relies on, or the surface marker is wrong.
   */
  append<T extends SessionEventType>(type: T, data: SessionEventMap[T], ...[intent]: IntentOf<T>): SessionEvent<T> {
    const fault = findNonJson(data, `${type} data`)
    if (fault !== undefined) throw new SessionError('INVALID_EVENT', `cannot append: ${fault}`)
    const field = misshapenField(type, data)
    if (field !== undefined) throw new SessionError('INVALID_EVENT', `cannot append: the ${field} of ${type} is missing or of another kind`)
    this.checkIntent(type, intent)
    const marker = intent && { surfaceOp: intent.surfaceOp, ...(intent.sourceEventSeqs && { sourceEventSeqs: intent.sourceEventSeqs }) }
    const event = deepFreeze({ type, seq: this.log.length, time: Date.now(), data, ...marker }) as SessionEvent<T>
    this.log.push(event as SessionEvent)
    this.enter(event as SessionEvent)
    this.onAppend?.(event as SessionEvent)
    return event
  }

  /** The messages that a request would carry now. Costs the events since the last call; messages keep their identity. */
  deriveMessages(): readonly Message[] {
    const { nodes } = this.surface
    for (let i = this.fold.position; i < nodes.length; i++) {
      const node = nodes[i]
      if (node) this.fold.advance(node)
    }
    return this.fold.derive()
  }

  /** What `deriveMessages` had to mend in the whole log so far. */
  repairs(): DerivationRepair[] {
    this.deriveMessages()
    return this.fold.allRepairs()
  }

  /** The repairs that no `derivation/repaired` event names yet. */
  unrecordedRepairs(): DerivationRepair[] {
    return this.repairs().filter(repair => !this.recordedRepairs.has(keyOf(repair)))
  }

  private checkIntent(type: SessionEventType, intent: SurfaceIntent | undefined): void {
    if (isSurfaceEventType(type) !== (intent !== undefined)) {
      throw new SessionError('INVALID_EVENT', `${type} ${intent ? 'is not on the surface and takes no' : 'is on the surface and needs a'} surface intent`)
    }
    if (intent && intent.surfaceOp !== 'append') this.surface.locate(intent.surfaceOp)
    const unknown = intent?.sourceEventSeqs?.find(seq => !Number.isInteger(seq) || seq < 0 || seq >= this.log.length)
    if (unknown !== undefined) throw new SessionError('INVALID_EVENT', `${type} names the source event ${unknown}, which is not in the log`)
  }

  /** Freezes a seed event of which something is no JSON, which may be outside of its data. */
  private admit(event: SessionEvent): void {
    const fault = findNonJson(event.data, `${event.type} data`)
    if (fault !== undefined) throw new SessionError('INVALID_EVENT', `seed event ${event.seq}: ${fault}`)
    deepFreeze(event)
  }

  private enter(event: SessionEvent): void {
    const changed = this.surface.advance(event)
    if (changed !== undefined) this.fold.rewind(changed)
    switch (event.type) {
      case 'turn/start':
        this.openTurnNumber = this.lastTurn = event.data.turn
        return
      case 'turn/end':
        this.openTurnNumber = this.openStepNumber = undefined
        return
      case 'step/start':
        this.openStepNumber = event.data.step
        return
      case 'step/end':
        this.openStepNumber = undefined
        return
      case 'request/header':
        this.lastHeader = event.data
        return
      case 'derivation/repaired':
        for (const repair of event.data.repairs) this.recordedRepairs.add(keyOf(repair))
    }
  }
}

function keyOf(repair: DerivationRepair): string {
  return `${repair.kind} ${repair.callId} ${repair.kind === 'orphan-result' ? repair.seq : repair.state}`
}
