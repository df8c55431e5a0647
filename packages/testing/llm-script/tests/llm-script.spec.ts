import { Context } from 'cordis'
import { afterEach, describe, expect, it } from 'vitest'
import { BlockAssembler, LlmError, LlmService, text, type GenerateOptions, type Message, type StreamChunk } from '@deepseek-ai/dsh-llm'
import { describeLlmAdapter, type AdapterFixture, type ProviderAnswer } from '@deepseek-ai/dsh-llm/contract'
import * as plugin from '../src/index.ts'
import { call, calls, chunks, fail, findBadPairing, hang, LlmScript, reply, type Step } from '../src/index.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const half: StreamChunk[] = [{ type: 'block-start', index: 0, blockType: 'text' }, { type: 'text-delta', index: 0, text: 'half' }]

function stepFor(next: ProviderAnswer): Step {
  switch (next.kind) {
    case 'break':
      return fail(new LlmError('STREAM_CLOSED', 'broken'), half)
    case 'hang':
      return hang(half)
    case 'refuse':
      if (next.as === 'auth') return fail(new LlmError('AUTH', 'no'))
      return next.as === 'server' ? fail(new LlmError('SERVER', 'boom')) : fail(new LlmError('RATE_LIMIT', 'slow', { retryAfterMs: 2000 }))
    case 'answer':
      if (!next.text && !next.calls) return fail(new LlmError('EMPTY_RESPONSE', 'only thoughts'))
      return calls(next.calls ?? [], {
        ...(next.reasoning && { reasoning: next.reasoning.join('') }),
        ...(next.text && { text: next.text.join('') }),
        ...(next.cutShort === true && { finish: { kind: 'max-tokens' as const } }),
      })
  }
}

describeLlmAdapter('LlmScript', async (): Promise<AdapterFixture> => {
  const script = new LlmScript([])
  return { adapter: script, model: 'script', next: next => script.push(stepFor(next)) }
})

function ask(messages: Message[] = [{ role: 'user', content: [text('hi')] }]): GenerateOptions {
  return { model: 'script', messages, signal: new AbortController().signal }
}

async function blocksOf(stream: AsyncIterable<StreamChunk>): Promise<unknown> {
  const assembler = new BlockAssembler()
  for await (const chunk of stream) assembler.push(chunk)
  return assembler.blocks()
}

describe('LlmScript', () => {
  it('plays its steps in order and records the requests', async () => {
    const script = new LlmScript([reply('one', { deltas: 2 }), call('bash', { command: 'ls' }), request => reply(`${request.messages.length}`), chunks([{ type: 'text-delta', index: 0, text: 'raw' }])])
    const request = ask()
    expect(await blocksOf(script.stream(request))).toEqual([text('one')])
    expect(await blocksOf(script.stream(ask()))).toEqual([{ type: 'tool-call', id: 'script-1', name: 'bash', arguments: '{"command":"ls"}' }])
    expect(await blocksOf(script.stream(ask()))).toEqual([text('1')])
    expect(await blocksOf(script.stream(ask()))).toEqual([text('raw')])
    expect(script.requests[0]).toBe(request)
    expect([script.requests.length, script.left]).toEqual([4, 0])
  })

  it('refuses a request beyond its end', async () => {
    const script = new LlmScript([])
    await expect(blocksOf(script.stream(ask()))).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect(script.violations).toEqual(['the script has 0 steps and this is request 1'])
  })

  it('refuses a request whose calls and results do not pair, without using up a step', async () => {
    const script = new LlmScript([reply('ok')])
    const orphan: Message[] = [{ role: 'user', content: [{ type: 'tool-result', toolCallId: 'x', content: [] }] }]
    await expect(blocksOf(script.stream(ask(orphan)))).rejects.toMatchObject({ code: 'INVALID_REQUEST' })
    expect([script.violations.length, script.left]).toEqual([1, 1])
  })

  it('serves its models while its plugin is loaded, from code and from a composition', async () => {
    const ctx = new Context()
    cleanups.push(() => ctx.fiber.dispose())
    await ctx.plugin(LlmService)
    const fiber = await ctx.plugin(new LlmScript([reply('a')], { models: ['m'] }).plugin)
    await ctx.plugin(plugin, { models: ['n'], steps: [reply('b')] })
    expect(ctx.llm.models()).toEqual(['m', 'n'])
    expect(await blocksOf(ctx.llm.stream({ ...ask(), model: 'n' }))).toEqual([text('b')])
    await fiber.dispose()
    expect(ctx.llm.models()).toEqual(['n'])
  })
})

describe('findBadPairing', () => {
  const user = (...ids: string[]): Message => ({ role: 'user', content: ids.map(id => ({ type: 'tool-result', toolCallId: id, content: [] })) })
  const model = (...ids: string[]): Message => ({ role: 'assistant', content: ids.map(id => ({ type: 'tool-call', id, name: 'bash', arguments: '{}' })) })

  it.each<[string, Message[], string | undefined]>([
    ['pairs', [user(), model('a', 'b'), user('b', 'a'), model('c'), user('c')], undefined],
    ['a call without a result', [model('a', 'b'), user('a'), user()], 'message 2: no result for b'],
    ['a message for each result', [model('a', 'b'), user('a'), user('b')], undefined],
    ['a call at the end', [user(), model('a')], 'the request ends without a result for a'],
    ['two messages of the assistant', [model('a'), model('b')], 'message 1: no result for a before the next message of the assistant'],
    ['a result without a call', [user('a')], 'message 0: a result for a, which is not an open call'],
    ['a second result', [model('a'), user('a', 'a')], 'message 1: a result for a, which is not an open call'],
    ['an id used twice', [model('a'), user('a'), model('a')], 'message 2: the call id "a" is empty or used twice'],
    ['an empty id', [model('')], 'message 0: the call id "" is empty or used twice'],
  ])('finds %s', (_name, messages, expected) => {
    expect(findBadPairing(messages)).toBe(expected)
  })
})
