import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { tempWorkspace, type Workspace } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import { openStore, sessionsCommand, type SessionsCall } from '../src/index.ts'
import { planOf, rowOf, storeSession, toolsIn } from './store.ts'

interface Outcome {
  code: number
  stdout: string
  stderr: string
}

async function run(folder: Workspace, call: SessionsCall, options: Parameters<typeof toolsIn>[1] = {}): Promise<Outcome> {
  const { tools, stdout, stderr } = toolsIn(folder, options)
  const code = await sessionsCommand(call, tools)
  return { code, stdout: stdout(), stderr: stderr() }
}

describe('dsh sessions', () => {
  it('lists as a table, or as summaries', async () => {
    await using folder = await tempWorkspace()
    expect(await run(folder, { verb: 'list', all: true })).toEqual({ code: 0, stdout: '', stderr: 'dsh: no session is stored yet\n' })
    expect(await run(folder, { verb: 'list', all: true }, { json: true })).toEqual({ code: 0, stdout: '[]\n', stderr: '' })
    await storeSession(folder, '000000001-00000001', { said: 'one\u001b[2J', time: Date.now() - 3 * 86_400_000 })
    await storeSession(folder, '000000001-00000002', { said: 'two', time: Date.now() - 5 * 60_000, cwd: '/elsewhere' })
    await storeSession(folder, '000000003-00000003', { said: 'three' })

    expect((await run(folder, { verb: 'list', all: true })).stdout.replace(/\d+ B /g, '### B ')).toBe(
      `ID                  AGE    TURNS  SIZE   COST  MODEL  STATE  TITLE\n000000003           now    1      ### B  -     -      -      three  (${folder.path})\n000000001-00000002  5 min  1      ### B  -     -      -      two  (/elsewhere)\n000000001-00000001  3 d    1      ### B  -     -      -      one  (${folder.path})\n`)
    const { stdout } = await run(folder, { verb: 'list', all: false }, { json: true })
    expect(JSON.parse(stdout)).toMatchObject([{ id: '000000003-00000003', title: 'three', turns: 1, events: 3, cwd: folder.path }, { id: '000000001-00000001' }])
  })

  it('renames in the log, and finds by words', async () => {
    await using folder = await tempWorkspace()
    await storeSession(folder, 'abc', { said: 'the quick fox' })
    expect(await run(folder, { verb: 'rename', id: 'ab', title: 'Fox' })).toEqual({ code: 0, stdout: '', stderr: 'dsh: abc is now called Fox\n' })
    await using store = await openStore(toolsIn(folder).tools)
    expect((await store.persistence.load('abc', new AbortController().signal)).events.at(-1)).toMatchObject({ type: 'session/title', seq: 3, data: { title: 'Fox', source: { kind: 'user' } } })
    expect(await run(folder, { verb: 'search', query: 'quick', all: false })).toEqual({ code: 0, stdout: 'abc@1  now  Fox\n    the quick fox\n', stderr: '' })
    expect(JSON.parse((await run(folder, { verb: 'search', query: 'quick', all: true }, { json: true })).stdout)).toMatchObject([{ seq: 1, summary: { id: 'abc' } }])
    expect(await run(folder, { verb: 'search', query: 'slow', all: false })).toEqual({ code: 1, stdout: '', stderr: 'dsh: no session of this directory contains "slow"; --all looks in those of other directories\n' })
  })

  it('deletes when it is forced or told to, all or none of what cannot be found', async () => {
    await using folder = await tempWorkspace()
    for (const id of ['aaa', 'bbb', 'ccc']) await storeSession(folder, id)
    const left = async (): Promise<string[]> => (JSON.parse((await run(folder, { verb: 'list', all: true }, { json: true })).stdout) as { id: string }[]).map(({ id }) => id).sort()

    await expect(run(folder, { verb: 'delete', ids: ['aaa'], force: false })).rejects.toMatchObject({ code: 'USAGE' })
    await expect(run(folder, { verb: 'delete', ids: ['aaa', 'zzz'], force: true })).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    const declined = await run(folder, { verb: 'delete', ids: ['aaa'], force: false }, { input: 'n\n' })
    expect({ ...declined, stderr: declined.stderr.split('\n')[0] }).toEqual({ code: 1, stdout: '', stderr: '  aaa  hello' })
    expect(await left()).toEqual(['aaa', 'bbb', 'ccc'])
    expect((await run(folder, { verb: 'delete', ids: ['aaa'], force: false }, { input: 'yes\n' })).stdout).toBe('deleted aaa\n')
    expect(await run(folder, { verb: 'delete', ids: ['bb', 'bbb'], force: true })).toEqual({ code: 0, stdout: 'deleted bbb\n', stderr: '' })
    expect(await left()).toEqual(['ccc'])
  })

  it('goes on with the others when one cannot be deleted', async () => {
    await using folder = await tempWorkspace()
    for (const id of ['aaa', 'bbb']) await storeSession(folder, id)
    await using holder = await openStore(toolsIn(folder).tools)
    const { writer } = await holder.persistence.open('aaa', new AbortController().signal)
    const outcome = await run(folder, { verb: 'delete', ids: ['aaa', 'bbb'], force: true })
    expect({ code: outcome.code, stdout: outcome.stdout }).toEqual({ code: 4, stdout: 'deleted bbb\n' })
    expect(outcome.stderr).toContain('dsh --fork aaa goes on in a copy, dsh sessions show aaa reads it\n')
    await writer.close()
  })

  it('repairs, and says what is sound', async () => {
    await using folder = await tempWorkspace()
    await storeSession(folder, 'abc')
    expect(await run(folder, { verb: 'repair', ids: ['abc'] })).toEqual({ code: 0, stdout: 'abc is sound (3 events)\n', stderr: '' })
  })

  it('checks all sessions when none is named, and mends what is not sound', async () => {
    await using folder = await tempWorkspace()
    for (const id of ['aaa', 'bbb', 'ccc']) await storeSession(folder, id)
    const [project = ''] = readdirSync(folder.resolve('sessions'))
    const log = folder.resolve(join('sessions', project, 'bbb.jsonl'))
    writeFileSync(log, readFileSync(log, 'utf8').replace('"seq":2', '"seq":7'))
    const keptAside = folder.resolve(join('sessions', project, 'bbb.damaged-1.jsonl'))
    const message = 'line 4 holds event 7 where 2 belongs'
    expect(await run(folder, { verb: 'repair', ids: [] })).toEqual({ code: 0, stdout: `bbb has 2 usable events now\n  ${message}\n  kept aside: ${keptAside}\n3 sessions checked, 1 repaired\n`, stderr: '' })
    const told = toolsIn(folder, { json: true })
    expect([await sessionsCommand({ verb: 'repair', ids: [] }, told.tools), JSON.parse(told.stdout())]).toEqual([0, { store: [], sessions: [], checked: 3, failures: [] }])
  })

  it('says which session is in use when it cannot be renamed', async () => {
    await using folder = await tempWorkspace()
    await storeSession(folder, 'aaa')
    await using holder = await openStore(toolsIn(folder).tools)
    const { writer } = await holder.persistence.open('aaa', new AbortController().signal)
    const { code, stderr } = await run(folder, { verb: 'rename', id: 'aaa', title: 'other' })
    expect([code, stderr]).toEqual([4, expect.stringContaining('dsh --fork aaa goes on in a copy, dsh sessions show aaa reads it\n')])
    await writer.close()
  })

  it('exports by the extension of the file, for its owner only', async () => {
    await using folder = await tempWorkspace({ 'old.html': 'old' })
    await storeSession(folder, 'abc', { said: 'use sk-0123456789abcdef' })
    expect(await run(folder, { verb: 'export', id: 'abc', output: 'old.html' })).toEqual({ code: 0, stdout: '', stderr: `dsh: wrote ${folder.resolve('old.html')}\n` })
    expect(await folder.read('old.html')).toMatch(/^<!doctype html>[\s\S]*use \[redacted\]/)
    expect(statSync(folder.resolve('old.html')).mode & 0o777).toBe(0o600)
    expect((await run(folder, { verb: 'export', id: 'abc', output: 'x.json' })).code).toBe(0)
    expect(JSON.parse(await folder.read('x.json'))).toMatchObject({ format: 'dsh-session', header: { id: 'abc' } })
    expect((await run(folder, { verb: 'export', id: 'abc' })).stdout).toMatch(/^# use/)
    await expect(run(folder, { verb: 'export', id: 'abc', output: 'none/x.md' })).rejects.toMatchObject({ code: 'USAGE', message: expect.stringContaining('none/x.md cannot be written') as string })
    expect((await run(folder, { verb: 'show', id: 'abc' })).stdout).toContain('> use sk-0123456789abcdef')
    expect(JSON.parse((await run(folder, { verb: 'show', id: 'abc' }, { json: true })).stdout)).toMatchObject({ header: { id: 'abc' } })
  })
})

describe('the store of a composition', () => {
  it('is whatever row provides one, built in or not, and nothing else is started', async () => {
    await using folder = await tempWorkspace({
      'by-provide.ts': `export const provide = 'sessionPersistence'\nexport function apply(ctx) { ctx.provide('sessionPersistence', { find: async () => 'provided' }) }\n`,
      'by-name.ts': `export function apply(ctx) { ctx.provide('sessionPersistence', { find: async () => 'named' }) }\n`,
      'loud.ts': `export const name = 'loud'\nexport function apply() { throw new Error('must not be started') }\n`,
    })
    const { tools } = toolsIn(folder)
    const loud = rowOf('loud', folder.resolve('loud.ts'))
    for (const [id, file, found] of [['mine', 'by-provide.ts', 'provided'], ['session-persistence-mine', 'by-name.ts', 'named']] as const) {
      await using store = await openStore({ ...tools, plan: planOf(loud, rowOf(id, folder.resolve(file))) })
      expect(await store.persistence.find('a', tools.signal)).toBe(found)
    }
    await expect(openStore({ ...tools, plan: planOf(loud) })).rejects.toMatchObject({ code: 'NO_STORE' })
  })

  it('is missed where there is none', async () => {
    await using folder = await tempWorkspace()
    const { tools } = toolsIn(folder)
    const [row] = tools.plan.rows
    if (!row) throw new Error('no row')
    for (const rows of [[], [{ ...row, disabled: true }]]) await expect(openStore({ ...tools, plan: planOf(...rows) })).rejects.toMatchObject({ code: 'NO_STORE' })
  })
})
