import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { answer, byConversation, callAnswer, DONE, errorReply, MockLlmServer, textAnswer, type MockServerOptions } from '../src/index.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

async function start(options: MockServerOptions): Promise<MockLlmServer> {
  const server = await MockLlmServer.start(options)
  cleanups.push(() => server.close())
  return server
}

async function post(url: string, messages: unknown = [{ role: 'user', content: 'hi' }], headers: Record<string, string> = {}): Promise<{ status: number; body: string }> {
  const response = await fetch(`${url}/chat/completions`, { method: 'POST', headers, body: JSON.stringify({ model: 'm', messages }) })
  return { status: response.status, body: await response.text() }
}

/** The pieces of a response as they arrive. */
async function pieces(url: string): Promise<Buffer[]> {
  const outgoing = httpRequest(`${url}/chat/completions`, { method: 'POST', agent: false })
  outgoing.end(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'hi' }] }))
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage]
  // A reset is reported here as well as by the response, which is what the tests look at.
  outgoing.on('error', error => response.destroy(error))
  const received: Buffer[] = []
  for await (const piece of response) received.push(piece as Buffer)
  return received
}

describe('MockLlmServer', () => {
  it('streams an answer as the provider does', async () => {
    const server = await start({ script: [answer({ reasoning: 'r', text: 'abcd', deltas: 2, calls: [{ id: 'c', name: 'bash', arguments: { a: 1 } }] })] })
    const { body } = await post(server.url)
    const frames = body.split('\n\n').filter(frame => frame !== '' && frame !== DONE.trim()).map(frame => JSON.parse(frame.slice(6)) as { choices: [{ delta: object; finish_reason: unknown }]; usage?: object })
    expect(frames.map(({ choices: [{ delta }] }) => delta)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'r' },
      { content: 'ab' },
      { content: 'cd' },
      { tool_calls: [{ index: 0, id: 'c', type: 'function', function: { name: 'bash', arguments: '' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '{"a"' } }] },
      { tool_calls: [{ index: 0, function: { arguments: ':1}' } }] },
      { content: '' },
    ])
    expect(frames.at(-1)).toMatchObject({ choices: [{ finish_reason: 'tool_calls' }], usage: { prompt_tokens: 100 } })
    expect(body.endsWith(DONE)).toBe(true)
  })

  it('sends raw bytes one write at a time, cut anywhere', async () => {
    const bytes = Buffer.from('data: ü\n\n')
    const server = await start({ script: [{ pieces: Array.from(bytes, byte => Uint8Array.of(byte)) }] })
    const received = await pieces(server.url)
    expect(Buffer.concat(received)).toEqual(bytes)
    expect(received.length).toBeGreaterThan(3)
  })

  it.each(['fin', 'reset'] as const)('breaks the connection by %s', async end => {
    const server = await start({ script: [{ pieces: ['data: 1\n\n'], end }] })
    await expect(pieces(server.url)).rejects.toThrow(/aborted|ECONNRESET/)
  })

  it('writes a whole response raw', async () => {
    const server = await start({ script: [{ raw: true, pieces: ['HTTP/1.1 299 Odd\r\nx-a: b\r\ncontent-length: 2\r\n\r\n', 'ok'] }] })
    expect(await post(server.url)).toEqual({ status: 299, body: 'ok' })
  })

  it('runs hooks between pieces and waits where it is told to', async () => {
    const marks: string[] = []
    const server = await start({ script: [{ pieces: ['a', { run: () => void marks.push('between') }, { delayMs: 30 }, 'b'] }] })
    const before = performance.now()
    expect((await post(server.url)).body).toBe('ab')
    expect(marks).toEqual(['between'])
    expect(performance.now() - before).toBeGreaterThan(25)
  })

  it('branches by conversation', async () => {
    const server = await start({ script: byConversation({ parent: [textAnswer('p1'), textAnswer('p2')], '*': [request => textAnswer(request.conversation)] }) })
    const say = async (content: string): Promise<string> => (await post(server.url, [{ role: 'user', content }])).body
    expect(await say('the parent')).toContain('"p1"')
    expect(await say('child')).toContain('"child"')
    expect(await say('the parent')).toContain('"p2"')
    expect(await say('the parent')).toContain('no reply 2')
  })

  it('records requests, and refuses what a provider refuses without using up the script', async () => {
    const server = await start({ script: [callAnswer({ name: 'bash' })] })
    expect(await post(server.url, [])).toMatchObject({ status: 400, body: expect.stringContaining('non-empty array') })
    expect(await post(server.url)).toMatchObject({ status: 200 })
    expect(await post(server.url)).toMatchObject({ status: 400, body: expect.stringContaining('has 1 replies') })
    expect(server.violations.map(violation => violation.request)).toEqual([0, 2])
    expect(server.requests.map(request => request.body.messages.length)).toEqual([0, 1, 1])
  })

  it('checks the key, lists models and knows no other routes', async () => {
    const server = await start({ apiKey: 'k', models: ['a'], script: [textAnswer('ok')] })
    expect((await post(server.url)).status).toBe(401)
    expect((await post(server.url, undefined, { authorization: 'Bearer k' })).status).toBe(200)
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(401)
    expect(await (await fetch(`${server.url}/v1/models`, { headers: { authorization: 'Bearer k' } })).json()).toMatchObject({ data: [{ id: 'a' }] })
    expect((await fetch(`${server.url}/nothing`)).status).toBe(404)
  })

  it('forgets the oldest bodies beyond its budget', async () => {
    const server = await start({ script: () => textAnswer('ok'), maxStoredBytes: 150 })
    for (let i = 0; i < 4; i++) await post(server.url)
    expect(server.requests.map(request => request.rawBody !== undefined)).toEqual([false, false, true, true])
    expect(() => server.requests[0]?.body).toThrow('forgotten')
  })

  it('reports a script that throws', async () => {
    const server = await start({ script: () => Promise.reject(new Error('oops')) })
    await expect(post(server.url)).rejects.toThrow('fetch failed')
    expect(server.violations).toEqual([{ request: 0, message: 'the script threw: Error: oops' }])
  })

  it('serves a conversation of two thousand steps in time that does not grow with it', async () => {
    const server = await start({ script: () => errorReply(418, 'short') })
    const messages: object[] = [{ role: 'user', content: 'go' }]
    const step = (i: number): void => void messages.push({ role: 'assistant', content: null, tool_calls: [{ id: `c${i}`, type: 'function', function: { name: 'bash', arguments: '{}' } }] }, { role: 'tool', tool_call_id: `c${i}`, content: 'x'.repeat(100) })
    for (let i = 0; i < 2000; i++) step(i)
    await post(server.url, messages)
    const before = performance.now()
    for (let i = 2000; i < 2020; i++) {
      step(i)
      await post(server.url, messages)
    }
    expect(server.violations).toEqual([])
    expect(server.requests.at(-1)?.sharedBytes).toBeGreaterThan((server.requests.at(-2)?.bytes ?? 0) - 3)
    expect((performance.now() - before) / 20).toBeLessThan(250)
  })
})

describe('the command', () => {
  it('runs a script from a file and tells its address and what it saw', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'dsh-mock-'))
    cleanups.push(() => rm(directory, { recursive: true }))
    const file = join(directory, 'script.json')
    await writeFile(file, JSON.stringify({ replies: [{ text: 'one' }, { status: 503, pieces: ['busy'] }], repeatLast: true }))
    const child = spawn(process.execPath, [fileURLToPath(new URL('../src/main.ts', import.meta.url)), file], { stdio: ['ignore', 'pipe', 'inherit'] })
    const [line] = (await once(child.stdout, 'data')) as [Buffer]
    const { url } = JSON.parse(line.toString()) as { url: string }

    expect((await post(url)).body).toContain('"one"')
    expect([await post(url), await post(url)]).toEqual([{ status: 503, body: 'busy' }, { status: 503, body: 'busy' }])
    expect(await (await fetch(`${url}/__mock/requests`)).json()).toHaveLength(3)

    const ended = once(child, 'exit')
    const lastLine = once(child.stdout, 'data')
    child.kill('SIGTERM')
    expect(JSON.parse(String((await lastLine)[0]))).toEqual({ requests: 3, violations: [] })
    expect(await ended).toEqual([0, null])
  })
})
