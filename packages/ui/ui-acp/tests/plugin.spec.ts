import { PassThrough } from 'node:stream'
import { createInterface } from 'node:readline'
import { ApprovalService } from '@deepseek-ai/dsh-approval'
import { FrontDoor, type RunRequest } from '@deepseek-ai/dsh-front-door'
import { harness, reply, type Harness } from '@deepseek-ai/dsh-testkit'
import type { Fiber } from 'cordis'
import { describe, expect, it } from 'vitest'
import * as uiAcp from '../src/index.ts'

/** The front door between two streams, and a client that knows lines. */
class Bench implements AsyncDisposable {
  readonly stdin = new PassThrough()
  readonly stdout = new PassThrough()
  readonly got: Record<string, unknown>[] = []
  readonly h: Harness
  plugin: Fiber | undefined
  #id = 0

  private constructor(h: Harness) {
    this.h = h
    createInterface({ input: this.stdout }).on('line', line => void this.got.push(JSON.parse(line) as Record<string, unknown>))
  }

  static async open(...model: Parameters<typeof reply>[0][]): Promise<Bench> {
    const bench = new Bench(await harness({ model: model.map(text => reply(text)) }))
    const { h, stdin, stdout } = bench
    const request: RunRequest = { cwd: process.cwd(), agentOptions: { model: 'script' }, verbosity: 'quiet' }
    await h.ctx.plugin(ApprovalService as never, {} as never)
    await h.ctx.plugin(FrontDoor as never, { terminal: { stdin, stdout, stderr: new PassThrough() }, request } as never)
    h.ctx.frontDoor.open()
    bench.plugin = h.ctx.plugin(uiAcp as never, { ...uiAcp.Config({} as uiAcp.UiAcpConfig), discoveryTimeoutMs: 0 } as never) as never
    await (bench.plugin as unknown as Promise<unknown>)
    return bench
  }

  async ask(method: string, params: unknown): Promise<Record<string, unknown>> {
    const id = ++this.#id
    this.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    for (let i = 0; i < 2000; i++) {
      const found = this.got.find(message => message['id'] === id && !('method' in message))
      if (found) return (found['result'] ?? found['error']) as Record<string, unknown>
      await new Promise(resolve => setTimeout(resolve, 5))
    }
    throw new Error(`no answer to ${method}: ${JSON.stringify(this.got)}`)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.h.dispose()
  }
}

describe('the front door for editors', () => {
  it('takes a client from its first word to the answer of a prompt, without a store', async () => {
    await using bench = await Bench.open('hello')

    const initialized = await bench.ask('initialize', { protocolVersion: 1 })
    const opened = await bench.ask('session/new', { cwd: process.cwd(), mcpServers: [] })
    const { sessionId } = opened
    const answered = await bench.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'hi' }] })

    expect(initialized).toMatchObject({ agentCapabilities: { loadSession: false, sessionCapabilities: { close: {}, additionalDirectories: {} } } })
    expect(Object.keys((initialized['agentCapabilities'] as { sessionCapabilities: object }).sessionCapabilities)).toEqual(['close', 'additionalDirectories'])
    expect(opened).not.toHaveProperty('modes')
    expect(answered).toMatchObject({ stopReason: 'end_turn' })
    expect(JSON.stringify(bench.got)).toContain('"text":"hello"')
    expect(await bench.ask('session/list', {})).toEqual({ sessions: [] })
    expect(await bench.ask('session/load', { sessionId: 'other', cwd: process.cwd(), mcpServers: [] })).toMatchObject({ code: -32603, data: { code: 'STORE_FAILED' } })
  })

  it('leaves nothing behind when it is unloaded: no session, no answerer, no listener', async () => {
    await using bench = await Bench.open('hello')
    await bench.ask('initialize', { protocolVersion: 1 })
    await bench.ask('session/new', { cwd: process.cwd(), mcpServers: [] })
    const before = bench.h.ctx.agents.list().length

    await bench.plugin?.dispose()

    expect([before, bench.h.ctx.agents.list().length, bench.h.ctx.approval.hasAnswerer]).toEqual([2, 1, false])
  })

  it('ends with code 0 when input ends', async () => {
    await using bench = await Bench.open('hello')
    await bench.ask('initialize', { protocolVersion: 1 })

    bench.stdin.end()

    expect(await bench.h.ctx.frontDoor.finished).toBe(0)
  })
})
