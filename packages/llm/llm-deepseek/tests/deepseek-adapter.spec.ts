import { inspect } from 'node:util'
import { setTimeout as sleep } from 'node:timers/promises'
import { Context } from 'cordis'
import { describe, expect, it } from 'vitest'
import { LlmService, text } from '@deepseek-ai/dsh-llm'
import { describeLlmAdapter, type AdapterFixture, type ProviderAnswer } from '@deepseek-ai/dsh-llm/contract'
import { answer, delta, errorReply, textAnswer, type MockReply } from '@deepseek-ai/dsh-llm-mock-server'
import * as plugin from '../src/index.ts'
import { adapterFor, answerOf, ask, cleanUp, collect, errorOf, KEY, later, open } from './harness.ts'

cleanUp()

function replyFor(next: ProviderAnswer): MockReply {
  if (next.kind === 'break') return { pieces: [delta({ content: 'half' })], end: 'reset' }
  if (next.kind === 'hang') return { pieces: [delta({ content: 'half' })], end: 'hang' }
  if (next.kind === 'refuse') {
    if (next.as === 'auth') return errorReply(401, 'Authentication Fails')
    return next.as === 'server' ? errorReply(503, 'overloaded') : errorReply(429, 'slow down', { 'retry-after': '2' })
  }
  const { kind: _kind, cutShort, calls, ...spec } = next
  return answer({ ...spec, ...(calls && { calls }), ...(cutShort === true && { finish: 'length' }) })
}

async function openFixture(): Promise<AdapterFixture> {
  const queue: MockReply[] = []
  const { server, adapter } = await open(() => queue.shift() ?? errorReply(400, 'nothing queued'), {}, { rules: { reasoning: 'A', vision: true } })
  later(async () => expect(server.violations).toEqual([]))
  const disconnected = async (): Promise<void> => {
    while (server.requests.at(-1)?.aborted !== true) await sleep(5)
  }
  return { adapter, model: 'deepseek-flash', next: next => void queue.push(replyFor(next)), disconnected }
}

describeLlmAdapter('DeepSeekAdapter', openFixture)

describe('DeepSeekAdapter', () => {
  it('authenticates with the key and asks for usage', async () => {
    const harness = await open([textAnswer('ok')], { thinking: 'enabled', reasoningEffort: 'high', headers: { 'X-Team': 'a' } })
    await answerOf(harness, { system: 'be brief', maxTokens: 7 })

    const [request] = harness.server.requests
    expect(request?.headers).toMatchObject({ authorization: `Bearer ${KEY}`, 'content-type': 'application/json', 'x-team': 'a' })
    expect(request?.path).toBe('/chat/completions')
    expect({ ...request?.body, tools: undefined }).toEqual({
      model: 'deepseek-flash',
      stream: true,
      stream_options: { include_usage: true },
      thinking: { type: 'enabled' },
      reasoning_effort: 'high',
      max_tokens: 7,
      messages: [{ role: 'system', content: 'be brief' }, { role: 'user', content: 'hi' }],
    })
  })

  it('asks for the effort of the request before its own', async () => {
    const harness = await open(() => textAnswer('ok'), { reasoningEffort: 'high' })
    for (const effort of ['max', undefined]) await answerOf(harness, effort === undefined ? {} : { effort })
    expect(harness.server.requests.map(({ body }) => body['reasoning_effort'])).toEqual(['max', 'high'])
  })

  it('takes a base URL with a path, a trailing slash or the whole endpoint', async () => {
    const { server } = await open(() => textAnswer('ok'))
    for (const suffix of ['/v1', '/v1/', '/v1/chat/completions']) await answerOf(adapterFor(server.url + suffix))
    expect(server.requests.map(request => request.path)).toEqual(Array(3).fill('/v1/chat/completions'))
  })

  it('reads the key and the address from the environment', async () => {
    const { server } = await open([textAnswer('ok')])
    const env = { DEEPSEEK_API_KEY: 'sk-env\n', DEEPSEEK_BASE_URL: server.url }
    await answerOf(adapterFor('', { apiKey: '' }, env))
    expect(server.requests[0]?.headers.authorization).toBe('Bearer sk-env')
  })

  it('fails with AUTH and says what to do when there is no key', async () => {
    const { server } = await open()
    const error = await errorOf(adapterFor(server.url, { apiKey: '' }))
    expect(error).toMatchObject({ code: 'AUTH', retryable: false, message: expect.stringContaining('DEEPSEEK_API_KEY') })
    expect(server.requests).toEqual([])
  })

  it('sends no Authorization to a server that is declared keyless', async () => {
    const { server } = await open([textAnswer('ok')])
    await answerOf(adapterFor(server.url, { apiKey: '', keyless: true }))
    expect(server.requests[0]?.headers.authorization).toBeUndefined()
  })

  it('refuses a key that cannot stand in a header, without repeating it', async () => {
    const { server } = await open()
    const error = await errorOf(adapterFor(server.url, { apiKey: 'sk-sécret' }))
    expect(error).toMatchObject({ code: 'AUTH', message: expect.stringContaining('U+00E9 at position 5') })
    expect(error.message).not.toContain('cret')
    expect(server.requests).toEqual([])
  })

  it('refuses a base URL that is none', async () => {
    expect(await errorOf(adapterFor('api.example'))).toMatchObject({ code: 'INVALID_REQUEST', message: expect.stringContaining('"api.example"') })
  })

  it('never shows the key, even when the provider repeats it', async () => {
    const harness = await open([errorReply(401, `Incorrect API key provided: ${KEY}.`)])
    const error = await errorOf(harness)
    expect(error.message).toContain('Incorrect API key provided: [key].')
    expect(inspect(error, { depth: 5 })).not.toContain(KEY)
  })

  it('keeps the connection between requests', async () => {
    const harness = await open(request => textAnswer(String(request.index)))
    const ports = new Set<unknown>()
    harness.server.use(request => (ports.add(request.headers.connection), textAnswer('ok')))
    await answerOf(harness)
    await answerOf(harness)
    expect(harness.server.connections).toBe(1)
  })

  it('opens another connection when the server has closed the idle one', async () => {
    const harness = await open(() => textAnswer('ok'))
    await answerOf(harness)
    harness.server.dropConnections()
    await sleep(20)
    expect((await answerOf(harness)).blocks).toEqual([text('ok')])
    expect(harness.server.connections).toBe(2)
  })

  it('refuses a request above the limit before it sends anything', async () => {
    const harness = await open([], { maxRequestBytes: 1000 })
    const error = await errorOf(harness, { messages: [{ role: 'user', content: [text('x'.repeat(2000))] }] })
    expect(error).toMatchObject({ code: 'CONTEXT_OVERFLOW', retryable: false })
    expect(harness.server.requests).toEqual([])
  })

  it('gives up on a server that does not begin, and on one that goes silent', async () => {
    const harness = await open([{ headDelayMs: 2000, pieces: [] }, { pieces: [delta({ content: 'a' })], end: 'hang' }], { firstByteTimeoutMs: 150, idleTimeoutMs: 150 })
    expect(await errorOf(harness)).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('did not begin to answer within 0.15 s') })
    expect(await errorOf(harness)).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('went silent') })
  })

  it('takes an answer with a finish reason for complete when its end does not come', async () => {
    const whole = [delta({ content: 'all of it' }), delta({}, 'stop'), { delayMs: 30 }, delta({}, null, { usage: { prompt_tokens: 3, completion_tokens: 2 } })]
    const harness = await open([{ pieces: whole, end: 'hang' }], { finishTimeoutMs: 100 })
    const chunks = await collect(harness.adapter.stream(ask()))
    expect(chunks.slice(-2)).toMatchObject([{ type: 'usage', usage: { inputTokens: 3 } }, { type: 'finish', reason: { kind: 'stop' } }])
  })

  it('takes an empty finish reason for none', async () => {
    const harness = await open([{ pieces: [delta({ content: 'half' }, '')], end: 'fin' }])
    expect(await errorOf(harness)).toMatchObject({ code: 'STREAM_CLOSED' })
  })

  it('takes keep-alive comments as life, but not for ever', async () => {
    const comments = Array.from({ length: 8 }, () => [{ delayMs: 40 }, ': keep-alive\n\n']).flat()
    const harness = await open([{ pieces: [...comments, ...(textAnswer('late').pieces ?? [])] }, { pieces: comments }], { firstByteTimeoutMs: 150, idleTimeoutMs: 150 })
    expect((await answerOf(harness)).blocks).toEqual([text('late')])
    const impatient = adapterFor(harness.server.url, { eventTimeoutMs: 100 })
    expect(await errorOf(impatient)).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('keep-alive') })
  })

  it('closes the socket within moments of an abort', async () => {
    const harness = await open([{ pieces: [delta({ content: 'a' })], end: 'hang' }])
    const controller = new AbortController()
    let abortedAt = 0
    const reading = (async () => {
      for await (const chunk of harness.adapter.stream(ask({ signal: controller.signal }))) {
        if (chunk.type !== 'text-delta') continue
        abortedAt = Date.now()
        controller.abort(new Error('stop'))
      }
    })()
    await expect(reading).rejects.toThrow('stop')
    const [request] = harness.server.requests
    while (request?.abortedAt === undefined) await sleep(1)
    expect(request.abortedAt - abortedAt).toBeLessThan(200)
  })

  it('holds a slow reader’s chunks back without losing one', async () => {
    const pieces = Array.from({ length: 12_000 }, (_, i) => `${i} `)
    const harness = await open([answer({ text: pieces, perWrite: 200 })])
    let read = ''
    for await (const chunk of harness.adapter.stream(ask())) {
      if (chunk.type !== 'text-delta') continue
      read += chunk.text
      if (read.length % 1000 === 0) await sleep(1)
    }
    expect(read).toBe(pieces.join(''))
  })

  it('lists the models that the provider offers', async () => {
    const harness = await open([], {}, { models: ['deepseek-flash', 'mystery'] })
    const models = await harness.adapter.discover(new AbortController().signal)
    expect(models.map(model => [model.name, model.contextWindow])).toEqual([['deepseek-flash', 1_000_000], ['mystery', undefined]])
  })

  it('says whose list of models is not one', async () => {
    const { server } = await open()
    const { adapter } = adapterFor(`${server.url}/nothing/chat`)
    server.use([])
    await expect(adapterFor('http://127.0.0.1:9').adapter.discover(new AbortController().signal)).rejects.toMatchObject({ code: 'UNREACHABLE' })
    expect((await adapter.discover(new AbortController().signal)).length).toBeGreaterThan(0)
  })
})

describe('the plugin llm-deepseek', () => {
  it('serves its models and any other name until it is unloaded', async () => {
    const { server } = await open(() => textAnswer('ok'))
    const ctx = new Context()
    later(() => ctx.fiber.dispose())
    await ctx.plugin(LlmService)
    const fiber = await ctx.plugin(plugin, { apiKey: KEY, baseURL: server.url })

    expect(ctx.llm.models()).toEqual(['deepseek-flash', 'deepseek-v4-flash', 'deepseek-v4-pro'])
    expect(ctx.llm.info('deepseek-flash')).toMatchObject({ contextWindow: 1_000_000, vision: true })
    await collect(ctx.llm.stream(ask({ model: 'some/other' })))
    expect(server.requests[0]?.body.model).toBe('some/other')

    await fiber.dispose()
    expect(ctx.llm.models()).toEqual([])
    expect(() => ctx.llm.stream(ask())).toThrow('no adapter serves')
  })

  it('loads without a key', async () => {
    const ctx = new Context()
    later(() => ctx.fiber.dispose())
    await ctx.plugin(LlmService)
    await ctx.plugin(plugin, { baseURL: 'http://127.0.0.1:9', models: ['m'], anyModel: false })
    expect(ctx.llm.models()).toEqual(['m'])
  })
})
