/**
 * What every `LlmAdapter` must do, whatever wire it speaks. An adapter's own
 * specs call `describeLlmAdapter` first and then cover only what is peculiar to them.
 */

import { describe, expect, it } from 'vitest'
import { BlockAssembler, LlmError, text, type ContentBlock, type GenerateOptions, type LlmAdapter, type Message, type StreamChunk, type ToolCallBlock } from '../src/index.ts'

/** What the provider behind the adapter says next, in neutral terms. */
export type ProviderAnswer =
  | { kind: 'answer'; reasoning?: readonly string[]; text?: readonly string[]; calls?: readonly ToolCallBlock[]; cutShort?: boolean }
  /** It refuses: `auth` the key, `rate-limit` with a wait of two seconds, `server` for its own fault. */
  | { kind: 'refuse'; as: 'auth' | 'rate-limit' | 'server' }
  /** It begins a text and breaks the connection. */
  | { kind: 'break' }
  /** It begins a text and goes silent. */
  | { kind: 'hang' }

/** An adapter in front of a provider that the suite can script. */
export interface AdapterFixture {
  adapter: LlmAdapter
  model: string
  /** Queues the provider's next answer. */
  next(answer: ProviderAnswer): void
  /** Resolves when the provider sees that the connection of the last request is gone. Absent: there is no connection. */
  disconnected?(): Promise<void>
}

const TOOL = { name: 'bash', description: 'run', parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] } }
const WAIT = 5000

function ask(content: string | ContentBlock[], more: Partial<GenerateOptions> = {}): GenerateOptions {
  const message: Message = { role: 'user', content: typeof content === 'string' ? [text(content)] : content }
  return { model: 'unset', messages: [message], tools: [TOOL], signal: new AbortController().signal, ...more }
}

async function collect(stream: AsyncIterable<StreamChunk>): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

function assembled(chunks: readonly StreamChunk[]): BlockAssembler {
  const assembler = new BlockAssembler()
  for (const chunk of chunks) assembler.push(chunk)
  return assembler
}

/** Either way an adapter may report a failure, as one error. */
async function failureOf(stream: AsyncIterable<StreamChunk>): Promise<unknown> {
  try {
    const { finish } = assembled(await collect(stream))
    return finish.kind === 'error' ? new LlmError((finish.code ?? 'SERVER') as 'SERVER', finish.message) : finish
  } catch (error) {
    return error
  }
}

export function describeLlmAdapter(name: string, open: () => Promise<AdapterFixture>): void {
  describe(`${name} is an LlmAdapter`, () => {
    describeAnswers(open)
    describeFailures(open)
    describeAborts(open)
  })
}

function describeAnswers(open: () => Promise<AdapterFixture>): void {
  it('streams reasoning and text as blocks whose deltas add up', async () => {
    const { adapter, model, next } = await open()
    next({ kind: 'answer', reasoning: ['let me ', 'think'], text: ['Grüß ', 'dich 👋', '\n'] })
    const chunks = await collect(adapter.stream(ask('hello', { model })))

    expect(assembled(chunks).blocks()).toEqual([
      { type: 'reasoning', text: 'let me think' },
      { type: 'text', text: 'Grüß dich 👋\n' },
    ])
    expect(assembled(chunks.filter(chunk => chunk.type !== 'block-end')).blocks()).toEqual(assembled(chunks).blocks())
    expect(assembled(chunks).finish).toEqual({ kind: 'stop' })
  })

  it('keeps the arguments of parallel calls apart and as raw as they came', async () => {
    const { adapter, model, next } = await open()
    const calls: ToolCallBlock[] = [
      { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{"command": "ls  -l"}' },
      { type: 'tool-call', id: 'c2', name: 'bash', arguments: '{"command":"echo \\"ü\\""}' },
    ]
    next({ kind: 'answer', calls })
    const answer = assembled(await collect(adapter.stream(ask('list', { model }))))

    expect(answer.blocks()).toEqual(calls)
    expect(answer.finish).toEqual({ kind: 'tool-calls' })
  })

  it('opens every block before its deltas, ends each once, and says usage and finish last', async () => {
    const { adapter, model, next } = await open()
    next({ kind: 'answer', reasoning: ['r'], text: ['a', 'b'], calls: [{ type: 'tool-call', id: 'c1', name: 'bash', arguments: '{"command":"ls"}' }] })
    const chunks = await collect(adapter.stream(ask('go', { model })))

    const state = new Map<number, string>()
    for (const chunk of chunks.slice(0, -2)) {
      if (!('index' in chunk)) throw new Error(`unexpected ${chunk.type} before the end`)
      const expected = chunk.type === 'block-start' ? undefined : 'open'
      expect([chunk.type, state.get(chunk.index)]).toEqual([chunk.type, expected])
      state.set(chunk.index, chunk.type === 'block-end' ? 'closed' : 'open')
    }
    expect([...state.values()]).toEqual(['closed', 'closed', 'closed'])
    expect(chunks.slice(-2).map(chunk => chunk.type)).toEqual(['usage', 'finish'])
  })

  it('says so when the answer was cut short', async () => {
    const { adapter, model, next } = await open()
    next({ kind: 'answer', text: ['half a sen'], cutShort: true })
    expect(assembled(await collect(adapter.stream(ask('go', { model })))).finish).toEqual({ kind: 'max-tokens' })
  })

  it('sends a conversation with calls, results and images that the provider accepts', async () => {
    const { adapter, model, next } = await open()
    next({ kind: 'answer', text: ['fine'] })
    const messages: Message[] = [
      { role: 'user', content: [text('go'), { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }] },
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, { type: 'tool-call', id: 'a', name: 'bash', arguments: '{"command":"ls"}' }, { type: 'tool-call', id: 'b', name: 'bash', arguments: '{"comm' }] },
      { role: 'user', content: [{ type: 'tool-result', toolCallId: 'a', content: [] }, { type: 'tool-result', toolCallId: 'b', content: [text('not JSON \ud800')], isError: true }, text('and now?')] },
    ]
    const answer = assembled(await collect(adapter.stream(ask('', { model, messages, system: 'be brief' }))))
    expect(answer.blocks()).toEqual([text('fine')])
  })
}

function describeFailures(open: () => Promise<AdapterFixture>): void {
  it.each([
    ['auth', { code: 'AUTH', retryable: false }],
    ['rate-limit', { code: 'RATE_LIMIT', retryable: true, retryAfterMs: 2000 }],
    ['server', { code: 'SERVER', retryable: true }],
  ] as const)('reports a refusal (%s) by its code', async (as, expected) => {
    const { adapter, model, next } = await open()
    next({ kind: 'refuse', as })
    const error = await failureOf(adapter.stream(ask('go', { model })))
    expect(error).toBeInstanceOf(LlmError)
    expect(error).toMatchObject(expected)
  })

  it('reports a broken stream as closed, never as an answer', async () => {
    const { adapter, model, next } = await open()
    next({ kind: 'break' })
    expect(await failureOf(adapter.stream(ask('go', { model })))).toMatchObject({ code: 'STREAM_CLOSED', retryable: true })
  })

  it('reports an answer of reasoning alone as empty', async () => {
    const { adapter, model, next } = await open()
    next({ kind: 'answer', reasoning: ['only thoughts'] })
    expect(await failureOf(adapter.stream(ask('go', { model })))).toMatchObject({ code: 'EMPTY_RESPONSE', retryable: true })
  })

  it('answers after a failure as if nothing had been', async () => {
    const { adapter, model, next } = await open()
    next({ kind: 'break' })
    next({ kind: 'answer', text: ['again'] })
    await failureOf(adapter.stream(ask('go', { model })))
    expect(assembled(await collect(adapter.stream(ask('go', { model })))).blocks()).toEqual([text('again')])
  })
}

function describeAborts(open: () => Promise<AdapterFixture>): void {
  it('rejects with the reason of a signal that was aborted before', async () => {
    const { adapter, model } = await open()
    const reason = new Error('changed my mind')
    await expect(collect(adapter.stream(ask('go', { model, signal: AbortSignal.abort(reason) })))).rejects.toBe(reason)
  })

  it('rejects with the reason at once when it is aborted in the middle', async () => {
    const { adapter, model, next, disconnected } = await open()
    next({ kind: 'hang' })
    const controller = new AbortController()
    const reason = new Error('stop')
    const seen: StreamChunk[] = []
    const reading = (async () => {
      for await (const chunk of adapter.stream(ask('go', { model, signal: controller.signal }))) {
        seen.push(chunk)
        if (chunk.type === 'text-delta') queueMicrotask(() => controller.abort(reason))
      }
    })()
    await expect(reading).rejects.toBe(reason)
    expect(seen.some(chunk => chunk.type === 'text-delta')).toBe(true)
    await within(disconnected?.())
  })

  it('lets go of the connection when the reader leaves early', async () => {
    const { adapter, model, next, disconnected } = await open()
    next({ kind: 'hang' })
    for await (const chunk of adapter.stream(ask('go', { model }))) if (chunk.type === 'text-delta') break
    await within(disconnected?.())
  })

  it('sends nothing before the first chunk is asked for', async () => {
    const { adapter, model, next } = await open()
    next({ kind: 'answer', text: ['first'] })
    adapter.stream(ask('never read', { model }))
    expect(assembled(await collect(adapter.stream(ask('read', { model })))).blocks()).toEqual([text('first')])
  })
}

async function within(work: Promise<void> | undefined): Promise<void> {
  if (!work) return
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`the connection is still open after ${WAIT} ms`)), WAIT)
  try {
    await Promise.race([work, promise])
  } finally {
    clearTimeout(timer)
  }
}
