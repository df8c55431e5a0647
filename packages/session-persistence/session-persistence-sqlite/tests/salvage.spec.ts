import { spawn } from 'node:child_process'
import { closeSync, existsSync, openSync, readdirSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import { edit, kit, signal, store, turn, type Opened } from './kit.ts'

const { cleanups, newRoot, open } = kit()

const PAGE = 4096

/** Thirty sessions of ten turns, closed. */
async function filled(): Promise<string> {
  const root = newRoot()
  const { persistence, close } = await open(root)
  for (let i = 0; i < 30; i++) await store(persistence, `s${i}`, Array.from({ length: 10 }, (_, n) => turn(3 * n, `${'words '.repeat(20)}of s${i}`)).flat())
  await close()
  return root
}

/** Overwrites pages of a table in the file, the root page excepted. */
function ruin(root: string, table: string, from: number, count: number): void {
  const pages = edit(root, database => database.prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno").all(table)).map(row => Number(row.pageno))
  const fd = openSync(join(root, 'sessions.sqlite'), 'r+')
  for (const page of pages.slice(from, from + count)) writeSync(fd, Buffer.alloc(PAGE, 0xa5), 0, PAGE, (page - 1) * PAGE)
  closeSync(fd)
}

async function usable({ persistence }: Opened): Promise<Record<string, number>> {
  const list = await persistence.list({}, signal)
  const loaded = await Promise.all(list.map(async ({ id }) => [id, (await persistence.load(id, signal)).events.length] as const))
  return Object.fromEntries(loaded)
}

describe('a damaged database', () => {
  it('is put aside by repair, and what can be read goes on in a new one', async () => {
    const root = await filled()
    ruin(root, 'events', 10, 2)
    const damaged = readFileSync(join(root, 'sessions.sqlite'))
    const opened = await open(root)

    const report = await opened.persistence.repair('s29', signal)

    const keptAside = join(root, 'sessions.sqlite.damaged-1')
    expect(report).toMatchObject({ id: 's29', events: 30, keptAside: [keptAside], damage: [{ kind: 'unreadable', message: expect.stringMatching(/damaged \(.*30 sessions with \d+ rows were saved/s) as string }] })
    expect(readFileSync(keptAside).equals(damaged)).toBe(true)
    expect(readdirSync(root).filter(name => !/^sessions\.sqlite(-wal|-shm|\.damaged-1)?$/.test(name))).toEqual([])
    expect([(statSync(join(root, 'sessions.sqlite')).mode & 0o777).toString(8), (statSync(keptAside).mode & 0o777).toString(8)]).toEqual(['600', '600'])
    const counts = Object.values(await usable(opened))
    expect([counts.length, counts.filter(count => count === 30).length >= 25, counts.every(count => count <= 30)]).toEqual([30, true, true])
    expect(edit(root, database => database.prepare('PRAGMA integrity_check').all())).toEqual([{ integrity_check: 'ok' }])
    expect((await opened.persistence.search('of s29', {}, signal)).map(({ summary }) => summary.id)).toEqual(['s29'])
    // The sessions that lost rows open with what stands before them, and go on.
    for (const [id, count] of Object.entries(await usable(opened))) {
      const { writer } = await opened.persistence.open(id, signal)
      expect(writer.next).toBe(count)
      await writer.close()
    }
    expect(await opened.persistence.repair('s0', signal)).toMatchObject({ damage: [] })
  })

  it('loses no event of a session whose own row is lost', async () => {
    const root = await filled()
    ruin(root, 'sessions', 0, 1)
    const opened = await open(root)
    const id = await opened.persistence.find('s29', signal)

    const { damage, events } = await opened.persistence.repair(id, signal)

    const headless = /the headers of (.*) were lost/.exec(damage[0]?.message ?? '')?.[1]?.split(', ') ?? []
    const counts = await usable(opened)
    expect([events, headless.length > 0, Object.keys(counts).sort(), [...new Set(Object.values(counts))]]).toEqual([30, true, Array.from({ length: 30 }, (_, i) => `s${i}`).sort(), [30]])
    expect((await opened.persistence.load(headless[0] ?? '', signal)).header).toEqual({ version: 1, id: headless[0], createdAt: 1000 })
  })

  it('makes up names for sessions whose names are lost too, and says so', async () => {
    const root = await filled()
    ruin(root, 'sessions', 0, 1)
    ruin(root, 'sqlite_autoindex_sessions_1', 0, 9)
    const opened = await open(root)
    const id = await opened.persistence.find('s7', signal)

    const error = await opened.persistence.repair(id, signal).catch((reason: unknown) => reason)

    const counts = await usable(opened)
    const names = Object.keys(counts)
    expect([names.length, names.every(name => name.startsWith('recovered-')), [...new Set(Object.values(counts))]]).toEqual([30, true, [30]])
    expect(error).toMatchObject({ code: 'SESSION_NOT_FOUND', message: expect.stringContaining(join(root, 'sessions.sqlite.damaged-1')) as string })
    expect(names.filter(name => !String(error).includes(name))).toEqual([])
  })

  it('is not written to when it is found damaged after a crash, and is read as far as that goes', async () => {
    const root = await filled()
    const child = spawn(process.execPath, ['-e', `const d = new (require('node:sqlite').DatabaseSync)(process.argv[1]); d.exec('UPDATE sessions SET bytes = bytes + 1'); console.log('done'); setInterval(() => {}, 1000)`, join(root, 'sessions.sqlite')], { stdio: ['ignore', 'pipe', 'inherit'] })
    await new Promise(resolve => child.stdout.once('data', resolve))
    const gone = new Promise(resolve => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
    const wal = readFileSync(join(root, 'sessions.sqlite-wal'))
    const image = newRoot()
    writeFileSync(join(image, 'sessions.sqlite'), readFileSync(join(root, 'sessions.sqlite')))
    ruin(image, 'events', 10, 2)
    writeFileSync(join(image, 'sessions.sqlite-wal'), wal)
    const opened = await open(image)

    await expect(opened.persistence.open('s0', signal)).rejects.toMatchObject({ code: 'STORE_FAILED', message: expect.stringContaining('dsh sessions repair') as string })
    const writer = await opened.persistence.create({ version: 1, id: 'new', createdAt: 1 }, signal)
    await expect(writer.append(turn(0))).rejects.toMatchObject({ code: 'STORE_FAILED' })
    await writer.close()
    expect([(await opened.persistence.list({}, signal)).length, (await opened.persistence.load('s29', signal)).events.length]).toEqual([30, 30])
    expect(await opened.persistence.repair('s29', signal)).toMatchObject({ events: 30, keptAside: [join(image, 'sessions.sqlite.damaged-1')] })
    await writer.close()
    await store(opened.persistence, 'newer', turn(0))
  })

  it('is left as it is while another process has it open', async () => {
    const root = await filled()
    ruin(root, 'events', 10, 2)
    const before = readFileSync(join(root, 'sessions.sqlite'))
    const other = new DatabaseSync(join(root, 'sessions.sqlite'))
    cleanups.push(() => other.isOpen && other.close())
    other.prepare('SELECT count(*) FROM sessions').get()
    const opened = await open(root)
    await expect(opened.persistence.repair('s29', signal)).rejects.toMatchObject({ code: 'STORE_FAILED', message: expect.stringContaining('another process') as string })
    expect([readFileSync(join(root, 'sessions.sqlite')).equals(before), readdirSync(root).some(name => name.includes('damaged') || name.includes('salvaged'))]).toEqual([true, false])
    other.close()
    expect(await opened.persistence.repair('s29', signal)).toMatchObject({ events: 30 })
  })

  it('is never made anew in place of a file that is none', async () => {
    const { persistence, root } = await open()
    writeFileSync(join(root, 'sessions.sqlite'), 'these are my notes\n'.repeat(500))
    for (const attempt of [persistence.list({}, signal), persistence.find('s1', signal), persistence.repair('s1', signal), persistence.open('s1', signal)]) {
      await expect(attempt).rejects.toMatchObject({ code: 'STORE_FAILED', message: expect.stringContaining('not a database') as string })
    }
    const writer = await persistence.create({ version: 1, id: 'new', createdAt: 1 }, signal).catch((error: unknown) => error)
    expect(writer).toMatchObject({ code: 'STORE_FAILED' })
    expect(readFileSync(join(root, 'sessions.sqlite'), 'utf8')).toBe('these are my notes\n'.repeat(500))
    expect(existsSync(join(root, 'sessions.sqlite.damaged-1'))).toBe(false)
  })
})
