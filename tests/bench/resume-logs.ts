/** The logs that `resume-bench.ts` resumes: the same each time, made of nothing but numbers. Pure. */

import type { StreamChunk } from '@deepseek-ai/dsh-llm'
import type { SessionEvent, SessionEventType, SessionEventMap } from '@deepseek-ai/dsh-session'

/** Events as they would be handed to a store, one batch a step. */
export type LogMaker = (count: number) => Iterable<SessionEvent[]>

/** `coding`: streamed steps with tools; `plain`: short events without any chunks; `chunks`: little but streamed text. */
export const logs: Readonly<Record<string, LogMaker>> = {
  coding: count => steps(count, { reasoning: 12, text: 10, call: 8, results: true }),
  plain: count => steps(count, { reasoning: 0, text: 0, call: 0, results: false }),
  chunks: count => steps(count, { reasoning: 200, text: 400, call: 0, results: true }),
}

interface StepShape {
  /** Deltas of each kind. */
  reasoning: number
  text: number
  call: number
  /** Whether tools print 0.2 to 4 KB, or a word. */
  results: boolean
}

const STEPS_PER_TURN = 20
const WORDS = ['const ', 'session', ' the ', 'of\n', 'return ', '()', ' => ', '"quoted"', 'ok ', 'event.']

class LogWriter {
  batch: SessionEvent[] = []
  private seq = 0
  private time = 1_790_000_000_000

  get length(): number {
    return this.seq
  }

  add<T extends SessionEventType>(type: T, data: SessionEventMap[T], isOnSurface = false): void {
    this.time += (this.seq * 7) % 23
    this.batch.push({ type, seq: this.seq++, time: this.time, data, ...(isOnSurface && { surfaceOp: 'append' }) } as SessionEvent)
  }

  take(): SessionEvent[] {
    const { batch } = this
    this.batch = []
    return batch
  }
}

function* steps(count: number, shape: StepShape): Iterable<SessionEvent[]> {
  const log = new LogWriter()
  for (let n = 0; log.length < count; n++) {
    const turn = 1 + Math.floor(n / STEPS_PER_TURN)
    const step = 1 + (n % STEPS_PER_TURN)
    if (step === 1) beginTurn(log, turn)
    addStep(log, { turn, step, n }, shape)
    if (step === STEPS_PER_TURN) log.add('turn/end', { turn, reason: { kind: 'completed' } })
    const left = count - (log.length - log.batch.length)
    yield log.take().slice(0, left)
  }
}

function beginTurn(log: LogWriter, turn: number): void {
  const source = { kind: 'user' } as const
  log.add('turn/start', { turn, trigger: { kind: 'message', source } })
  log.add('user/message', { content: [{ type: 'text', text: `Please look at ${prose(turn, 20)}` }], source }, true)
}

interface Position {
  turn: number
  step: number
  /** Of the step in the whole log. */
  n: number
}

function addStep(log: LogWriter, { turn, step, n }: Position, shape: StepShape): void {
  const callId = `call_${n}`
  const args = JSON.stringify({ file_path: `/project/src/${prose(n, 3)}.ts`, offset: n, limit: 200 })
  const [reasoning, text] = [prose(n, shape.reasoning), prose(n + 1, Math.max(1, shape.text))]
  log.add('step/start', { turn, step })
  const stream = (chunk: StreamChunk): void => log.add('assistant/chunk', { turn, step, chunk })
  if (shape.reasoning > 0) {
    for (let i = 0; i < shape.reasoning; i++) stream({ type: 'reasoning-delta', index: 0, text: wordAt(n + i) })
    stream({ type: 'block-end', index: 0, block: { type: 'reasoning', text: reasoning } })
  }
  if (shape.text > 0) {
    for (let i = 0; i < shape.text; i++) stream({ type: 'text-delta', index: 1, text: wordAt(n + 1 + i) })
    stream({ type: 'block-end', index: 1, block: { type: 'text', text } })
  }
  if (shape.call > 0) {
    const size = Math.ceil(args.length / shape.call)
    for (let i = 0; i < shape.call; i++) stream({ type: 'tool-call-delta', index: 2, id: callId, ...(i === 0 && { name: 'read' }), argumentsDelta: args.slice(i * size, (i + 1) * size) })
    stream({ type: 'block-end', index: 2, block: { type: 'tool-call', id: callId, name: 'read', arguments: args } })
  }
  const usage = { inputTokens: 1000 + n, outputTokens: 50, cacheReadTokens: 900 }
  log.add('assistant/message', { turn, step, content: [...(reasoning ? [{ type: 'reasoning' as const, text: reasoning }] : []), { type: 'text', text }, { type: 'tool-call', id: callId, name: 'read', arguments: args }], usage, finish: { kind: 'tool-calls' }, model: 'deepseek-flash', cost: { currency: 'USD', amount: 0.0001 } }, true)
  log.add('tool/call', { turn, step, callId, name: 'read', arguments: args })
  log.add('tool/result', { turn, step, callId, content: [{ type: 'text', text: shape.results ? output(n) : 'done' }], isError: false }, true)
  log.add('step/end', { turn, step })
}

/** What a tool printed: 0.2 to 4 KB of lines. */
function output(n: number): string {
  const size = 200 + ((n * 977) % 3800)
  return Array.from({ length: Math.ceil(size / 50) }, (_, i) => `${String(i + 1).padStart(6)}\t${prose(n + i, 6)} – ä`).join('\n').slice(0, size)
}

function prose(from: number, words: number): string {
  return Array.from({ length: words }, (_, i) => wordAt(from + i)).join('')
}

function wordAt(index: number): string {
  return WORDS[index % WORDS.length] ?? ''
}
