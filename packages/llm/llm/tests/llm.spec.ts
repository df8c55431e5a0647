import { Context } from 'cordis'
import { afterEach, describe, expect, it } from 'vitest'
import { ANY_MODEL, LlmAdapter, LlmError, LlmService, type GenerateOptions, type ModelInfo, type StreamChunk } from '../src/index.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function open(): Promise<Context> {
  const ctx = new Context()
  cleanups.push(() => ctx.fiber.dispose())
  await ctx.plugin(LlmService)
  return ctx
}

class Named extends LlmAdapter {
  readonly label: string

  constructor(label: string) {
    super()
    this.label = label
  }

  override async *stream(): AsyncIterable<StreamChunk> {
    yield { type: 'text-delta', index: 0, text: this.label }
  }

  override info(model: string): ModelInfo {
    return { name: `${model} by ${this.label}` }
  }

  override async discover(): Promise<ModelInfo[]> {
    if (this.label === 'broken') throw new Error('no network')
    return [{ name: `${this.label}-1` }]
  }
}

function ask(model: string): GenerateOptions {
  return { model, messages: [], signal: new AbortController().signal }
}

async function whoAnswers(ctx: Context, model: string): Promise<string> {
  for await (const chunk of ctx.llm.stream(ask(model))) if (chunk.type === 'text-delta') return chunk.text
  return 'nobody'
}

describe('LlmService', () => {
  it('asks the adapter that names the model, and else the one that takes any', async () => {
    const ctx = await open()
    ctx.llm.registerAdapter(['a', 'b'], new Named('one'))
    ctx.llm.registerAdapter(['c', ANY_MODEL], new Named('two'))

    expect(await Promise.all(['a', 'b', 'c', 'd'].map(model => whoAnswers(ctx, model)))).toEqual(['one', 'one', 'two', 'two'])
    expect(ctx.llm.models()).toEqual(['a', 'b', 'c'])
    expect(ctx.llm.info('d')).toEqual({ name: 'd by two' })
  })

  it('registers all models or none', async () => {
    const ctx = await open()
    ctx.llm.registerAdapter(['a'], new Named('one'))
    expect(() => ctx.llm.registerAdapter(['b', 'a'], new Named('two'))).toThrow(expect.objectContaining({ code: 'DUPLICATE_ADAPTER', message: expect.stringContaining('"a"') }))
    expect(ctx.llm.models()).toEqual(['a'])
  })

  it('forgets an adapter with the plugin that registered it', async () => {
    const ctx = await open()
    const plugin = { name: 'p', inject: ['llm'], apply: (inner: Context) => void inner.llm.registerAdapter(['a'], new Named('one')) }
    const fiber = await ctx.plugin(plugin)
    expect(ctx.llm.models()).toEqual(['a'])
    await fiber.dispose()
    expect(ctx.llm.models()).toEqual([])
  })

  it('says what was probably meant when nobody serves the model', async () => {
    const ctx = await open()
    ctx.llm.registerAdapter(['deepseek-flash'], new Named('one'))
    expect(() => ctx.llm.stream(ask('deepseek-flsh'))).toThrow(expect.objectContaining({ code: 'NO_ADAPTER', message: expect.stringContaining('did you mean "deepseek-flash"?') }))
  })

  it('lets a listener answer in the place of every adapter', async () => {
    const ctx = await open()
    ctx.on('llm/stream', () => new Named('replay').stream())
    expect(await whoAnswers(ctx, 'nobody serves this')).toBe('replay')
  })

  it('lists what providers offer, without those that fail', async () => {
    const ctx = await open()
    ctx.llm.registerAdapter(['a', 'b'], new Named('one'))
    ctx.llm.registerAdapter(['c'], new Named('broken'))
    expect(await ctx.llm.discover(new AbortController().signal)).toEqual([{ name: 'one-1' }])
  })
})

describe('LlmError', () => {
  it.each([
    ['RATE_LIMIT', true],
    ['STREAM_CLOSED', true],
    ['EMPTY_RESPONSE', true],
    ['HTTP_408', true],
    ['AUTH', false],
    ['QUOTA', false],
    ['CONTEXT_OVERFLOW', false],
    ['CONTENT_FILTER', false],
    ['HTTP_418', false],
  ] as const)('knows whether %s may be tried again', (code, retryable) => {
    expect(new LlmError(code, 'x').retryable).toBe(retryable)
  })
})

it('says which models somebody serves', async () => {
  const ctx = await open()
  ctx.llm.registerAdapter(['a'], new Named('one'))
  const before = ['a', 'b'].map(model => ctx.llm.serves(model))
  ctx.llm.registerAdapter([ANY_MODEL], new Named('rest'))

  expect([before, ctx.llm.serves('b')]).toEqual([[true, false], true])
})
