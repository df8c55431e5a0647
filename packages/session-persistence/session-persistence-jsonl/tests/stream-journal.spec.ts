import fs, { appendFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRoot } from 'cordis/host'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { SessionStore, type SessionEvent } from '@deepseek-ai/dsh-session'
import type { SessionPersistence, SessionWriter } from '@deepseek-ai/dsh-session-persistence'
import { JsonlSessionPersistence } from '../src/index.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const signal = new AbortController().signal
const header = { version: 1, id: 'one', createdAt: 1000, cwd: '/' }

async function open(): Promise<{ persistence: SessionPersistence; root: string }> {
  const root = mkdtempSync(join(tmpdir(), 'dsh-journal-'))
  cleanups.push(() => rmSync(root, { recursive: true, force: true }))
  return { persistence: await another(root), root }
}

/** One more instance over `root`, as another process would have. */
async function another(root: string): Promise<SessionPersistence> {
  const ctx = createRoot()
  cleanups.push(() => ctx.fiber.dispose())
  await ctx.plugin(SessionStore)
  await ctx.plugin(JsonlSessionPersistence, { root, writeBehindMs: 5 })
  return ctx.sessionPersistence
}

interface Streaming {
  persistence: SessionPersistence
  root: string
  writer: SessionWriter
  /** All that was appended. */
  events: SessionEvent[]
  log: string
  journal: string
}

/** A session in the middle of an answer: the begin of the step is in its log, `pieces` appends are in its journal. */
async function streaming(pieces = 4): Promise<Streaming> {
  const { persistence, root } = await open()
  const writer = await persistence.create(header, signal)
  const events: SessionEvent[] = [{ type: 'step/start', seq: 0, time: 1000, data: { turn: 1, step: 1 } }]
  await writer.append(events)
  for (let n = 0; n < pieces; n++) {
    const some = deltas(events.length, 1 + (n % 3))
    await writer.append(some)
    events.push(...some)
  }
  return { persistence, root, writer, events, ...pathsOf(root) }
}

function pathsOf(root: string): { log: string; journal: string } {
  const log = join(root, 'sessions', readdirSync(join(root, 'sessions'))[0] ?? '', 'one.jsonl')
  return { log, journal: log.replace('.jsonl', '.stream.jsonl') }
}

function deltas(from: number, count: number, index = 0): SessionEvent[] {
  return Array.from({ length: count }, (_, i) => ({ type: 'assistant/chunk', seq: from + i, time: 1000 + 7 * (from + i), data: { turn: 1, step: 1, chunk: { type: 'text-delta', index, text: `ü${from + i}\u2028` } } }))
}

function end(seq: number): SessionEvent {
  return { type: 'step/end', seq, time: 9000, data: { turn: 1, step: 1 } }
}

/** The files of the session as a killed writer leaves them, in a store of their own. */
async function asKilled(root: string, files: Record<string, string | Buffer>): Promise<{ persistence: SessionPersistence; log: string; journal: string }> {
  const { log } = pathsOf(root)
  const copy = mkdtempSync(join(tmpdir(), 'dsh-killed-'))
  cleanups.push(() => rmSync(copy, { recursive: true, force: true }))
  const folder = join(copy, 'sessions', log.split('/').at(-2) ?? '')
  fs.mkdirSync(folder, { recursive: true })
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
  return { persistence: await another(copy), ...pathsOf(copy) }
}

/** What the session comes to when it is opened, goes on with `more`, and is closed. */
async function goOn(persistence: SessionPersistence, more: (next: number) => SessionEvent[]): Promise<{ found: readonly SessionEvent[]; damage: string[]; after: readonly SessionEvent[] }> {
  const { writer, stored } = await persistence.open('one', signal)
  expect(writer.next).toBe(stored.events.length)
  await writer.append(more(writer.next))
  await writer.close()
  const { events, damage } = await persistence.load('one', signal)
  expect(damage).toEqual([])
  return { found: stored.events, damage: stored.damage.map(({ kind }) => kind), after: events }
}

/** Has one function of the file system fail, a write after `written` bytes; the result puts the real one back. */
function failing(name: 'writeSync' | 'ftruncateSync', code: string, written = 0): () => void {
  const real = fs[name] as (...args: unknown[]) => number
  const replacement = (...[fd, buffer, offset, , position]: unknown[]): never => {
    if (name === 'writeSync' && written > 0) real(fd, buffer, offset, Math.min(written, (buffer as Buffer).length), position)
    throw Object.assign(new Error(`${code}: it fails`), { code })
  }
  Object.assign(fs, { [name]: replacement })
  syncBuiltinESMExports()
  return () => {
    Object.assign(fs, { [name]: real })
    syncBuiltinESMExports()
  }
}

const failed = (work: Promise<unknown>): Promise<unknown> => work.then(() => 'done', (error: { code?: string }) => error.code)

describe('the journal of a stream in flight', () => {
  it('holds what is too little for a line of the log, privately, and everybody who reads sees it', async () => {
    const { persistence, writer, events, log, journal } = await streaming()
    expect(readFileSync(log, 'utf8').trim().split('\n')).toHaveLength(2)
    expect(readFileSync(journal, 'utf8').trim().split('\n').map(line => JSON.parse(line) as unknown)).toEqual([
      { type: 'assistant/chunk', seq: 1, time: 1007, data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0 } } },
      [1, 1, 'ü1\u2028', '3', '0'],
      [2, 2, 'ü2\u2028ü3\u2028', '33', '77'],
      [4, 3, 'ü4\u2028ü5\u2028ü6\u2028', '333', '777'],
      [7, 1, 'ü7\u2028', '3', '7'],
    ])
    expect((statSync(journal).mode & 0o777).toString(8)).toBe('600')
    const stored = await persistence.load('one', signal)
    const [listed] = await persistence.list({}, signal)
    const bytes = statSync(log).size + statSync(journal).size
    expect([stored.events, stored.damage, stored.summary.bytes, await persistence.readRange('one', { from: 3, to: 6 }, signal)]).toEqual([events, [], bytes, events.slice(3, 7)])
    expect([listed?.events, listed?.bytes, listed?.lastActivity]).toEqual([events.length, bytes, events.at(-1)?.time])
    await writer.close()
    expect([readFileSync(log, 'utf8').trim().split('\n').length, existsSync(journal), (await persistence.load('one', signal)).events]).toEqual([3, false, events])
  })

  it('is moved into the log by whatever ends the run, by a checkpoint, and when there is enough of it', async () => {
    const { persistence, writer, events, log, journal } = await streaming()
    const add = async (more: SessionEvent[]): Promise<unknown> => {
      await writer.append(more)
      events.push(...more)
      return [readFileSync(log, 'utf8').trim().split('\n').length, statSync(journal).size > 0]
    }
    expect(await add([end(events.length)])).toEqual([4, false])
    expect(await add(deltas(events.length, 2))).toEqual([4, true])
    expect(await add(deltas(events.length, 1, 1))).toEqual([6, false])
    expect(await add(deltas(events.length, 2, 1))).toEqual([6, true])
    await writer.sync()
    expect([readFileSync(log, 'utf8').trim().split('\n').length, statSync(journal).size]).toEqual([7, 0])
    let moves = 0
    for (let n = 0; n < 1000; n++) if ((await add(deltas(events.length, 1)) as [number, boolean])[1] === false) moves++
    expect([moves > 2, moves < 8]).toEqual([true, true])
    expect(await add(deltas(events.length, 2000))).toEqual([8 + moves, false])
    expect((await persistence.load('one', signal)).events).toEqual(events)
    await writer.close()
  })

  it('is not touched by what is enough for the log by itself', async () => {
    const { writer, journal } = await streaming(0)
    await writer.append(deltas(1, 4096))
    expect(existsSync(journal)).toBe(false)
    await writer.close()
  })

  it('loses nothing but a line that was cut, at every byte of its lines, and goes on from there', async () => {
    const { root, writer, events, log, journal } = await streaming()
    const whole = readFileSync(journal)
    const files = { 'one.jsonl': readFileSync(log) }
    await writer.close()
    const starts = [0, ...[...whole.entries()].filter(([, byte]) => byte === 0x0a).map(([at]) => at + 1)]
    // Behind the frame and each piece: how many events are there.
    const counts = [1, 1, 2, 4, 7, 8]
    const outcomes: unknown[] = []
    const expected: unknown[] = []
    for (let length = 0; length <= whole.length; length++) {
      const { persistence } = await asKilled(root, { ...files, 'one.stream.jsonl': whole.subarray(0, length) })
      const known = counts[starts.filter(start => start <= length).length - 1] ?? 0
      const loaded = await persistence.load('one', signal)
      const { found, damage, after } = await goOn(persistence, next => [...events.slice(next), end(events.length)])
      outcomes.push([loaded.events, loaded.damage, found, damage, after])
      expected.push([events.slice(0, known), [], events.slice(0, known), [], [...events, end(events.length)]])
      await cleanups.pop()?.()
      await cleanups.pop()?.()
    }
    expect(outcomes).toEqual(expected)
  }, 60_000)

  it('is left when the move into the log is cut, at every byte of the line', async () => {
    const { root, writer, events, log, journal } = await streaming()
    const left = readFileSync(journal)
    const before = statSync(log).size
    await writer.sync()
    const whole = readFileSync(log)
    await writer.close()
    for (let length = before; length <= whole.length; length++) {
      const { persistence } = await asKilled(root, { 'one.jsonl': whole.subarray(0, length), 'one.stream.jsonl': left })
      const { found, damage, after } = await goOn(persistence, next => [end(next)])
      expect([found, damage, after]).toEqual([events, length === before || length === whole.length ? [] : ['torn-tail'], [...events, end(events.length)]])
      await cleanups.pop()?.()
      await cleanups.pop()?.()
    }
  }, 60_000)

  it('counts for nothing where the log has it, however far the log has come', async () => {
    const { root, writer, events, log, journal } = await streaming()
    const left = readFileSync(journal)
    const more = [end(events.length), ...deltas(events.length + 1, 3), end(events.length + 4)]
    await writer.append(more)
    const whole = readFileSync(log)
    await writer.close()
    const { persistence, journal: again } = await asKilled(root, { 'one.jsonl': whole, 'one.stream.jsonl': left })
    expect((await persistence.load('one', signal)).events).toEqual([...events, ...more])
    const { writer: next } = await persistence.open('one', signal)
    expect(statSync(again).size).toBe(0)
    await next.append(deltas(next.next, 2))
    expect((await persistence.load('one', signal)).events).toEqual([...events, ...more, ...deltas(events.length + more.length, 2)])
    await next.close()
  })

  it('is put aside when it does not go on with the log, and said as damage', async () => {
    const { root, writer, events, log, journal } = await streaming()
    const left = readFileSync(journal)
    const begin = readFileSync(log)
    await writer.append([end(events.length), ...deltas(events.length + 1, 2)])
    await writer.append(deltas(events.length + 3, 2))
    const later = readFileSync(journal)
    await writer.close()
    const broken = Buffer.concat([left.subarray(0, left.indexOf('\n[4,') + 1), Buffer.from('\0\0\0\n'), left.subarray(left.indexOf('\n[4,') + 1)])
    const headless = left.subarray(left.indexOf('\n') + 1)
    for (const [content, known, unusable] of [[later, 1, later], [broken, 4, broken.subarray(broken.indexOf('\0'))], [headless, 1, headless]] as const) {
      const { persistence } = await asKilled(root, { 'one.jsonl': begin, 'one.stream.jsonl': content })
      const loaded = await persistence.load('one', signal)
      expect([loaded.events, loaded.damage.map(({ kind, seq }) => [kind, seq])]).toEqual([events.slice(0, known), [['hole', known]]])
      expect((await persistence.list({}, signal))[0]?.damage).toEqual(loaded.damage)
      const { writer: next, stored } = await persistence.open('one', signal)
      await next.append([end(known)])
      await next.close()
      expect([stored.damage[0]?.message.startsWith('the stream in flight '), readFileSync(stored.damage[0]?.keptAside ?? '').equals(unusable)]).toEqual([true, true])
      expect(await persistence.load('one', signal)).toMatchObject({ events: [...events.slice(0, known), end(known)], damage: [] })
    }
  })

  it.each(['ENOSPC', 'EIO'])('is as it was when an append to it fails with %s half-way, and the same works then', async code => {
    const { persistence, writer, events, journal } = await streaming()
    const before = readFileSync(journal)
    const more = deltas(events.length, 2)
    const restore = failing('writeSync', code, 10)
    const outcome = await failed(writer.append(more))
    restore()
    expect([outcome, readFileSync(journal).equals(before), writer.next, (await persistence.load('one', signal)).events]).toEqual([code === 'EIO' ? 'STORE_FAILED' : 'STORE_FULL', true, events.length, events])
    await writer.append(more)
    expect((await persistence.load('one', signal)).events).toEqual([...events, ...more])
    await writer.close()
    expect((await persistence.load('one', signal)).events).toEqual([...events, ...more])
  })

  it.each(['ENOSPC', 'EIO'])('keeps what it has when moving it into the log fails with %s, by an append, a checkpoint or at the end', async code => {
    const { persistence, root, writer, events, log } = await streaming()
    const before = readFileSync(log)
    const more = [end(events.length)]
    const restore = failing('writeSync', code, 10)
    const outcomes = [await failed(writer.append(more)), await failed(writer.sync())]
    restore()
    const why = code === 'EIO' ? 'STORE_FAILED' : 'STORE_FULL'
    expect([outcomes, readFileSync(log).equals(before), writer.next, (await persistence.load('one', signal)).events]).toEqual([[why, why], true, events.length, events])
    await writer.append(more)
    await writer.append(deltas(events.length + 1, 2))
    const again = failing('writeSync', code, 10)
    const closed = await failed(writer.close())
    again()
    const all = [...events, ...more, ...deltas(events.length + 1, 2)]
    expect([closed, (await (await another(root)).load('one', signal)).events]).toEqual([why, all])
    expect((await goOn(persistence, next => [end(next)])).after).toEqual([...all, end(all.length)])
  })

  it('does no harm when it cannot be emptied, nor when what failed cannot be cut off', async () => {
    const { persistence, writer, events, journal } = await streaming()
    const restore = failing('ftruncateSync', 'EIO')
    await writer.append([end(events.length)])
    expect([statSync(journal).size > 0, (await persistence.load('one', signal)).events]).toEqual([true, [...events, end(events.length)]])
    const more = deltas(events.length + 1, 2)
    expect(await failed(writer.append(more))).toBe('STORE_FAILED')
    restore()
    await writer.append(more)
    const cut = failing('ftruncateSync', 'EIO')
    const write = failing('writeSync', 'EIO', 10)
    const next = deltas(events.length + 3, 2)
    expect(await failed(writer.append(next))).toBe('STORE_FAILED')
    write()
    cut()
    expect((await persistence.load('one', signal)).events).toEqual([...events, end(events.length), ...more])
    await writer.append(next)
    await writer.close()
    expect(await persistence.load('one', signal)).toMatchObject({ events: [...events, end(events.length), ...more, ...next], damage: [] })
  })

  it.each<[string, (journal: string) => void]>([
    ['a folder', journal => fs.mkdirSync(journal)],
    ['a link to nowhere', journal => fs.symlinkSync('nowhere', journal)],
    ['a link to itself', journal => fs.symlinkSync(journal, journal)],
    ['a link to another file', journal => fs.symlinkSync('one.jsonl', journal)],
  ])('does not keep the log from being read, or gone on with, when in its place is %s', async (_, place) => {
    const { root, writer, events, log } = await streaming(0)
    const whole = readFileSync(log)
    await writer.close()
    const { persistence, journal, log: again } = await asKilled(root, { 'one.jsonl': whole })
    place(journal)
    const message = `the stream in flight cannot be read: ${journal} is no file`
    const damage = [{ kind: 'hole', message, seq: 1 }]
    expect(await persistence.load('one', signal)).toMatchObject({ events, damage })
    expect(await persistence.list({}, signal)).toMatchObject([{ id: 'one', events: 1, damage }])
    expect(await persistence.readRange('one', { from: 0 }, signal)).toEqual(events)
    const { writer: next, stored } = await persistence.open('one', signal)
    const keptAside = again.replace('.jsonl', '.damaged-1.jsonl')
    expect([stored.damage, fs.lstatSync(keptAside).isFile()]).toEqual([[{ ...damage[0], keptAside }], false])
    await next.append(deltas(1, 3))
    expect([statSync(journal).isFile(), await persistence.load('one', signal)]).toMatchObject([true, { events: [...events, ...deltas(1, 3)], damage: [] }])
    await next.close()
    expect(readFileSync(again).subarray(0, whole.length).equals(whole)).toBe(true)
  })

  it('does not keep the log from being read when it may not be read itself; a failure that may pass is not taken for that', async () => {
    const { root, writer, events, log, journal } = await streaming()
    const files = { 'one.jsonl': readFileSync(log), 'one.stream.jsonl': readFileSync(journal) }
    await writer.close()
    const { persistence, journal: foreign } = await asKilled(root, files)
    const real = fs.readFileSync
    const failing = (code: string): void => {
      fs.readFileSync = ((path: string, ...rest: []) => {
        if (path === foreign) throw Object.assign(new Error(`${code}: no`), { code })
        return real(path, ...rest)
      }) as typeof fs.readFileSync
      syncBuiltinESMExports()
    }
    try {
      failing('EIO')
      expect(await failed(persistence.load('one', signal))).toBe('STORE_FAILED')
      failing('EACCES')
      const damage = [{ kind: 'hole', message: 'the stream in flight cannot be read: EACCES: no', seq: 1 }]
      expect(await persistence.load('one', signal)).toMatchObject({ events: events.slice(0, 1), damage })
      const { writer: next, stored } = await persistence.open('one', signal)
      await next.close()
      expect(stored.damage).toMatchObject([{ ...damage[0], keptAside: foreign.replace('.stream.jsonl', '.damaged-1.jsonl') }])
    } finally {
      fs.readFileSync = real
      syncBuiltinESMExports()
    }
    expect(readFileSync(foreign.replace('.stream.jsonl', '.damaged-1.jsonl'))).toEqual(files['one.stream.jsonl'])
  })

  it('can be deleted, and begun over, when in its place is a folder', async () => {
    const { persistence, writer, log, journal } = await streaming(0)
    await writer.close()
    fs.mkdirSync(journal)
    await persistence.delete('one', signal)
    expect([existsSync(log), existsSync(journal)]).toEqual([false, false])
    fs.mkdirSync(journal)
    const again = await persistence.create(header, signal)
    await again.append([end(0)])
    await again.append(deltas(1, 2))
    await again.close()
    expect((await persistence.load('one', signal)).events).toEqual([end(0), ...deltas(1, 2)])
  })

  it('is not written to when something else wrote to it', async () => {
    const { persistence, writer, events, journal } = await streaming()
    appendFileSync(journal, 'intruder\n')
    const before = readFileSync(journal)
    expect([await failed(writer.append(deltas(events.length, 1))), await failed(writer.append([end(events.length)])), await failed(writer.close())]).toEqual(['SESSION_CHANGED', 'SESSION_CHANGED', 'SESSION_CHANGED'])
    expect(readFileSync(journal).equals(before)).toBe(true)
    expect(await persistence.load('one', signal)).toMatchObject({ events, damage: [{ kind: 'hole', seq: events.length }] })
  })

  it('stays where it is for the one who took the lock over', async () => {
    const { root, writer, events, journal } = await streaming()
    const lock = journal.replace('.stream.jsonl', '.lock')
    rmSync(lock)
    const persistence = await another(root)
    const { writer: next, stored } = await persistence.open('one', signal)
    expect([stored.events, await failed(writer.append(deltas(events.length, 1))), await failed(writer.close()), existsSync(journal)]).toEqual([events, 'SESSION_CHANGED', 'SESSION_CHANGED', true])
    await next.append(deltas(events.length, 2))
    await next.close()
    expect((await persistence.load('one', signal)).events).toEqual([...events, ...deltas(events.length, 2)])
  })

  it('is not taken away from the next holder by one who lost the lock when nothing was pending', async () => {
    const { root, writer, events, journal } = await streaming()
    await writer.sync()
    rmSync(journal.replace('.stream.jsonl', '.lock'))
    const persistence = await another(root)
    const { writer: next } = await persistence.open('one', signal)
    await next.append(deltas(events.length, 2))
    await writer.close()
    expect((await persistence.load('one', signal)).events).toEqual([...events, ...deltas(events.length, 2)])
    await next.append(deltas(events.length + 2, 2))
    await next.close()
    expect((await persistence.load('one', signal)).events).toEqual([...events, ...deltas(events.length, 4)])
  })

  it.each(['before', 'after'] as const)('is met in one of the two by those who read while it is moved, %s they have read it', async when => {
    const { persistence, writer, events, journal } = await streaming()
    const real = fs.readFileSync
    const known: number[] = []
    const move = (): void => {
      const more = [end(events.length), ...deltas(events.length + 1, 2), ...deltas(events.length + 3, 2, 1)]
      // Written before it returns: only what is durable is waited for.
      void writer.append(more.slice(0, 3))
      void writer.append(more.slice(3, 4))
      void writer.append(more.slice(4))
      events.push(...more)
    }
    Object.assign(fs, {
      readFileSync: (path: string, ...rest: unknown[]) => {
        if (path !== journal) return (real as (...args: unknown[]) => unknown)(path, ...rest)
        known.push(events.length)
        if (when === 'before') move()
        const bytes = real(path)
        if (when === 'after') move()
        return bytes
      },
    })
    syncBuiltinESMExports()
    cleanups.push(() => {
      Object.assign(fs, { readFileSync: real })
      syncBuiltinESMExports()
    })
    for (let n = 0; n < 5; n++) {
      const loaded = await persistence.load('one', signal)
      expect([loaded.events, loaded.damage, loaded.events.length >= (known.at(-1) ?? 0)]).toEqual([events.slice(0, loaded.events.length), [], true])
      const [listed] = await persistence.list({}, signal)
      expect([listed?.damage, (listed?.events ?? 0) >= (known.at(-1) ?? 0), (listed?.events ?? 0) <= events.length]).toEqual([undefined, true, true])
    }
    await writer.close()
  })

  it('belongs to no session without its log: it is not listed, not found, not taken for that of a new one, and can be deleted', async () => {
    const { persistence, root, writer, log, journal } = await streaming()
    const left = readFileSync(journal)
    await writer.close()
    rmSync(log)
    rmSync(journal.replace('.stream.jsonl', '.meta.json'))
    writeFileSync(journal, left)
    expect([await persistence.list({}, signal), await failed(persistence.load('one', signal)), await failed(persistence.find('one', signal)), await failed(persistence.load('one.stream', signal))]).toEqual([[], 'SESSION_NOT_FOUND', 'SESSION_NOT_FOUND', 'SESSION_NOT_FOUND'])
    const fresh = await (await another(root)).create(header, signal)
    await fresh.append([end(0)])
    expect([existsSync(journal), (await persistence.load('one', signal)).events]).toEqual([false, [end(0)]])
    await fresh.close()
    writeFileSync(journal, left)
    await persistence.delete('one', signal)
    expect(readdirSync(join(log, '..'))).toEqual([])
    writeFileSync(journal, left)
    await persistence.delete('one', signal)
    expect([readdirSync(join(log, '..')), await failed(persistence.delete('one', signal))]).toEqual([[], 'SESSION_NOT_FOUND'])
  })

  it('is followed as it comes, each event once, also across the move into the log', async () => {
    const { root, writer, events } = await streaming()
    const reader = await another(root)
    const stop = new AbortController()
    const seen: SessionEvent[] = []
    let wake = (): void => undefined
    const following = (async () => {
      for await (const event of reader.follow('one', { from: 0 }, stop.signal)) {
        seen.push(event)
        wake()
      }
    })()
    const until = async (count: number): Promise<void> => {
      while (seen.length < count) await new Promise<void>(resolve => (wake = resolve))
    }
    await until(events.length)
    for (let n = 0; n < 40; n++) {
      const more = n % 5 === 4 ? [end(events.length)] : deltas(events.length, 1 + (n % 3))
      await writer.append(more)
      events.push(...more)
      if (n % 7 === 0) await writer.sync()
      if (n % 3 === 0) await until(events.length)
    }
    await until(events.length)
    stop.abort()
    await following
    await writer.close()
    expect(seen).toEqual(events)
  })

  it('and its log hold what was appended after any order of appends, checkpoints, failures and kills', async () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ kind: fc.constant('deltas' as const), count: fc.integer({ min: 1, max: 4 }), index: fc.nat(1) }) },
      fc.record({ kind: fc.constantFrom('flood' as const, 'end' as const, 'sync' as const, 'reopen' as const) }),
      fc.record({ kind: fc.constantFrom('kill' as const, 'fail' as const), cut: fc.nat(60), where: fc.constantFrom('log' as const, 'journal' as const) }),
    )
    const { persistence, root } = await open()
    await fc.assert(fc.asyncProperty(fc.array(step, { maxLength: 25 }), async steps => {
      const events: SessionEvent[] = [end(0)]
      let writer = await persistence.create(header, signal)
      await writer.append(events)
      for (const each of steps) {
        const from = events.length
        const more = each.kind === 'deltas' ? deltas(from, each.count, each.index) : each.kind === 'flood' ? deltas(from, 600) : each.kind === 'end' ? [end(from)] : []
        if (each.kind === 'sync') await writer.sync()
        else if (each.kind === 'fail') {
          const restore = failing('writeSync', 'EIO', each.cut)
          expect(await failed(writer.append(deltas(from, 2)))).toBe('STORE_FAILED')
          restore()
        } else if (each.kind === 'reopen' || each.kind === 'kill') {
          const { log, journal } = pathsOf(root)
          const left = existsSync(journal) ? readFileSync(journal) : undefined
          const before = readFileSync(log)
          await writer.close()
          // Of what was moved into the log at the end, a killed process had written this much; then it was killed.
          if (each.kind === 'kill') {
            writeFileSync(log, readFileSync(log).subarray(0, before.length + each.cut))
            if (left) writeFileSync(journal, each.where === 'journal' ? Buffer.concat([left, left.subarray(0, each.cut % (left.indexOf('\n') + 1))]) : left)
          }
          const opened = await persistence.open('one', signal)
          expect(opened.stored.events).toEqual(events)
          writer = opened.writer
        } else await writer.append(more)
        events.push(...more)
        const { events: loaded, summary } = await persistence.load('one', signal)
        expect([loaded, writer.next, (await persistence.list({}, signal))[0]?.events, summary.events]).toEqual([events, events.length, events.length, events.length])
      }
      await writer.close()
      expect((await persistence.load('one', signal)).events).toEqual(events)
      await persistence.delete('one', signal)
    }), { numRuns: 60 })
  }, 60_000)
})
