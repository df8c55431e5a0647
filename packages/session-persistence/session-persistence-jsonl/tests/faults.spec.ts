import { spawnSync } from 'node:child_process'
import fs, { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRoot } from 'cordis/host'
import { afterEach, describe, expect, it } from 'vitest'
import { SessionStore, type SessionEvent } from '@deepseek-ai/dsh-session'
import type { SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import { JsonlSessionPersistence } from '../src/index.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const signal = new AbortController().signal
const header = { version: 1, id: 'one', createdAt: 1000, cwd: '/' }

/** What a summary beside a log holds, as far as it is altered here. */
type Meta = Record<'header' | 'totals', object>

async function open(): Promise<{ persistence: SessionPersistence; root: string }> {
  const root = mkdtempSync(join(tmpdir(), 'dsh-faults-'))
  cleanups.push(() => rmSync(root, { recursive: true, force: true }))
  const ctx = createRoot()
  cleanups.push(() => ctx.fiber.dispose())
  await ctx.plugin(SessionStore)
  await ctx.plugin(JsonlSessionPersistence, { root, writeBehindMs: 5 })
  return { persistence: ctx.sessionPersistence, root }
}

/** A session of `turns` turns in a store of its own, closed; with the path of its log. */
async function stored(turns: number, id = 'one'): Promise<{ persistence: SessionPersistence; root: string; log: string; events: SessionEvent[] }> {
  const { persistence, root } = await open()
  const events = Array.from({ length: turns }, (_, i) => turn(3 * i)).flat()
  await add(persistence, id, events)
  return { persistence, root, log: join(folderOf(root), `${id}.jsonl`), events }
}

async function add(persistence: SessionPersistence, id: string, events: SessionEvent[]): Promise<void> {
  const writer = await persistence.create({ ...header, id }, signal)
  await writer.append(events)
  await writer.close()
}

function folderOf(root: string): string {
  return join(root, 'sessions', readdirSync(join(root, 'sessions'))[0] ?? '')
}

function turn(from: number, text = `hällo ${from} 😀`): SessionEvent[] {
  return [
    { type: 'turn/start', seq: from, time: 1000 + from, data: { turn: 1 + from / 3, trigger: { kind: 'message', source: { kind: 'user' } } } },
    { type: 'user/message', seq: from + 1, time: 1001 + from, data: { content: [{ type: 'text', text }], source: { kind: 'user' } }, surfaceOp: 'append' },
    { type: 'turn/end', seq: from + 2, time: 1002 + from, data: { turn: 1 + from / 3, reason: { kind: 'completed' } } },
  ]
}

/** Has the operating system fail the writes of this process, after `bytes` of the first one. */
function failWrites(code: string, bytes: number): () => void {
  const real = fs.writeSync
  fs.writeSync = ((...[fd, buffer, offset, , position]: [number, Uint8Array, number, number, number]): number => {
    real(fd, buffer, offset, bytes, position)
    throw Object.assign(new Error(`${code}: it fails, write`), { code })
  }) as unknown as typeof fs.writeSync
  syncBuiltinESMExports()
  return () => {
    fs.writeSync = real
    syncBuiltinESMExports()
  }
}

/** Has this process use another function of the file system; the result puts the real one back. */
function replaceInFs(name: 'ftruncateSync' | 'linkSync', replacement: () => never): () => void {
  const real = fs[name]
  Object.assign(fs, { [name]: replacement })
  syncBuiltinESMExports()
  return () => {
    Object.assign(fs, { [name]: real })
    syncBuiltinESMExports()
  }
}

function failing(code: string): () => never {
  return () => {
    throw Object.assign(new Error(`${code}: it fails`), { code })
  }
}

describe('a log of lines', () => {
  it('loads up to where it was torn, at every byte of the last three records, and goes on from there', async () => {
    const { persistence, log, events } = await stored(2)
    const whole = readFileSync(log)
    const starts = [...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1)
    const outcomes: unknown[] = []
    const expected: unknown[] = []
    for (let length = starts.at(-4) ?? 0; length < whole.length; length++) {
      writeFileSync(log, whole.subarray(0, length))
      const { writer, stored: found } = await persistence.open('one', signal)
      await writer.append(events.slice(writer.next))
      await writer.close()
      rmSync(log.replace('.jsonl', '.damaged-1.jsonl'), { force: true })
      outcomes.push([found.events.length, found.damage.map(({ kind }) => kind), readFileSync(log).equals(whole)])
      expected.push([starts.filter(start => start <= length).length - 1, starts.includes(length) ? [] : ['torn-tail'], true])
    }
    expect(outcomes).toEqual(expected)
  })

  it.each(['EIO', 'ENOSPC', 'EDQUOT', 'EACCES'])('is as it was when a write fails with %s half-way, and the next one works', async code => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header, signal)
    await writer.append(turn(0))
    const log = join(folderOf(root), 'one.jsonl')
    const before = readFileSync(log, 'utf8')
    const restore = failWrites(code, 40)
    const failed = await writer.append(turn(3)).catch((error: unknown) => error)
    restore()
    expect(failed).toMatchObject({ code: ['ENOSPC', 'EDQUOT'].includes(code) ? 'STORE_FULL' : 'STORE_FAILED', cause: { code } })
    expect([readFileSync(log, 'utf8'), writer.next]).toEqual([before, 3])
    await writer.append(turn(3))
    await writer.close()
    expect((await persistence.load('one', signal)).events).toEqual([...turn(0), ...turn(3)])
  })

  it('takes back what a failed write left before the next one, when it could not at once', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header, signal)
    await writer.append(turn(0))
    const truncate = replaceInFs('ftruncateSync', failing('EIO'))
    const restore = failWrites('EIO', 40)
    const failed = await writer.append(turn(3)).catch((error: unknown) => error)
    restore()
    truncate()
    expect([failed, readFileSync(join(folderOf(root), 'one.jsonl'), 'utf8').endsWith('\n')]).toEqual([expect.objectContaining({ code: 'STORE_FAILED' }), false])
    await writer.append(turn(3))
    await writer.close()
    expect((await persistence.load('one', signal)).damage).toEqual([])
    expect((await persistence.load('one', signal)).events).toEqual([...turn(0), ...turn(3)])
  })

  it('is begun, and only once, where the file system knows no hard links', async () => {
    const { persistence, root } = await open()
    const restore = replaceInFs('linkSync', failing('ENOTSUP'))
    await add(persistence, 'one', turn(0)).finally(restore)
    expect([readdirSync(folderOf(root)).sort(), (await persistence.load('one', signal)).events]).toEqual([['one.jsonl', 'one.meta.json'], turn(0)])
    expect((statSync(join(folderOf(root), 'one.jsonl')).mode & 0o777).toString(8)).toBe('600')
  })

  it('is listed without being read when its writer was killed between turns', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header, signal)
    await writer.append(turn(0))
    await writer.append(turn(3))
    const { size, totals } = JSON.parse(readFileSync(join(folderOf(root), 'one.meta.json'), 'utf8')) as { size: number; totals: { events: number } }
    expect([size, totals.events]).toEqual([statSync(join(folderOf(root), 'one.jsonl')).size, 6])
    await writer.close()
  })

  it.each<[string, (meta: Meta) => unknown]>([
    ['null', () => null],
    ['without a header', ({ header: _, ...meta }) => meta],
    ['of half a header', meta => ({ ...meta, header: { version: 1 } })],
    ["of another session's header", meta => ({ ...meta, header: { ...meta.header, id: 'other' } })],
    ['of another kind of totals', meta => ({ ...meta, totals: { ...meta.totals, cost: {} } })],
    ['of damage that is no list', meta => ({ ...meta, damage: 5 })],
    ['of damage that says nothing', meta => ({ ...meta, damage: [null] })],
  ])('makes the summary anew where the one beside the log is %s', async (_, altered) => {
    const { persistence, root } = await open()
    await add(persistence, 'one', turn(0))
    const before = await persistence.list({}, signal)
    const path = join(folderOf(root), 'one.meta.json')
    writeFileSync(path, JSON.stringify(altered(JSON.parse(readFileSync(path, 'utf8')) as Meta)))
    expect(await persistence.list({}, signal)).toEqual(before)
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ header: { id: 'one' } })
  })

  it('is not there at all when its first write fails, and can be begun again', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header, signal)
    const restore = failWrites('ENOSPC', 10)
    await expect(writer.append(turn(0)).finally(restore)).rejects.toMatchObject({ code: 'STORE_FULL' })
    expect(readdirSync(folderOf(root))).toEqual([])
    await writer.append(turn(0))
    await writer.close()
    expect((await persistence.load('one', signal)).events).toEqual(turn(0))
  })

  it.each([
    ['half a record and a line feed', '{"type":"turn/st\n'],
    ['half a record and a blank line', '{"type":"turn/st\n\n'],
    ['a blank line', '\n'],
    ['zeros', '\0'.repeat(300)],
    ['an empty object', '{}\n'],
    ['JSON of another shape', '[1,2]\n"text"\nnull\n'],
    ['bytes that are no text', '\xff\xff\n'],
    ['a packed run that does not add up', '{"type":"assistant/chunk","seq":3,"time":1,"n":3,"data":{"turn":1,"step":1,"chunk":{"type":"text-delta","index":0}},"text":"abc","cuts":"12"}\n'],
  ])('keeps all before %s at its end, aside what that was, and both before and after in what comes next', async (_what, tail) => {
    const { persistence, log, events } = await stored(1)
    fs.appendFileSync(log, tail, 'latin1')
    const { writer, stored: found } = await persistence.open('one', signal)
    await writer.append(turn(3))
    await writer.close()
    const after = await persistence.load('one', signal)
    expect([found.events, found.damage.length, after.events, after.damage]).toEqual([events, 1, [...events, ...turn(3)], []])
    expect(readFileSync(found.damage[0]?.keptAside ?? '', 'latin1')).toBe(tail)
  })

  it('has a hole where bytes are no UTF-8: nothing that was altered passes for what was said', async () => {
    const { persistence, log, events } = await stored(2)
    const bytes = readFileSync(log)
    bytes[bytes.lastIndexOf('ä') + 1] = 0xff
    writeFileSync(log, bytes)
    const found = await persistence.load('one', signal)
    expect([found.events, found.damage.map(({ kind, seq }) => [kind, seq])]).toEqual([events.slice(0, 4), [['hole', 4]]])
  })

  // Windows has no named pipes among its files.
  it.skipIf(process.platform === 'win32')('is told from a pipe of its name, which keeps nobody waiting', async () => {
    const { persistence, root } = await stored(1)
    spawnSync('mkfifo', [join(folderOf(root), 'pipe.jsonl')])
    expect((await persistence.list({}, signal)).toSorted((a, b) => (a.id < b.id ? -1 : 1)).map(({ id, damage }) => [id, damage?.[0]?.kind])).toEqual([['one', undefined], ['pipe', 'unreadable']])
  })

  it('is private again as soon as it is opened for writing', async () => {
    const { persistence, log } = await stored(1)
    chmodSync(log, 0o666)
    await (await persistence.open('one', signal)).writer.close()
    expect((statSync(log).mode & 0o777).toString(8)).toBe('600')
  })

  it.each([['empty', ''], ['cut in its header', '{"type":"session","ver'], ['of another kind', '{"hello":1}\n'], ['about a directory that is none', '{"type":"session","version":1,"id":"one","createdAt":1,"cwd":5}\n'], ['of zeros', '\0'.repeat(500)], ['under another name', '{"type":"session","version":1,"id":"two","createdAt":1}\n']])('is left as it is when it is %s, and says so', async (_what, content) => {
    const { persistence, log } = await stored(1)
    writeFileSync(log, content)
    await expect(persistence.open('one', signal)).rejects.toMatchObject({ code: 'SESSION_DAMAGED' })
    expect([readFileSync(log, 'utf8'), (await persistence.list({}, signal)).map(({ id, damage }) => [id, damage?.[0]?.kind])]).toEqual([content, [['one', 'header']]])
  })

  it.each([
    { type: 'turn/start', data: { turn: 'two' }, field: 'turn' },
    { type: 'turn/end', data: { turn: 2 }, field: 'reason' },
    { type: 'user/message', data: {}, field: 'content' },
    { type: 'assistant/message', data: { turn: 1, step: 1, content: [{ type: 'text' }], finish: { kind: 'stop' }, model: 'm' }, field: 'content' },
    { type: 'assistant/chunk', data: { turn: 1, step: 1 }, field: 'chunk' },
    { type: 'assistant/chunk', data: { turn: 1, step: 1, chunk: { type: 'block-end', index: 0 } }, field: 'chunk' },
    { type: 'inbox/claimed', data: { turn: 1 }, field: 'ids' },
    { type: 'derivation/repaired', data: { turn: 1, step: 1 }, field: 'repairs' },
    { type: 'session/title', data: { title: null }, field: 'title' },
  ])('takes a line of type $type whose $field is not one for a hole, and lists the others', async ({ type, data: misshapen, field }) => {
    const { persistence, log } = await stored(1)
    await add(persistence, 'other', turn(0))
    appendFileSync(log, `${JSON.stringify({ type, seq: 3, time: 1003, data: misshapen })}\n${JSON.stringify({ type: 'plugin/own', seq: 4, time: 1004, data: {} })}\n`)
    const { events, damage } = await persistence.load('one', signal)
    expect([events, damage.map(({ kind, seq }) => [kind, seq]), damage[0]?.message]).toEqual([turn(0), [['hole', 3]], expect.stringContaining(`line 5 is no ${type}: its ${field} is missing`)])
    expect((await persistence.list({}, signal)).map(({ id }) => id).sort()).toEqual(['one', 'other'])
    const { writer } = await persistence.open('one', signal)
    await writer.append(turn(3))
    await writer.close()
    expect((await persistence.load('one', signal)).events).toEqual([...turn(0), ...turn(3)])
  })

  it('is not written to by a holder whose lock was taken over, and is by one whose lock was only removed', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header, signal)
    await writer.append(turn(0))
    const lock = join(folderOf(root), 'one.lock')
    const lease = JSON.parse(readFileSync(lock, 'utf8')) as object
    rmSync(lock)
    await writer.append(turn(3))
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toEqual(lease)
    writeFileSync(lock, JSON.stringify({ ...lease, pid: 4_000_000, nonce: 'another' }))
    await expect(writer.append(turn(6))).rejects.toMatchObject({ code: 'SESSION_CHANGED', message: expect.stringContaining('process 4000000') as string })
    await writer.close()
    expect([JSON.parse(readFileSync(lock, 'utf8')), (await persistence.load('one', signal)).events.length]).toEqual([{ ...lease, pid: 4_000_000, nonce: 'another' }, 6])
  })

  it('never hides the others: three broken among fifty are listed with what is wrong', async () => {
    const { persistence, root } = await open()
    for (let n = 0; n < 50; n++) await add(persistence, `s${n}`, turn(0))
    const folder = folderOf(root)
    writeFileSync(join(folder, 's7.jsonl'), '')
    writeFileSync(join(folder, 's8.jsonl'), readFileSync(join(folder, 's8.jsonl'), 'utf8').replace('"version":1', '"version":7'))
    fs.appendFileSync(join(folder, 's9.jsonl'), '{"type":"turn/st')
    fs.mkdirSync(join(folder, 'not-a-file.jsonl'))
    const list = await persistence.list({}, signal)
    expect([list.length, list.filter(({ damage }) => damage).map(({ id, damage }) => `${id} ${damage?.[0]?.kind}`).sort()]).toEqual([51, ['not-a-file unreadable', 's7 header', 's8 version', 's9 torn-tail']])
    expect(await persistence.search('hällo 0', {}, signal)).toHaveLength(48)
  })

  // Only root may become somebody else.
  it.runIf(process.getuid?.() === 0)('that belongs to somebody else is listed as unreadable, and refused with the reason', async () => {
    const { persistence, root } = await stored(1)
    await add(persistence, 'two', turn(0))
    for (const folder of [root, join(root, 'sessions'), folderOf(root)]) fs.chmodSync(folder, 0o755)
    fs.chmodSync(join(folderOf(root), 'two.jsonl'), 0o644)
    const { stdout, stderr } = spawnSync(process.execPath, [join(import.meta.dirname, 'as-nobody.ts'), root], { encoding: 'utf8' })
    expect({ stderr, ...(JSON.parse(stdout || '{}') as object) }).toEqual({ stderr: '', list: [['one', 'unreadable'], ['two', null]], load: 'STORE_FAILED', open: 'STORE_FAILED', append: 'STORE_FAILED' })
  })

  // Only root may become somebody else.
  it.runIf(process.getuid?.() === 0)('in a folder that may not be read does not pass for no session', async () => {
    const { root } = await stored(1)
    fs.chmodSync(root, 0o755)
    fs.chmodSync(join(root, 'sessions'), 0o700)
    const { stdout } = spawnSync(process.execPath, [join(import.meta.dirname, 'as-nobody.ts'), root], { encoding: 'utf8' })
    expect(JSON.parse(stdout)).toEqual({ list: 'STORE_FAILED', load: 'STORE_FAILED', open: 'STORE_FAILED', append: 'STORE_FAILED' })
  })
})
