import { Context } from 'cordis'
import { LlmAdapter, LlmService, type ModelInfo, type StreamChunk } from '@deepseek-ai/dsh-llm'
import { describe, expect, it, onTestFinished } from 'vitest'
import { listModels, renderModels } from '../src/list-models.ts'

class Provider extends LlmAdapter {
  private readonly offers: () => Promise<ModelInfo[]>

  constructor(offers: () => Promise<ModelInfo[]>) {
    super()
    this.offers = offers
  }

  override async *stream(): AsyncIterable<StreamChunk> {}

  override info(name: string): ModelInfo {
    return { name, contextWindow: 128_000 }
  }

  override discover(): Promise<ModelInfo[]> {
    return this.offers()
  }
}

async function rootWith(offers: () => Promise<ModelInfo[]>): Promise<Context> {
  const root = new Context()
  onTestFinished(() => root.fiber.dispose())
  await root.plugin(LlmService)
  root.llm.registerAdapter(['known', 'both'], new Provider(offers))
  return root
}

const signal = new AbortController().signal

describe('the models', () => {
  it('are those that the provider lists, then those that are known, and the chosen one, each once', async () => {
    const root = await rootWith(async () => [{ name: 'theirs', vision: true }, { name: 'both', contextWindow: 1_048_576, price: { currency: 'USD', input: 0.3, output: 1.2 } }])

    const models = await listModels(root, 'mine', signal)

    expect(models).toEqual([
      { name: 'theirs', vision: true, source: 'provider', isDefault: false },
      { name: 'both', contextWindow: 1_048_576, price: { currency: 'USD', input: 0.3, output: 1.2 }, source: 'provider', isDefault: false },
      { name: 'known', contextWindow: 128_000, source: 'built in', isDefault: false },
      { name: 'mine', source: 'built in', isDefault: true },
    ])
    expect(renderModels(models)).toBe('  theirs  listed by its provider, sees images\n  both    listed by its provider, 1M tokens, USD 0.3 in, 1.2 out per million tokens\n  known   from the built-in list, 128k tokens\n* mine    from the built-in list\n')
  })

  it('are those that are known when the provider cannot be asked', async () => {
    const root = await rootWith(() => Promise.reject(new Error('nobody there')))

    expect((await listModels(root, 'both', signal)).map(({ name, source, isDefault }) => ({ name, source, isDefault }))).toEqual([{ name: 'known', source: 'built in', isDefault: false }, { name: 'both', source: 'built in', isDefault: true }])
  })

  it('are none without a registry, and are shown without control characters', async () => {
    expect(await listModels(new Context(), 'x', signal)).toEqual([])
    expect(renderModels([{ name: 'a\u001b[2Jb', source: 'provider', isDefault: false }])).toBe('  ab  listed by its provider\n')
  })
})
