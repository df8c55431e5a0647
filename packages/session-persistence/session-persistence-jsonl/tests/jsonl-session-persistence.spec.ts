import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRoot } from 'cordis/host'
import { afterEach, describe, expect, it } from 'vitest'
import { SessionStore, type SessionEvent } from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '../src/index.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const signal = new AbortController().signal

async function open(root?: string): Promise<{ persistence: JsonlSessionPersistence; root: string; close(): Promise<void> }> {
  const folder = root ?? (await mkdtemp(join(tmpdir(), 'dsh-jsonl-')))
  if (root === undefined) cleanups.push(() => rm(folder, { recursive: true, force: true }))
  const ctx = createRoot()
  cleanups.push(() => ctx.fiber.dispose())
  await ctx.plugin(SessionStore)
  await ctx.plugin(JsonlSessionPersistence, { root: folder, writeBehindMs: 5 })
  return { persistence: ctx.sessionPersistence as JsonlSessionPersistence, root: folder, close: () => ctx.fiber.dispose() }
}

function turn(from: number): SessionEvent[] {
  return [
    { type: 'turn/start', seq: from, time: 1000 + from, data: { turn: 1 + from / 3, trigger: { kind: 'message', source: { kind: 'user' } } } },
    { type: 'user/message', seq: from + 1, time: 1001 + from, data: { content: [{ type: 'text', text: `hello ${from}` }], source: { kind: 'user' } }, surfaceOp: 'append' },
    { type: 'turn/end', seq: from + 2, time: 1002 + from, data: { turn: 1 + from / 3, reason: { kind: 'completed' } } },
  ]
}

const header = { version: 1, id: 'one', createdAt: 1000, cwd: '/' }

describe('JsonlSessionPersistence', () => {
  it('leaves no trace of a session without events', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header, signal)
    await writer.close()
    expect(readdirSync(root)).toEqual([])
  })

  it('stores privately what it is given, and gives it back', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header, signal)
    await writer.append(turn(0))
    await writer.append(turn(3))
    await writer.sync()
    await writer.close()

    const stored = await persistence.load('one', signal)
    expect([stored.header, stored.events, stored.damage]).toEqual([header, [...turn(0), ...turn(3)], []])
    expect(await persistence.list({}, signal)).toEqual([{ id: 'one', createdAt: 1000, cwd: '/', title: 'hello 0', lastActivity: 1005, events: 6, turns: 2, inputTokens: 0, outputTokens: 0, models: [], bytes: stored.summary.bytes }])
    const [project = ''] = readdirSync(join(root, 'sessions'))
    const modes = ['', 'one.jsonl', 'one.meta.json'].map(name => (statSync(join(root, 'sessions', project, name)).mode & 0o777).toString(8))
    expect(modes).toEqual(['700', '600', '600'])
  })

  it('keeps aside what stands behind a hole, and says where', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header, signal)
    await writer.append([...turn(0), ...turn(3)])
    await writer.close()
    const [project = ''] = readdirSync(join(root, 'sessions'))
    const path = join(root, 'sessions', project, 'one.jsonl')
    const lines = readFileSync(path, 'utf8').split('\n')
    writeFileSync(path, [...lines.slice(0, 3), '\0'.repeat(300), ...lines.slice(4)].join('\n'))

    const { stored, writer: next } = await persistence.open('one', signal)
    await next.close()

    const keptAside = join(root, 'sessions', project, 'one.damaged-1.jsonl')
    expect(stored.damage).toEqual([{ kind: 'hole', message: 'line 4 cannot be read; the 3 records after it cannot be used', seq: 2, keptAside }])
    expect(readFileSync(keptAside, 'utf8')).toBe(['\0'.repeat(300), ...lines.slice(4)].join('\n'))
    expect((await persistence.load('one', signal)).damage).toEqual([])
  })

  it('lets one writer in at a time', async () => {
    const { persistence, root } = await open()
    const other = await open(root)
    const writer = await persistence.create(header, signal)
    await writer.append(turn(0))
    await expect(persistence.open('one', signal)).rejects.toMatchObject({ code: 'SESSION_IN_USE' })
    await expect(other.persistence.open('one', signal)).rejects.toMatchObject({ code: 'SESSION_IN_USE', holder: { pid: process.pid } })
    expect((await other.persistence.list({}, signal))[0]?.inUseBy?.pid).toBe(process.pid)
    await writer.close()
    const { writer: second } = await other.persistence.open('one', signal)
    await second.close()
  })

  it('writes nothing over what somebody else wrote', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header, signal)
    await writer.append(turn(0))
    const [project = ''] = readdirSync(join(root, 'sessions'))
    const path = join(root, 'sessions', project, 'one.jsonl')
    const intruded = `${readFileSync(path, 'utf8')}{"intruder":true}\n`
    writeFileSync(path, intruded)
    await expect(writer.append(turn(3))).rejects.toMatchObject({ code: 'SESSION_CHANGED' })
    expect(readFileSync(path, 'utf8')).toBe(intruded)
    await writer.close()
  })

  it('knows no session by a name that could be a path', async () => {
    const { persistence, root } = await open()
    for (const id of ['../x', '/etc/passwd', '..%2fx', 'a\0b', 'x'.repeat(5000), '', '.', '-rf', 'a/b']) {
      await expect(persistence.open(id, signal)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
      await expect(persistence.find(id, signal)).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    }
    expect(readdirSync(root)).toEqual([])
  })
})
