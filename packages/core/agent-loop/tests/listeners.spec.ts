import { describe, expect, it } from 'vitest'
import type { Context } from 'cordis'
import { call, eventsOf, fail, harness, reply, textTool, type Harness } from '@deepseek-ai/dsh-testkit'
import { LlmError } from '@deepseek-ai/dsh-llm'

/** How a turn ends whose only trouble is one listener of that event that throws. */
const NOTIFICATIONS = ['agent/created', 'agent/disposed', 'agent/status', 'agent/queued', 'agent/error', 'session/created', 'session/event', 'system-prompt/change', 'tools/change'] as const
const DECISIONS: [event: Decision, end: string, step: number][] = [
  ['agent/prompt-submit', 'error', 0],
  ['system-prompt/assemble', 'error', 1],
  ['agent/pre-step', 'error', 1],
  ['agent/request', 'error', 1],
  ['session/flush', 'error', 1],
  ['llm/stream', 'error', 1],
  ['agent/request-error', 'error', 1],
  ['agent/step-result', 'error', 1],
  ['agent/turn-continuation', 'error', 1],
  ['agent/session-start', 'completed', 0],
  ['tools/pre-execute', 'completed', 0],
  ['tools/execute', 'completed', 0],
  ['tools/post-execute', 'completed', 0],
]

type Decision =
  | 'agent/prompt-submit'
  | 'system-prompt/assemble'
  | 'agent/pre-step'
  | 'agent/request'
  | 'session/flush'
  | 'llm/stream'
  | 'agent/request-error'
  | 'agent/step-result'
  | 'agent/turn-continuation'
  | 'agent/session-start'
  | 'tools/pre-execute'
  | 'tools/execute'
  | 'tools/post-execute'

type AnyOn = (event: string, listener: (...args: unknown[]) => unknown) => () => void

function on(ctx: Context, event: string, listener: (...args: unknown[]) => unknown): () => void {
  return (ctx.on as unknown as AnyOn)(event, listener)
}

const throwing: [string, () => unknown][] = [
  ['throws', () => {
    throw new Error('listener is broken')
  }],
  ['rejects', () => Promise.reject(new Error('listener is broken'))],
]

/** A conversation that comes by every event: tools, a failed attempt, a change of tools and sections. */
async function start(): Promise<Harness> {
  return await harness({ model: [], tools: [textTool('t', () => 'ok')] })
}

async function converse(h: Harness, event: string): Promise<void> {
  const needsFailure = event === 'agent/request-error' || event === 'agent/error'
  h.script.push(...(needsFailure ? [fail(new LlmError('SERVER', 'overloaded'))] : [call('t'), reply('done')]))
  h.ctx.tools.register(textTool(`more-${h.session.seq}`, () => 'ok'))
  h.ctx.systemPrompt.section({ name: 's', order: 1, text: 'Be brief.' })
  h.agent.send('go')
  await h.agent.whenIdle()
}

describe.each(throwing)('a listener that %s', (_how, listener) => {
  it.each(NOTIFICATIONS)('on %s is reported, and neither the turn nor other listeners notice', async event => {
    const h = await start()
    const others: string[] = []
    on(h.ctx, event, () => void others.push('before'))
    on(h.ctx, event, listener)
    on(h.ctx, event, () => void others.push('after'))
    const child = h.create()
    await converse(h, event)
    await child.dispose()

    expect(eventsOf(h, 'turn/end').map(({ data }) => data.reason.kind)).toEqual([event === 'agent/error' ? 'error' : 'completed'])
    expect([others.length > 0, others.filter(name => name === 'after').length]).toEqual([true, others.length / 2])
    const reports = h.log.filter(({ text }) => text.startsWith(`listener of "${event}" in plugin root failed: Error: listener is broken`))
    expect(reports.length).toBe(others.length / 2)
    expect(h.agent.status).toBe('idle')
    await h.dispose()
  })

  it.each(DECISIONS)('on %s ends the turn visibly (%s), and the next one works without it', async (event, end, step) => {
    const h = await start()
    const remove = on(h.ctx, event, listener)
    const heard: string[] = []
    h.ctx.on('agent/error', (_agent, turn, at, error) => void heard.push(`${turn}.${at} ${error.message}`))
    const child = event === 'agent/session-start' ? h.create() : undefined
    await new Promise(resolve => setImmediate(resolve))
    await converse(h, event)

    const first = eventsOf(h, 'turn/end')[0]?.data.reason
    const visible = h.log.some(({ text }) => text.includes('listener is broken')) || eventsOf(h, 'tool/result').some(({ data }) => data.isError)
    expect([first?.kind, visible, h.agent.status]).toEqual([end, true, 'idle'])
    if (first?.kind === 'error') {
      expect(first).toMatchObject({ step, message: 'listener is broken' })
      expect(heard[0]).toBe(`1.${step} listener is broken`)
    }

    remove()
    h.script.push(...Array.from({ length: 3 }, () => reply('fine')))
    await h.run('again')
    expect(eventsOf(h, 'turn/end').at(-1)?.data.reason).toEqual({ kind: 'completed' })
    await child?.dispose()
    await h.dispose()
  })
})

describe('session-start', () => {
  it('comes once before the first turn, says whether the session is new, and what it injects is in the first request', async () => {
    await using h = await harness({ model: [reply('ok')] })
    const seen: string[] = []
    h.ctx.on('agent/session-start', async (agent, source) => {
      seen.push(source)
      agent.inject('welcome', { source: { kind: 'plugin', plugin: 'hooks' } })
    })
    const { agent } = h.create({ source: 'resume' })
    agent.send('hello')
    await agent.whenIdle()
    agent.send('again')
    h.script.push(reply('ok'))
    await agent.whenIdle()

    expect(seen).toEqual(['resume'])
    expect(h.script.requests[0]?.messages.map(({ content }) => content.length)).toEqual([3, 1])
  })

  it('holds up the first turn for a bounded time', async () => {
    await using h = await harness({ model: [reply('ok')], loop: { sessionStartTimeoutMs: 5 } })
    h.ctx.on('agent/session-start', async () => await new Promise<void>(() => undefined))
    const { agent } = h.create()
    agent.send('hello')
    await agent.whenIdle()

    expect(agent.session.events.at(-1)?.type).toBe('turn/end')
    expect(h.log.map(({ text }) => text)).toEqual(['a listener of agent/session-start took longer than 5 ms; going on without it'])
  })
})
