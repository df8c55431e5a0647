import type { Context, Plugin } from 'cordis'
import { ApprovalService } from '@deepseek-ai/dsh-approval'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { harness, reply, tempWorkspace, transcript, type Harness, type Workspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import { openAgent, type OpenedAgent, type RunRequest, type SessionRequest } from '../src/index.ts'

const never = new AbortController().signal

function opener({ ctx }: Harness, folder: Workspace): (session?: SessionRequest) => Promise<OpenedAgent> {
  const request: RunRequest = { cwd: folder.path, agentOptions: { model: 'script' }, verbosity: 'quiet' }
  return session => openAgent(ctx, { ...request, ...(session && { session }) }, never)
}

/** Sends one message, and ends the agent: the session is stored then. */
async function run({ agent, dispose }: OpenedAgent, message: string): Promise<string> {
  agent.send(message)
  await agent.whenIdle()
  const said = transcript(agent)
  await dispose()
  return said
}

describe('with a store', () => {
  it('begins, goes on, and copies up to an event', async () => {
    await using folder = await tempWorkspace()
    await using h = await harness({ model: [reply('one'), reply('two'), reply('three')], plugins: [[JsonlSessionPersistence, { root: folder.path }]] })
    const open = opener(h, folder)
    await run(await open({ start: { kind: 'new', id: 'mine' }, isStored: true, title: 'Mine' }), 'first')
    const resumed = await open({ start: { kind: 'resume', id: 'mine' }, isStored: true })
    expect({ damage: resumed.stored?.damage, title: resumed.stored?.summary.title, isStored: resumed.isStored }).toEqual({ damage: [], title: 'Mine', isStored: true })
    const said = await run(resumed, 'second')
    expect(said.split('\n').filter(line => /^(user|assistant)/.test(line)).map(line => line.slice(11))).toEqual(['first', 'one', 'second', 'two'])

    const end = resumed.agent.session.events.find(({ type }) => type === 'turn/end')?.seq ?? 0
    const fork = await open({ start: { kind: 'fork', from: 'mine', until: end, id: 'copy' }, isStored: true })
    expect(fork.agent.session.header).toMatchObject({ id: 'copy', parentSession: 'mine', seedLength: end + 1, cwd: folder.path })
    await run(fork, 'another')
    const { sessionPersistence } = h.ctx
    expect((await sessionPersistence.load('copy', never)).events.flatMap(event => (event.type === 'user/message' ? event.data.content : []))).toEqual([{ type: 'text', text: 'first' }, { type: 'text', text: 'another' }])
    await expect(open({ start: { kind: 'fork', from: 'mine', until: 9999 }, isStored: true })).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('the session mine has no event 9999; its last is') as string })
  })

  it('keeps nothing of a session that is not to be stored, a copy included', async () => {
    await using folder = await tempWorkspace()
    await using h = await harness({ model: [reply('one'), reply('two'), reply('three')], plugins: [[JsonlSessionPersistence, { root: folder.path }]] })
    const open = opener(h, folder)
    await run(await open({ start: { kind: 'new', id: 'kept' }, isStored: true }), 'go')
    const loose = await open({ start: { kind: 'new' }, isStored: false })
    expect(loose.isStored).toBe(false)
    await run(loose, 'go')
    await run(await open({ start: { kind: 'fork', from: 'kept' }, isStored: false }), 'go')
    await h.ctx.sessionPersistence.settled('kept')
    expect((await h.ctx.sessionPersistence.list({}, never)).map(({ id }) => id)).toEqual(['kept'])
  })

  it('refuses an id that is taken, whoever has it, but not one that is the beginning of another', async () => {
    await using folder = await tempWorkspace()
    await using h = await harness({ model: [reply('one'), reply('two'), reply('three')], plugins: [[JsonlSessionPersistence, { root: folder.path }]] })
    const open = opener(h, folder)
    await run(await open({ start: { kind: 'new', id: 'abcd' }, isStored: true }), 'go')
    await expect(open({ start: { kind: 'new', id: 'abcd' }, isStored: true })).rejects.toMatchObject({ code: 'SESSION_EXISTS', message: 'there is a session abcd already; dsh -r abcd goes on with it' })
    await expect(open({ start: { kind: 'fork', from: 'abcd', id: 'abcd' }, isStored: true })).rejects.toMatchObject({ code: 'SESSION_EXISTS' })
    await run(await open({ start: { kind: 'new', id: 'abc' }, isStored: true }), 'go')
    await expect(open({ start: { kind: 'resume', id: 'nowhere' }, isStored: true })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
  })
})

describe('without a store', () => {
  it('begins, and says what is missing for the rest', async () => {
    await using folder = await tempWorkspace()
    await using h = await harness({ model: [reply('one')] })
    const open = opener(h, folder)
    const opened = await open()
    expect({ isStored: opened.isStored, cwd: opened.agent.session.header.cwd }).toEqual({ isStored: false, cwd: folder.path })
    expect(await run(opened, 'go')).toContain('one')
    for (const start of [{ kind: 'resume', id: 'x' }, { kind: 'fork', from: 'x' }] as const) await expect(open({ start, isStored: true })).rejects.toMatchObject({ code: 'NO_STORE' })
  })
})

/** Two modes, of which one is the default. */
const MODES: Plugin = {
  name: 'modes',
  inject: ['approval'],
  apply: (ctx: Context) => {
    for (const name of ['ask', 'auto']) ctx.approval.registerMode({ name, description: '' })
    ctx.approval.setPolicy({ defaultMode: 'ask', judge: async () => ({ verdict: 'ask', reason: '', remember: [] }), rules: async () => [] })
  },
}

describe('the permission mode', () => {
  const modesIn = ({ agent }: OpenedAgent): unknown[] => agent.session.events.flatMap(({ type, data }) => (type === 'approval/mode' ? [data.mode] : []))

  it('is that of the log, unless another is asked for', async () => {
    await using folder = await tempWorkspace()
    await using h = await harness({ model: [reply('one'), reply('two'), reply('three'), reply('four')], plugins: [ApprovalService, MODES, [JsonlSessionPersistence, { root: folder.path }]] })
    const request: RunRequest = { cwd: folder.path, agentOptions: { model: 'script' }, verbosity: 'quiet' }
    const open = async (permission: string | undefined, session: SessionRequest): Promise<unknown[]> => {
      const opened = await openAgent(h.ctx, { ...request, session, ...(permission !== undefined && { permission }) }, never)
      const said = [...modesIn(opened), h.ctx.approval.modeOf(opened.agent.session)]
      await run(opened, 'go')
      return said
    }
    const resume: SessionRequest = { start: { kind: 'resume', id: 'mine' }, isStored: true }

    expect(await open('auto', { start: { kind: 'new', id: 'mine' }, isStored: true })).toEqual(['auto', 'auto'])
    expect(await open(undefined, resume)).toEqual(['auto', 'auto'])
    expect(await open('ask', resume)).toEqual(['auto', 'ask', 'ask'])
    expect(await open('ask', { start: { kind: 'fork', from: 'mine' }, isStored: true })).toEqual(['auto', 'ask', 'ask'])
  })

  it('that nobody knows opens nothing', async () => {
    await using folder = await tempWorkspace()
    await using h = await harness({ plugins: [ApprovalService, MODES] })
    const request: RunRequest = { cwd: folder.path, agentOptions: { model: 'script' }, verbosity: 'quiet', permission: 'atuo' }
    const before = h.ctx.agents.list().length

    await expect(openAgent(h.ctx, request, never)).rejects.toMatchObject({ code: 'UNKNOWN_MODE', message: 'there is no permission mode "atuo"; did you mean auto?' })
    expect(h.ctx.agents.list()).toHaveLength(before)
  })
})
