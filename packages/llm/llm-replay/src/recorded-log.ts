/** A recorded log, arranged for answering the questions of a loop that runs through it again. Pure over events. */

import { isDeepStrictEqual } from 'node:util'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { parseJsonObject, type JsonObject } from '@deepseek-ai/dsh-json'
import type { StreamChunk, ToolSchema } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { isExternal, isNotStarted } from './event-kinds.ts'
import { findCuts, type Cut } from './find-cuts.ts'

/** What came of one request. */
export interface RecordedAttempt {
  chunks: StreamChunk[]
  failure?: SessionEvent<'llm/attempt'>['data']['error']
  /** The stream came to its end, whatever the loop made of it. */
  isComplete: boolean
}

interface RecordedCall {
  name: string
  arguments: JsonObject
  isParallel: boolean
}

export class RecordedLog {
  readonly events: readonly SessionEvent[]
  readonly cuts: ReadonlyMap<number, Cut>
  /** The schemas of all tools that were ever offered, the latest of each name. */
  readonly tools: ReadonlyMap<string, ToolSchema>
  private readonly attempts = new Map<string, RecordedAttempt[]>()
  private readonly results = new Map<string, SessionEvent<'tool/result'>['data']>()
  private readonly models = new Map<string, string>()
  private readonly calls = new Map<string, RecordedCall[]>()

  constructor(events: readonly SessionEvent[]) {
    this.events = events
    this.cuts = findCuts(events)
    this.tools = new Map(events.flatMap(event => (event.type === 'request/header' ? event.data.tools.map((tool): [string, ToolSchema] => [tool.name, tool]) : [])))
    for (const event of events) this.index(event)
  }

  /** The outcome of the request attempt number `index`, from 0, of a step. */
  attempt(turn: number, step: number, index: number): RecordedAttempt | undefined {
    return this.attempts.get(`${turn}/${step}`)?.[index]
  }

  result(callId: string): SessionEvent<'tool/result'>['data'] | undefined {
    return this.results.get(callId)
  }

  /** Who answered in a step; where nobody did, who answers next. */
  model(turn: number, step: number): string {
    const after = this.events.find(event => event.type === 'assistant/message' && (event.data.turn > turn || (event.data.turn === turn && event.data.step >= step)))
    return this.models.get(`${turn}/${step}`) ?? (after?.type === 'assistant/message' ? after.data.model : 'replayed')
  }

  /** System text and tools of the request that is made when `position` events are there. */
  header(position: number): SessionEvent<'request/header'>['data'] | undefined {
    const next = this.events[position]
    if (next?.type === 'request/header') return next.data
    const last = this.events.slice(0, position).findLast((event): event is SessionEvent<'request/header'> => event.type === 'request/header')
    return last?.data
  }

  /** Whether a call overlapped with a neighbour; each call of a step is asked for once, in order. */
  takeConcurrency({ turn, step }: { turn: number; step: number }, name: string, args: JsonObject): 'parallel' | 'exclusive' {
    const open = this.calls.get(`${turn}/${step}`) ?? []
    const at = open.findIndex(call => call.name === name && isDeepStrictEqual(call.arguments, args))
    return at >= 0 && open.splice(at, 1)[0]?.isParallel ? 'parallel' : 'exclusive'
  }

  /** The error that came from outside and ended the turn right after `position`, such as a disk that was full. */
  fault(position: number): Error | undefined {
    let i = position
    for (let event = this.events[i]; event && (event.type === 'step/end' || isNotStarted(event) || (event.type === 'inbox/dropped' && !isExternal(event))); event = this.events[i]) i++
    const end = this.events[i]
    if (end?.type !== 'turn/end' || end.data.reason.kind !== 'error') return undefined
    const { message, code = 'UNKNOWN' } = end.data.reason
    return new HarnessError(code, message)
  }

  private index(event: SessionEvent): void {
    switch (event.type) {
      case 'step/start':
        this.attempts.set(keyOf(event.data), [{ chunks: [], isComplete: false }])
        return
      case 'assistant/chunk': {
        const attempt = this.attempts.get(keyOf(event.data))?.at(-1)
        attempt?.chunks.push(event.data.chunk)
        if (attempt && event.data.chunk.type === 'finish') attempt.isComplete = true
        return
      }
      case 'llm/attempt': {
        const attempts = this.attempts.get(keyOf(event.data))
        Object.assign(attempts?.at(-1) ?? {}, { failure: event.data.error })
        attempts?.push({ chunks: [], isComplete: false })
        return
      }
      case 'assistant/message':
        this.models.set(keyOf(event.data), event.data.model)
        if (event.data.interrupted !== true) Object.assign(this.attempts.get(keyOf(event.data))?.at(-1) ?? {}, { isComplete: true })
        return
      case 'tool/call':
        this.indexCall(event)
        return
      case 'tool/result':
        if (event.surfaceOp === 'append') this.results.set(event.data.callId, event.data)
    }
  }

  /** Calls that overlap are logged next to each other, before the first result. */
  private indexCall({ seq, data }: SessionEvent<'tool/call'>): void {
    const parsed = parseJsonObject(data.arguments)
    const isParallel = this.events[seq - 1]?.type === 'tool/call' || this.events[seq + 1]?.type === 'tool/call'
    const calls = this.calls.get(keyOf(data)) ?? []
    calls.push({ name: data.name, arguments: parsed.kind === 'object' ? parsed.value : {}, isParallel })
    this.calls.set(keyOf(data), calls)
  }
}

function keyOf({ turn, step }: { turn: number; step: number }): string {
  return `${turn}/${step}`
}
