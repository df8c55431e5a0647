import { spawn, execFileSync, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { PersistenceError } from '@deepseek-ai/dsh-session-persistence'
import { edit, header, kit, signal, store, turn } from './kit.ts'

const { cleanups, newRoot, open } = kit()

/** A process that keeps the database locked for `ms`, or until it is killed. */
async function locker(root: string, ms: number): Promise<ChildProcess> {
  const script = `const d = new (require('node:sqlite').DatabaseSync)(process.argv[1], { timeout: 1000 }); d.exec('BEGIN IMMEDIATE'); console.log('locked'); setTimeout(() => d.exec('COMMIT'), ${ms})`
  const child = spawn(process.execPath, ['-e', script, join(root, 'sessions.sqlite')], { stdio: ['ignore', 'pipe', 'inherit'] })
  cleanups.push(() => child.kill('SIGKILL'))
  await new Promise(resolve => child.stdout.once('data', resolve))
  return child
}

function golden(root: string): void {
  edit(root, database => database.exec(readFileSync(join(import.meta.dirname, 'golden/v1.sql'), 'utf8')))
}

describe('the database', () => {
  it('is not made by looking, nor for a session without events', async () => {
    const root = join(newRoot(), 'home')
    const { persistence, close } = await open(root)
    expect([await persistence.list({}, signal), await persistence.search('x', {}, signal)]).toEqual([[], []])
    for (const attempt of [persistence.find('x', signal), persistence.load('x', signal), persistence.open('x', signal), persistence.delete('x', signal), persistence.repair('x', signal), persistence.follow('x', { from: 0 }, signal)[Symbol.asyncIterator]().next()]) {
      await expect(attempt).rejects.toMatchObject({ code: 'SESSION_NOT_FOUND' })
    }
    await (await persistence.create(header('one'), signal)).close()
    await close()
    expect(existsSync(root)).toBe(false)
  })

  it('waits for another process, and meanwhile everything else goes on', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header('one'), signal)
    await writer.append(turn(0))
    await locker(root, 300)
    let longest = 0
    let last = performance.now()
    const beat = setInterval(() => {
      longest = Math.max(longest, performance.now() - last)
      last = performance.now()
    }, 5)
    const begun = performance.now()
    await writer.append(turn(3))
    clearInterval(beat)
    expect([performance.now() - begun > 100, longest < 150]).toEqual([true, true])
    await writer.close()
    expect((await persistence.load('one', signal)).events).toEqual([...turn(0), ...turn(3)])
  })

  it('fails an append when the lock is kept too long, stores nothing of it, and goes on when it is free', async () => {
    const { persistence, root } = await open(undefined, { busyMs: 100 })
    const writer = await persistence.create(header('one'), signal)
    await writer.append(turn(0))
    const child = await locker(root, 60_000)
    await expect(writer.append(turn(3))).rejects.toMatchObject({ code: 'STORE_FAILED', message: expect.stringContaining('another process keeps the database locked') as string })
    expect((await persistence.load('one', signal)).events).toEqual(turn(0))
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
    await writer.append(turn(3))
    await writer.close()
    expect((await persistence.load('one', signal)).events).toEqual([...turn(0), ...turn(3)])
  })

  it('is migrated by one of several processes at once, with a private copy of what it was', async () => {
    const root = newRoot()
    golden(root)
    const before = edit(root, database => database.prepare('SELECT * FROM events ORDER BY session_id, seq').all())
    const list = async (): Promise<number> => {
      const { persistence } = await open(root)
      return (await persistence.list({}, signal)).length
    }
    expect(await Promise.all([list(), list(), list()])).toEqual([1, 1, 1])
    const copy = join(root, 'sessions.sqlite.form-1')
    const database = new DatabaseSync(copy, { readOnly: true })
    cleanups.push(() => database.close())
    expect(database.prepare('SELECT * FROM events ORDER BY session_id, seq').all()).toEqual(before)
    expect([{ ...database.prepare('PRAGMA user_version').get() }, (statSync(copy).mode & 0o777).toString(8)]).toEqual([{ user_version: 1 }, '600'])
    expect(readdirSync(root).filter(name => name.includes('form-'))).toEqual(['sessions.sqlite.form-1'])
  })

  it('stays as it was when a migration fails, and is migrated later', async () => {
    const root = newRoot()
    golden(root)
    edit(root, database => database.exec('CREATE TABLE new_damaged (in_the_way)'))
    const first = await open(root)
    await expect(first.persistence.list({}, signal)).rejects.toMatchObject({ code: 'STORE_FAILED' })
    expect(edit(root, database => [{ ...database.prepare('PRAGMA user_version').get() }, { ...database.prepare('SELECT count(session_id) > 0 AS there FROM events').get() }])).toEqual([{ user_version: 1 }, { there: 1 }])
    edit(root, database => database.exec('DROP TABLE new_damaged'))
    expect((await first.persistence.list({}, signal)).length).toBe(1)
  })

  it('is left as it is to the byte when its version is newer, or none', async () => {
    for (const version of [99, -3]) {
      const { persistence, root } = await open()
      edit(root, database => database.exec(`CREATE TABLE later (x); PRAGMA user_version = ${version}`))
      const before = readFileSync(join(root, 'sessions.sqlite'))
      const attempts = [persistence.list({}, signal), persistence.open('one', signal), persistence.repair('one', signal), persistence.create(header('one'), signal)]
      for (const attempt of attempts) await expect(attempt).rejects.toMatchObject({ code: 'SESSION_VERSION' })
      expect([readFileSync(join(root, 'sessions.sqlite')).equals(before), readdirSync(root)]).toEqual([true, ['sessions.sqlite']])
    }
  })

  it('takes back the rights that somebody gave to others', async () => {
    const root = newRoot()
    const first = await open(root)
    await store(first.persistence, 'one', turn(0))
    await first.close()
    chmodSync(join(root, 'sessions.sqlite'), 0o666)
    const { persistence } = await open(root)
    await store(persistence, 'two', turn(0))
    expect(readdirSync(root).map(name => [name, (statSync(join(root, name)).mode & 0o777).toString(8)])).toEqual(['sessions.sqlite', 'sessions.sqlite-shm', 'sessions.sqlite-wal'].map(name => [name, '600']))
  })

  it('holds nothing readable of a session that was deleted', async () => {
    const { persistence, root, close } = await open()
    await store(persistence, 'one', turn(0, `the secret is xyzzy ${'and so on '.repeat(1000)}`))
    await store(persistence, 'two', turn(0, 'plugh'))
    await persistence.delete('one', signal)
    const found = (text: string): boolean => readdirSync(root).some(name => readFileSync(join(root, name)).includes(text))
    expect([found('secret is xyzzy'), found('plugh')]).toEqual([false, true])
    await close()
  })

  it('opens with what was committed, wherever its write-ahead log is torn', async () => {
    const { persistence, root } = await open()
    const writer = await persistence.create(header('one'), signal)
    const all = Array.from({ length: 6 }, (_, i) => turn(3 * i))
    for (const events of all) await writer.append(events)
    const wal = readFileSync(join(root, 'sessions.sqlite-wal'))
    const database = readFileSync(join(root, 'sessions.sqlite'))
    const seen = new Set<number>()
    for (let length = wal.length; length > 0; length -= 1997) {
      const image = mkdtempSync(join(tmpdir(), 'dsh-sqlite-'))
      cleanups.push(() => rmSync(image, { recursive: true, force: true }))
      writeFileSync(join(image, 'sessions.sqlite'), database)
      writeFileSync(join(image, 'sessions.sqlite-wal'), wal.subarray(0, length))
      const torn = await open(image)
      const { events, damage } = await torn.persistence.load('one', signal).catch((error: unknown) => {
        if (error instanceof PersistenceError && error.code === 'SESSION_NOT_FOUND') return { events: [], damage: [] }
        throw error
      })
      expect([events, damage, events.length % 3]).toEqual([all.flat().slice(0, events.length), [], 0])
      seen.add(events.length)
      await torn.close()
    }
    expect([...seen].sort((a, b) => a - b)).toEqual([0, 3, 6, 9, 12, 15, 18])
    await writer.close()
  })

  // Only root may mount what this needs.
  it.runIf(process.platform === 'linux' && process.getuid?.() === 0)('says that it may not be written, as the file system would', async () => {
    const root = newRoot()
    const first = await open(root)
    await store(first.persistence, 'one', turn(0))
    await first.close()
    execFileSync('mount', ['--bind', root, root])
    cleanups.push(() => execFileSync('umount', ['-l', root]))
    execFileSync('mount', ['-o', 'remount,ro,bind', root])
    const { persistence } = await open(root)
    const writer = await persistence.create(header('two'), signal).catch((error: unknown) => error)
    expect(writer).toMatchObject({ code: 'STORE_FAILED', cause: { code: expect.stringMatching(/^(EACCES|EROFS)$/) as string } })
  })
})
