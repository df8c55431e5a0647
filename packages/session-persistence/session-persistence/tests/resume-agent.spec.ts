import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { hang, reply, type ScriptStep } from '@deepseek-ai/dsh-llm-script'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { harness, textTool, transcript, type Harness } from '@deepseek-ai/dsh-testkit'
import { resumeAgent } from '../src/index.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const signal = new AbortController().signal

function newRoot(): string {
  const root = mkdtempSync(join(tmpdir(), 'dsh-resume-'))
  cleanups.push(() => rmSync(root, { recursive: true, force: true }))
  return root
}

/** A composition with a store; its own agent is of no interest unless it is named. */
async function start(root: string, model: readonly ScriptStep[], sessionId = 'other'): Promise<Harness> {
  const mounted = await harness({ model, plugins: [[JsonlSessionPersistence as never, { root }]], tools: [textTool('look', () => 'seen')], create: { sessionId } })
  cleanups.push(() => mounted.dispose())
  return mounted
}

/** The store as it is at this moment, as a killed process would leave it: without the locks of the living one. */
function copyOf(root: string): string {
  const copy = newRoot()
  cpSync(root, copy, { recursive: true, filter: path => !path.endsWith('.lock') })
  return copy
}

function logOf(root: string, id: string): string {
  const name = readdirSync(join(root, 'sessions'), { recursive: true }).map(String).find(path => path.endsWith(`/${id}.jsonl`))
  return join(root, 'sessions', name ?? '')
}

describe('resumeAgent', () => {
  it('goes on with a session where it ended, and stores what is added', async () => {
    const root = newRoot()
    const first = await start(root, [reply('hello')], 'one')
    await first.run('hi')
    const before = structuredClone(first.session.events)
    await first.dispose()

    const second = await start(root, [reply('hello again')])
    const { handle, stored } = await resumeAgent(second.ctx, 'one', { model: 'script' }, signal)
    handle.agent.send('are you there?')
    await handle.agent.whenIdle()
    const text = transcript(handle.agent)
    const { events, header } = handle.agent.session
    await handle.dispose()
    await second.ctx.sessionPersistence.settled('one')

    expect([stored.events, stored.damage, header]).toEqual([before, [], first.session.header])
    expect(text).toContain('hello again')
    expect((await second.ctx.sessionPersistence.load('one', signal)).events).toEqual(events)
  })

  it('closes the turn that a crash left open, keeps what was visible, and goes on', async () => {
    const root = newRoot()
    const first = await start(root, [hang([{ type: 'text-delta', index: 0, text: 'half an answer' }])], 'one')
    first.agent.send('hi')
    await first.saw('assistant/chunk')
    await new Promise(resolve => setTimeout(resolve, 60))
    const crashed = copyOf(root)
    first.agent.cancel('enough')

    const second = await start(crashed, [reply('whole answer')])
    const { handle, stored } = await resumeAgent(second.ctx, 'one', { model: 'script' }, signal)
    const mended = handle.agent.session.events.slice(stored.events.length).map(({ type, data }) => [type, data])
    handle.agent.send('go on')
    await handle.agent.whenIdle()

    expect(mended).toEqual([
      ['assistant/message', { turn: 1, step: 1, content: [{ type: 'text', text: 'half an answer' }], finish: { kind: 'aborted' }, model: expect.any(String) as string, interrupted: true }],
      ['step/end', { turn: 1, step: 1 }],
      ['turn/end', { turn: 1, reason: { kind: 'interrupted' } }],
    ])
    expect(transcript(handle.agent)).toContain('whole answer')
    await handle.dispose()
  })

  it('says what was damaged, and goes on with what was not', async () => {
    const root = newRoot()
    const first = await start(root, [reply('hello')], 'one')
    await first.run('hi')
    await first.dispose()
    appendFileSync(logOf(root, 'one'), '{"type":"turn/sta')

    const second = await start(root, [reply('again')])
    const { handle, stored } = await resumeAgent(second.ctx, 'one', { model: 'script' }, signal)
    expect(stored.damage).toMatchObject([{ kind: 'torn-tail', keptAside: expect.stringContaining('one.damaged-1.jsonl') as string }])
    handle.agent.send('more')
    await handle.agent.whenIdle()
    await handle.dispose()
    await second.ctx.sessionPersistence.settled('one')
    expect((await second.ctx.sessionPersistence.load('one', signal)).damage).toEqual([])
  })

  it('gives the lease back when no agent comes of it', async () => {
    const root = newRoot()
    const first = await start(root, [reply('hello')], 'one')
    await first.run('hi')
    await first.dispose()
    const { ctx } = await start(root, [])
    // The name of the session is taken by an agent of another one.
    const other = ctx.agents.create({ agentId: 'one', sessionId: 'two', agentOptions: { model: 'script' } })
    await expect(resumeAgent(ctx, 'one', { model: 'script' }, signal)).rejects.toMatchObject({ code: 'DUPLICATE_AGENT' })
    await other.dispose()
    await (await resumeAgent(ctx, 'one', { model: 'script' }, signal)).handle.dispose()
  })

  it('resumes at once what was just closed in this process, and refuses what is still open', async () => {
    const root = newRoot()
    const { ctx } = await start(root, [reply('hello'), reply('again')])
    const { agent, dispose } = ctx.agents.create({ sessionId: 'one', agentOptions: { model: 'script' } })
    agent.send('hi')
    await agent.whenIdle()
    await expect(resumeAgent(ctx, 'one', { model: 'script' }, signal)).rejects.toMatchObject({ code: 'SESSION_IN_USE' })
    await dispose()
    const { handle } = await resumeAgent(ctx, 'one', { model: 'script' }, signal)
    expect(handle.agent.session.events).toEqual(agent.session.events)
    await handle.dispose()
  })
})
