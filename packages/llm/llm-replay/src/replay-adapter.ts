/** Answers as a recorded session was answered: its first turn to the first prompt, its second to the second. Nothing is asked and no tool runs. */

import { setTimeout as wait } from 'node:timers/promises'
import type { Context } from 'cordis'
import { LlmAdapter, text, type GenerateOptions, type ModelInfo, type StreamChunk } from '@deepseek-ai/dsh-llm'
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import type { ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import { RecordedLog } from './recorded-log.ts'

/** The model that answers from the record. */
export const REPLAYED_MODEL = 'replayed'

const ENDED = 'This is where the recording ends.'

export class ReplayAdapter extends LlmAdapter {
  readonly #ctx: Context
  readonly #load: () => Promise<readonly SessionEvent[]>
  #record: Promise<RecordedLog> | undefined
  readonly #paceMs: number

  /** `paceMs` is the pause between two chunks, so that a demonstration can be watched. */
  constructor(ctx: Context, load: () => Promise<readonly SessionEvent[]>, paceMs: number) {
    super()
    this.#ctx = ctx
    this.#paceMs = paceMs
    this.#load = load
  }

  override info(model: string): ModelInfo | undefined {
    return model === REPLAYED_MODEL ? { name: model, vision: true } : undefined
  }

  override async *stream({ sessionId, signal }: GenerateOptions): AsyncIterable<StreamChunk> {
    const record = await this.#loaded()
    for (const chunk of chunksFor(record, this.#ctx.sessions.get(sessionId ?? ''))) {
      signal.throwIfAborted()
      yield chunk
      if (this.#paceMs > 0) await wait(this.#paceMs, undefined, { signal })
    }
  }

  /** What the tool answered then. */
  async resultOf(callId: string): Promise<ToolExecutionResult> {
    const found = (await this.#loaded()).result(callId)
    if (!found) return { callId, content: [text('Error: the record has no result of this call')], isError: true }
    const { content, isError, error, meta } = found
    return { callId, content, isError, ...(error && { error }), ...(meta !== undefined && { meta }) }
  }

  /** Read when it is first needed, once. */
  #loaded(): Promise<RecordedLog> {
    return (this.#record ??= this.#load().then(events => new RecordedLog(events)))
  }
}

/** The last attempt of the same step of the same turn, counted over turns that a message opened. */
function chunksFor(record: RecordedLog, session: Session | undefined): readonly StreamChunk[] {
  const turn = messageTurns(record.events)[messageTurns(session?.events ?? []).length - 1]
  const step = session?.openStep ?? 1
  for (let index = 0, last; turn !== undefined; index++) {
    const attempt = record.attempt(turn, step, index)
    if (!attempt) return last?.chunks ?? endOfRecord()
    last = attempt.isComplete ? attempt : last
  }
  return endOfRecord()
}

function messageTurns(events: readonly SessionEvent[]): number[] {
  return events.flatMap(event => (event.type === 'turn/start' && event.data.trigger.kind === 'message' ? [event.data.turn] : []))
}

function endOfRecord(): StreamChunk[] {
  return [
    { type: 'block-start', index: 0, blockType: 'text' },
    { type: 'text-delta', index: 0, text: ENDED },
    { type: 'block-end', index: 0, block: { type: 'text', text: ENDED } },
    { type: 'finish', reason: { kind: 'stop' } },
  ]
}
