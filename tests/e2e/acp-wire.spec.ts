/** What comes over the wire that should not: the agent answers what can be answered, and lives. */

import { textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { editor, methods } from './acp-client.ts'
import { provider, sandbox, type Sandbox, type Started } from './program.ts'

/** A connection without a kit: lines in, objects out. */
class Wire implements AsyncDisposable {
  readonly program: Started
  readonly got: Record<string, unknown>[] = []
  #rest = ''

  constructor(box: Sandbox) {
    this.program = box.start(['acp'], { stdin: 'pipe' })
    this.program.child.stdout?.on('data', (chunk: string) => {
      const lines = (this.#rest + chunk).split('\n')
      this.#rest = lines.pop() ?? ''
      this.got.push(...lines.map(line => JSON.parse(line) as Record<string, unknown>))
    })
  }

  send(bytes: string | Uint8Array): void {
    this.program.child.stdin?.write(bytes)
  }

  async answer(id: unknown): Promise<Record<string, unknown>> {
    for (let i = 0; i < 4000; i++) {
      const found = this.got.find(message => message['id'] === id && !('method' in message))
      if (found) {
        this.got.splice(this.got.indexOf(found), 1)
        return found
      }
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    throw new Error(`no answer to ${String(id)}: ${JSON.stringify(this.got)}`)
  }

  async ask(id: number, method: string, params?: unknown): Promise<Record<string, unknown>> {
    this.send(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    return await this.answer(id)
  }

  /** Shows that everything still works. */
  async promptWorks(box: Sandbox): Promise<void> {
    await this.ask(900, 'initialize', { protocolVersion: 1, clientCapabilities: {} })
    const opened = await this.ask(901, 'session/new', { cwd: box.workspace.path, mcpServers: [] })
    const { sessionId } = opened['result'] as { sessionId: string }
    const answered = JSON.stringify(await this.ask(902, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hi' }] }))
    if (!answered.includes('"stopReason":"end_turn"')) throw new Error(`a prompt does not work any more: ${answered}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.program.child.stdin?.end()
    await this.program.ended
  }
}

it.each([
  ['text that is no JSON', '{bad\n', -32700],
  ['an empty list', '[]\n', -32600],
  ['a batch', '[{"jsonrpc":"2.0","id":1,"method":"initialize"}]\n', -32600],
  ['a number', '42\n', -32600],
  ['no version', '{"id":1,"method":"initialize"}\n', -32600],
  ['another version', '{"jsonrpc":"1.0","id":1,"method":"initialize"}\n', -32600],
  ['a method that is no text', '{"jsonrpc":"2.0","id":1,"method":7}\n', -32600],
])('answers %s with an error of its own, and lives', async (_what, line, code) => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({}, server)
  await using wire = new Wire(box)

  wire.send(line)

  expect(await wire.answer(null)).toMatchObject({ error: { code } })
  await wire.promptWorks(box)
})

it.each([
  ['an unknown request', { method: 'foo/bar' }, -32601],
  ['an unknown extension', { method: '_foo', params: {} }, -32601],
  ['a prompt without parameters', { method: 'session/prompt' }, -32602],
  ['a session id that is no text', { method: 'session/prompt', params: { sessionId: 7, prompt: [] } }, -32602],
  ['a directory that is null', { method: 'session/new', params: { cwd: null, mcpServers: [] } }, -32602],
  ['a missing directory', { method: 'session/new', params: { mcpServers: [] } }, -32602],
  ['a prompt of an unknown session', { method: 'session/prompt', params: { sessionId: 'nobody', prompt: [{ type: 'text', text: 'hi' }] } }, -32002],
  ['a session to load that is not there', { method: 'session/load', params: { sessionId: 'nobody', cwd: '/tmp', mcpServers: [] } }, -32002],
  ['a session id that is a path', { method: 'session/load', params: { sessionId: '../../etc/passwd', cwd: '/tmp', mcpServers: [] } }, -32002],
  ['an unknown way to authenticate', { method: 'authenticate', params: { methodId: 'magic' } }, -32602],
])('answers %s with its code', async (_what, request, code) => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({}, server)
  await using wire = new Wire(box)
  await wire.ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} })

  wire.send(`${JSON.stringify({ jsonrpc: '2.0', id: 2, ...request })}\n`)

  expect(await wire.answer(2)).toMatchObject({ error: { code } })
  await wire.promptWorks(box)
})

it('refuses everything before it is initialized', async () => {
  await using server = await provider([textAnswer('hello')])
  await using box = await sandbox({}, server)
  await using wire = new Wire(box)

  expect(await wire.ask(1, 'session/new', { cwd: box.workspace.path, mcpServers: [] })).toMatchObject({ error: { code: -32600 } })
  await wire.promptWorks(box)
})

it('reads over unknown notifications, empty lines, a byte order mark, carriage returns, and answers to nothing', async () => {
  await using server = await provider([textAnswer('hello')])
  await using box = await sandbox({}, server)
  await using wire = new Wire(box)

  wire.send('\ufeff\n\r\n  \n{"jsonrpc":"2.0","method":"whatever"}\r\n{"jsonrpc":"2.0","id":77,"result":{}}\n{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":7}}\n')
  await wire.promptWorks(box)

  expect(wire.got.filter(message => 'error' in message)).toEqual([])
})

it('takes ids of text, zero and fractions as they are', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  await using wire = new Wire(box)

  for (const id of ['a', 0, 1.5]) {
    wire.send(`${JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params: { protocolVersion: 1 } })}\n`)
    expect(await wire.answer(id)).toMatchObject({ result: { protocolVersion: 1 } })
  }
})

it('puts a message together that comes in a hundred pieces, and takes two that come in one', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({}, server)
  await using wire = new Wire(box)
  const bytes = Buffer.from(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: 1, clientInfo: { name: '漢字 \u2028 👩‍👧', version: '1' } } })}\n`)

  for (let i = 0; i < bytes.length; i += Math.ceil(bytes.length / 100)) {
    wire.send(bytes.subarray(i, i + Math.ceil(bytes.length / 100)))
    await new Promise(resolve => setImmediate(resolve))
  }
  expect(await wire.answer(1)).toMatchObject({ result: { protocolVersion: 1 } })
  wire.send(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'session/list', params: {} })}\n${JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'session/list', params: {} })}\n`)

  expect([await wire.answer(2), await wire.answer(3)]).toMatchObject([{ result: { sessions: [] } }, { result: { sessions: [] } }])
})

it('handles a prompt of 20 MB, and one message that is larger than it takes', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`), { validate: 'sampled' })
  await using box = await sandbox({}, server)
  await using wire = new Wire(box)
  await wire.ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} })
  const { sessionId } = (await wire.ask(2, 'session/new', { cwd: box.workspace.path, mcpServers: [] }))['result'] as { sessionId: string }

  const large = await wire.ask(3, 'session/prompt', { sessionId, prompt: [{ type: 'text', text: 'x'.repeat(20 * 1024 * 1024) }] })
  wire.send(`{"jsonrpc":"2.0","id":4,"method":"session/prompt","params":{"text":"${'y'.repeat(70 * 1024 * 1024)}"}}\n`)

  expect(large).toMatchObject({ result: { stopReason: 'end_turn' } })
  expect(server.requests[0]?.bytes).toBeGreaterThan(20 * 1024 * 1024)
  expect(await wire.answer(null)).toMatchObject({ error: { code: -32700 } })
  await wire.promptWorks(box)
})

it('ends when input ends in the middle of a line', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  const wire = new Wire(box)
  await wire.ask(1, 'initialize', { protocolVersion: 1, clientCapabilities: {} })

  wire.program.child.stdin?.end('{"jsonrpc":"2.0","id":2,"meth')

  expect((await wire.program.ended).code).toBe(0)
})

it('ends when nobody reads its output any more', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  const zed = await editor(box)
  const { sessionId } = await zed.open()

  zed.child.stdout?.destroy()
  void Promise.allSettled([zed.agent.request(methods.agent.session.prompt, { sessionId, prompt: [{ type: 'text', text: 'hi' }] })])

  expect((await zed.ended).code).toBe(0)
})
