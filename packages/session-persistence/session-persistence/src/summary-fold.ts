/** What a list shows of a session: an incremental fold of its log that can be stored beside it. Pure. */

import type { JsonValue } from '@deepseek-ai/dsh-json'
import { sentTokens, type ContentBlock, type Cost } from '@deepseek-ai/dsh-llm'
import { ChunkRun, type EventLog, type SessionEvent, type SessionHeader } from '@deepseek-ai/dsh-session'
import { clipEnd, stripControls } from '@deepseek-ai/dsh-text'
import type { SessionSummary } from './types.ts'

/** Room for a title, in UTF-16 units. */
const TITLE_LENGTH = 60

/** The state of the fold, as it is stored. */
interface Totals {
  title: string
  /** Set by a `session/title` event, which wins over the first words. */
  titled: boolean
  lastActivity: number
  events: number
  turns: number
  inputTokens: number
  outputTokens: number
  models: string[]
  /** Of the first currency that was met. */
  cost?: Cost
}

export class SummaryFold {
  private readonly header: SessionHeader
  private readonly totals: Totals

  constructor(header: SessionHeader, totals?: Totals) {
    this.header = header
    this.totals = totals ?? { title: '', titled: false, lastActivity: header.createdAt, events: 0, turns: 0, inputTokens: 0, outputTokens: 0, models: [] }
  }

  /** The fold that `toJSON` made; throws a `TypeError` when `value` is not one. */
  static fromJSON(header: SessionHeader, value: unknown): SummaryFold {
    if (!isTotals(value)) throw new TypeError('not the totals of a session')
    return new SummaryFold(header, { ...value, models: [...value.models] })
  }

  /** Another one that has folded the same. */
  fork(): SummaryFold {
    return new SummaryFold(this.header, { ...this.totals, models: [...this.totals.models] })
  }

  toJSON(): JsonValue {
    const { cost, ...totals } = this.totals
    return { ...totals, models: [...totals.models], ...(cost && { cost: { ...cost } }) }
  }

  /** How many events have been folded. */
  get events(): number {
    return this.totals.events
  }

  advance(event: SessionEvent): void {
    const { totals } = this
    totals.events = event.seq + 1
    // The clock may go backwards; activity does not.
    totals.lastActivity = Math.max(totals.lastActivity, event.time)
    switch (event.type) {
      case 'turn/start':
        totals.turns = Math.max(totals.turns, event.data.turn)
        return
      case 'user/message':
        if (totals.title === '') totals.title = toTitle(firstText(event.data.content))
        return
      case 'session/title':
        totals.title = toTitle(event.data.title)
        totals.titled = true
        return
      case 'assistant/message':
        this.addAnswer(event)
    }
  }

  /** Every event of a log. */
  advanceAll({ settled, streamed, length }: EventLog): void {
    for (const event of settled) this.advance(event)
    let time = 0
    for (const chunk of streamed) time = Math.max(time, chunk instanceof ChunkRun ? chunk.latest : chunk.time)
    this.pass({ next: length, time })
  }

  /** Instead of `advance` for events of which a summary tells nothing but when they were: up to, and without, event `next`. */
  pass({ next, time }: { next: number; time: number }): void {
    this.totals.events = next
    this.totals.lastActivity = Math.max(this.totals.lastActivity, time)
  }

  /** `bytes` is what the session takes up. */
  summary(bytes: number): SessionSummary {
    const { id, createdAt, cwd, parentSession } = this.header
    const { titled: _, models, cost, ...totals } = this.totals
    return { id, createdAt, ...(cwd !== undefined && { cwd }), ...(parentSession !== undefined && { parentSession }), ...totals, models: [...models], ...(cost && { cost }), bytes }
  }

  private addAnswer({ data: { usage, model, cost } }: SessionEvent<'assistant/message'>): void {
    const { totals } = this
    if (cost && (totals.cost === undefined || totals.cost.currency === cost.currency)) totals.cost = { currency: cost.currency, amount: (totals.cost?.amount ?? 0) + cost.amount }
    if (!totals.models.includes(model)) totals.models.push(model)
    if (!usage) return
    totals.inputTokens += sentTokens(usage)
    totals.outputTokens += usage.outputTokens
  }
}

/** One line, safe to print, cut at a code point. */
export function toTitle(text: string): string {
  const line = stripControls(text.slice(0, 4 * TITLE_LENGTH)).replace(/\s+/g, ' ').trim()
  return line.length > TITLE_LENGTH ? `${clipEnd(line, TITLE_LENGTH - 1).trimEnd()}…` : line
}

/** What was typed: files that go along stand in blocks behind it. */
function firstText(content: readonly ContentBlock[]): string {
  return content.find(block => block.type === 'text')?.text ?? ''
}

function isTotals(value: unknown): value is Totals {
  if (typeof value !== 'object' || value === null) return false
  const { title, titled, models, cost, ...numbers } = value as Record<string, unknown>
  const counts = ['lastActivity', 'events', 'turns', 'inputTokens', 'outputTokens'].every(key => typeof numbers[key] === 'number')
  return counts && isCost(cost) && typeof title === 'string' && typeof titled === 'boolean' && Array.isArray(models) && models.every(model => typeof model === 'string')
}

/** Also when there is none. */
function isCost(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === undefined
  const { currency, amount } = value as Record<string, unknown>
  return typeof currency === 'string' && typeof amount === 'number'
}
