import { setTimeout as sleep } from 'node:timers/promises'
import type { Plugin } from 'cordis'
import { afterEach, describe, expect, it } from 'vitest'
import * as deepseek from '@deepseek-ai/dsh-llm-deepseek'
import { answer, callAnswer, delta, errorReply, MockLlmServer, textAnswer, type MockReply, type MockScript } from '@deepseek-ai/dsh-llm-mock-server'
import { harness, textTool, type Harness } from '@deepseek-ai/dsh-testkit'
import * as retry from '../src/index.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

interface Setup {
  h: Harness
  server: MockLlmServer
  /** What the tool was called with. */
  ran: unknown[]
}

/** The real loop and the real adapter in front of a scripted server. */
async function open(script: MockScript, config: Partial<retry.LlmRetryConfig> = {}): Promise<Setup> {
  const server = await MockLlmServer.start({ script, rules: { reasoning: 'A' } })
  const ran: unknown[] = []
  const bash = textTool('bash', ({ command }) => {
    ran.push(command)
    return `ran ${String(command)}`
  })
  const h = await harness({
    plugins: [
      [deepseek as unknown as Plugin, { apiKey: 'k', baseURL: server.url }],
      [retry as unknown as Plugin, { baseDelayMs: 20, maxDelayMs: 100, seed: 1, ...config }],
    ],
    tools: [bash],
    options: { model: 'deepseek-flash' },
  })
  // The server goes first: it lives in this process, and its half of a connection would count as left behind.
  cleanups.push(() => h.dispose(), () => server.close())
  return { h, server, ran }
}

function attempts({ h }: Setup): [string, boolean][] {
  return h.session.events.filter(event => event.type === 'llm/attempt').map(({ data }) => [data.error.code, data.retryInMs !== undefined])
}

function ending({ h }: Setup): unknown {
  return h.session.events.findLast(event => event.type === 'turn/end')?.data.reason
}

const half: MockReply = { pieces: [delta({ content: 'Hello wor' }), delta({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'bash', arguments: '{"comm' } }] })], end: 'reset' }

describe('llm-retry', () => {
  it('keeps only the attempt that succeeded, and runs its call once', async () => {
    const setup = await open([half, answer({ text: 'Hello world', calls: [{ id: 'c1', name: 'bash', arguments: { command: 'ls' } }] }), textAnswer('done')])
    expect(await setup.h.run('go')).toBe(['turn/start', 'user       go', 'attempt    1 STREAM_CLOSED', 'assistant  Hello world bash {"command":"ls"}', 'tool       ran ls', 'assistant  done', 'turn/end   completed'].join('\n'))
    expect(setup.ran).toEqual(['ls'])
    expect(attempts(setup)).toEqual([['STREAM_CLOSED', true]])
    expect(setup.server.violations).toEqual([])
    expect(setup.server.requests.map(request => request.body.messages.filter(message => message.role === 'user').length)).toEqual([1, 1, 1])
  })

  it.each<[string, string, MockReply]>([
    ['a reset in the reasoning', 'STREAM_CLOSED', { pieces: [delta({ reasoning_content: 'hm' })], end: 'reset' }],
    ['a reset after a whole call', 'STREAM_CLOSED', { pieces: [delta({ tool_calls: [{ index: 0, id: 'x', function: { name: 'bash', arguments: '{"command":"rm"}' } }] })], end: 'reset' }],
    ['an end without a marker', 'STREAM_CLOSED', { pieces: [delta({ content: 'half' })] }],
    ['an overloaded provider', 'SERVER', errorReply(503, 'overloaded')],
    ['an error frame in a good stream', 'SERVER', { pieces: [delta({ content: 'half' }), 'data: {"error":{"message":"overloaded","code":529}}\n\n'] }],
    ['an empty answer', 'EMPTY_RESPONSE', answer({ reasoning: 'hm' })],
  ])('tries again after %s, and only its mark remains', async (_name, code, first) => {
    const setup = await open([first, textAnswer('good')])
    expect(await setup.h.run('go')).toBe(['turn/start', 'user       go', `attempt    1 ${code}`, 'assistant  good', 'turn/end   completed'].join('\n'))
    expect(setup.ran).toEqual([])
    expect(attempts(setup)).toEqual([[code, true]])
  })

  it('ends the turn in an error when every attempt fails', async () => {
    const setup = await open(() => answer({ reasoning: 'hm' }), { maxAttempts: 3 })
    await setup.h.run('go')
    expect(attempts(setup)).toEqual([['EMPTY_RESPONSE', true], ['EMPTY_RESPONSE', true], ['EMPTY_RESPONSE', false]])
    expect(ending(setup)).toMatchObject({ kind: 'error' })
  })

  it.each<[string, MockReply]>([
    ['a refused key', errorReply(401, 'no')],
    ['an exhausted account', errorReply(429, { message: 'quota', code: 'insufficient_quota' })],
    ['a bad request', errorReply(400, 'bad')],
    ['a full window', errorReply(400, { message: 'too long', code: 'context_length_exceeded' })],
  ])('does not ask again after %s', async (_name, reply) => {
    const setup = await open(() => reply)
    await setup.h.run('go')
    expect(setup.server.requests).toHaveLength(1)
    expect(ending(setup)).toMatchObject({ kind: 'error' })
  })

  it.each<[string, Record<string, string>, number]>([
    ['in milliseconds', { 'retry-after-ms': '300' }, 300],
    ['in seconds', { 'retry-after': '1' }, 1000],
    ['as junk', { 'retry-after': 'abc' }, 10],
    ['as a negative number', { 'retry-after': '-1' }, 10],
  ])('waits at least as long as the provider asks %s', async (_name, headers, atLeast) => {
    const { h, server } = await open([errorReply(429, 'slow down', headers), textAnswer('ok')])
    await h.run('go')
    const [first, second] = server.requests.map(request => request.receivedAt)
    const waited = Number(second) - Number(first)
    expect(waited).toBeGreaterThanOrEqual(atLeast)
    expect(waited).toBeLessThan(atLeast * 1.1 + 500)
  })

  it('stops at once, with the time stated, when the provider asks for hours', async () => {
    const setup = await open(() => errorReply(429, 'slow down', { 'retry-after': '7200' }))
    await setup.h.run('go')
    expect(setup.server.requests).toHaveLength(1)
    expect(ending(setup)).toMatchObject({ kind: 'error', message: expect.stringContaining('asks to wait 7200 s') })
    expect(setup.h.log.some(line => JSON.stringify(line).includes('maxRetryAfterMs'))).toBe(true)
  })

  it('lets a cancel end the wait', async () => {
    const { h, server } = await open(() => errorReply(429, 'slow down', { 'retry-after': '60' }))
    h.agent.send('go')
    await h.saw('llm/attempt')
    const before = performance.now()
    h.agent.cancel('enough')
    await h.agent.whenIdle()
    expect(performance.now() - before).toBeLessThan(500)
    expect(server.requests).toHaveLength(1)
  })

  it('finds a server that comes up late', async () => {
    const { h, server } = await open([], { baseDelayMs: 150, maxDelayMs: 200 })
    const { port } = server
    await server.close()
    const coming = sleep(200).then(() => MockLlmServer.start({ port, script: [textAnswer('up')] }))
    cleanups.push(async () => (await coming).close())
    expect(await h.run('go')).toContain('assistant  up')
  })

  it('does nothing any more once it is unloaded', async () => {
    const server = await MockLlmServer.start({ script: [errorReply(503, 'busy'), textAnswer('never')] })
    const h = await harness({ plugins: [[deepseek as unknown as Plugin, { apiKey: 'k', baseURL: server.url }]], options: { model: 'deepseek-flash' } })
    cleanups.push(() => h.dispose(), () => server.close())
    const fiber = await h.ctx.plugin(retry as unknown as Plugin, { baseDelayMs: 5 } as never)
    await fiber.dispose()
    await h.run('go')
    expect(server.requests).toHaveLength(1)
  })

  it('passes ids on that a provider gave twice, so that later requests pair', async () => {
    const call = { id: 'call_0', name: 'bash', arguments: { command: 'ls' } }
    const setup = await open([callAnswer(call, call), callAnswer(call), textAnswer('done')])
    expect(await setup.h.run('go')).toContain('assistant  done')
    expect(setup.ran).toEqual(['ls', 'ls', 'ls'])
    expect(setup.server.violations).toEqual([])
  })
})
