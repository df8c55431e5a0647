import { execFileSync, spawn } from 'node:child_process'
import { statSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, open as openFile, readdir, readFile, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Context } from 'cordis'
import { afterEach, describe, expect, it } from 'vitest'
import type { ReadWindow } from '@deepseek-ai/dsh-fs'
import { describeFileSystem, type Fixture } from '@deepseek-ai/dsh-fs/contract'
import { LocalFileSystem } from '../src/index.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const signal = new AbortController().signal
const WINDOW: ReadWindow = { offset: 1, limit: 2_000, maxBytes: 50_000, maxLineLength: 2_000 }

async function open(config: object = {}): Promise<Fixture> {
  const directory = await mkdtemp(join(tmpdir(), 'dsh-fs-'))
  cleanups.push(() => rm(directory, { recursive: true, force: true }))
  const ctx = new Context()
  cleanups.push(() => ctx.fiber.dispose())
  await ctx.plugin(LocalFileSystem, config as never)
  const put = async (path: string, bytes: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await writeFile(join(directory, path), bytes)
  }
  return { fs: ctx.fs, directory, put, bytes: path => readFile(join(directory, path)), remove: path => rm(join(directory, path)) }
}

async function read({ fs, directory }: Fixture, path: string, window: Partial<ReadWindow> = {}) {
  return await fs.readLines(await fs.resolve(path, { cwd: directory, lookalike: true, signal }), { ...WINDOW, ...window }, signal)
}

async function edit({ fs, directory }: Fixture, path: string, oldString: string, newString: string) {
  return await fs.editText(await fs.resolve(path, { cwd: directory, signal }), [{ oldString, newString }], { signal })
}

async function write({ fs, directory }: Fixture, path: string, content: string) {
  return await fs.writeText(await fs.resolve(path, { cwd: directory, signal }), content, { signal })
}

async function modeOf({ directory }: Fixture, path: string): Promise<string> {
  return ((await stat(join(directory, path))).mode & 0o7777).toString(8)
}

/** A program of its own that does something to one file. */
function childScript(directory: string, work: string, file = 'a.txt'): string {
  return `
    import { Context } from 'cordis'
    import { LocalFileSystem } from ${JSON.stringify(new URL('../src/index.ts', import.meta.url).href)}
    const ctx = new Context()
    await ctx.plugin(LocalFileSystem)
    const signal = new AbortController().signal
    const cwd = ${JSON.stringify(directory)}
    const target = await ctx.fs.resolve('${file}', { cwd, signal })
    ${work}
    process.exit(0)
  `
}

describeFileSystem('LocalFileSystem', () => open())

describe('special files', () => {
  it('are named and never opened', async () => {
    const fixture = await open()
    const path = (name: string): string => join(fixture.directory, name)
    execFileSync('mkfifo', [path('logs.pipe')])
    await symlink('/dev/zero', path('zero'))
    const server = createServer().listen(path('sock'))
    await new Promise(resolve => server.once('listening', resolve))
    cleanups.push(() => new Promise(resolve => server.close(resolve)))
    const begun = performance.now()
    for (const [name, type] of [['logs.pipe', 'named pipe'], ['sock', 'socket'], ['zero', 'character device'], ['/dev/tty', 'character device']] as const) {
      const wanted = { code: 'FS_NOT_REGULAR_FILE', message: expect.stringContaining(type) }
      await expect(read(fixture, name)).rejects.toMatchObject(wanted)
      await expect(edit(fixture, name, 'a', 'b')).rejects.toMatchObject(wanted)
      await expect(write(fixture, name, 'a')).rejects.toMatchObject(wanted)
    }
    expect(performance.now() - begun).toBeLessThan(1_000)
  })

  // /proc is Linux's own.
  it.runIf(process.platform === 'linux')('of the kernel are refused, others of /proc are read', async () => {
    const fixture = await open()
    await expect(read(fixture, '/proc/kmsg')).rejects.toMatchObject({ code: 'FS_NOT_REGULAR_FILE' })
    expect((await read(fixture, '/proc/self/status')).lines[0]?.text).toMatch(/^Name:/)
  })
})

describe('metadata', () => {
  it('keeps the mode of edited and written files', async () => {
    const fixture = await open()
    for (const [name, mode] of [['run.sh', 0o755], ['secret.env', 0o600], ['shared', 0o664]] as const) {
      await fixture.put(name, 'old\n')
      await chmod(join(fixture.directory, name), mode)
      await edit(fixture, name, 'old', 'new')
      expect(await modeOf(fixture, name)).toBe(mode.toString(8))
      await write(fixture, name, 'written\n')
      expect(await modeOf(fixture, name)).toBe(mode.toString(8))
    }
  })

  it('gives a new file what the umask leaves', async () => {
    const fixture = await open()
    await write(fixture, 'new.txt', 'x')
    await writeFile(join(fixture.directory, 'reference'), 'x')
    expect(await modeOf(fixture, 'new.txt')).toBe(await modeOf(fixture, 'reference'))
  })

  // Only root can give a file to somebody else.
  it.runIf(process.getuid?.() === 0)('keeps the owner', async () => {
    const fixture = await open()
    await fixture.put('theirs', 'old')
    execFileSync('chown', ['12345:23456', join(fixture.directory, 'theirs')])
    await edit(fixture, 'theirs', 'old', 'new')
    expect(await stat(join(fixture.directory, 'theirs'))).toMatchObject({ uid: 12345, gid: 23456 })
  })

  // Only root can become somebody else; for root nothing is forbidden.
  it.runIf(process.getuid?.() === 0)('refuses what is forbidden, and gives a group no rights that were another group\'s', async () => {
    const fixture = await open()
    for (const [name, mode] of [['shared/read-only', 0o444], ['shared/group', 0o676], ['closed/a', 0o666], ['secret', 0o600]] as const) {
      await fixture.put(name, 'old')
      await chmod(join(fixture.directory, name), mode)
    }
    await chmod(join(fixture.directory, 'shared'), 0o777)
    await chmod(fixture.directory, 0o755)
    const work = `
      process.setgroups([]); process.setgid(65534); process.setuid(65534)
      for (const file of ['shared/read-only', 'shared/group', 'closed/a', 'secret']) {
        const target = await ctx.fs.resolve(file, { cwd, signal })
        await ctx.fs.editText(target, [{ oldString: 'old', newString: 'new' }], { signal }).then(() => console.log(file, 'written'), error => console.log(file, error.code))
      }`
    const out = execFileSync(process.execPath, ['--input-type=module', '-e', childScript(fixture.directory, work)], { cwd: join(import.meta.dirname, '..') })
    expect(String(out).trim().split('\n')).toEqual(['shared/read-only FS_PERMISSION_DENIED', 'shared/group written', 'closed/a FS_PERMISSION_DENIED', 'secret FS_PERMISSION_DENIED'])
    expect([await modeOf(fixture, 'shared/group'), String(await fixture.bytes('closed/a'))]).toEqual(['666', 'old'])
    expect(await readdir(join(fixture.directory, 'shared'))).toEqual(['group', 'read-only'])
  })

  it('writes through links, dangling ones too, and leaves them links', async () => {
    const fixture = await open()
    await fixture.put('real/a.txt', 'old')
    await symlink('real/a.txt', join(fixture.directory, 'link'))
    await symlink('real/later.txt', join(fixture.directory, 'dangling'))
    await edit(fixture, 'link', 'old', 'new')
    await write(fixture, 'dangling', 'made')
    expect([await fixture.bytes('real/a.txt'), await fixture.bytes('real/later.txt')].map(String)).toEqual(['new', 'made'])
    expect((await readdir(fixture.directory, { withFileTypes: true })).filter(each => each.isSymbolicLink()).map(({ name }) => name).sort()).toEqual(['dangling', 'link'])
  })

  it('does not touch a file that has the content already', async () => {
    const fixture = await open()
    await fixture.put('a.txt', 'same')
    await utimes(join(fixture.directory, 'a.txt'), 1_000, 1_000)
    await write(fixture, 'a.txt', 'same')
    expect((await stat(join(fixture.directory, 'a.txt'))).mtimeMs).toBe(1_000_000)
  })
})

describe('parallel edits', () => {
  it('through several spellings of one path all land', async () => {
    const fixture = await open()
    await fixture.put('n.txt', Array.from({ length: 100 }, (_, i) => `${i + 1}\n`).join(''))
    await symlink('n.txt', join(fixture.directory, 'link.txt'))
    const words = ['TEN', 'TWENTY', 'THIRTY', 'FORTY', 'FIFTY', 'SIXTY']
    await Promise.all(words.map((word, i) => edit(fixture, ['n.txt', './n.txt', 'link.txt'][i % 3] ?? '', `\n${(i + 1) * 10}\n`, `\n${word}\n`)))
    const lines = String(await fixture.bytes('n.txt')).split('\n')
    expect(words.filter(word => lines.includes(word))).toEqual(words)
    expect(lines.length).toBe(101)
  })
})

describe('failed writes', () => {
  /** A volume of 1 MiB; undefined, with the reason on the console, where none can be mounted. */
  function mountSmall(directory: string): boolean {
    try {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', directory], { stdio: 'pipe' })
      cleanups.push(async () => void execFileSync('umount', ['-l', directory]))
      return true
    } catch (error) {
      console.warn(`not tested on a full disk: no tmpfs can be mounted here (${String(error).split('\n')[0]})`)
      return false
    }
  }

  // The way to get a small volume is Linux's own.
  it.runIf(process.platform === 'linux')('leave the old file and nothing else on a full disk', async ({ skip }) => {
    const fixture = await open()
    if (!mountSmall(fixture.directory)) return skip()
    const old = `begin\n${'x'.repeat(700 * 1024)}\n`
    await fixture.put('big.txt', old)
    await expect(edit(fixture, 'big.txt', 'begin', 'y'.repeat(200 * 1024))).rejects.toMatchObject({ code: 'FS_IO_ERROR', message: expect.stringContaining('no space left') })
    expect(String(await fixture.bytes('big.txt'))).toBe(old)
    expect(await readdir(fixture.directory)).toEqual(['big.txt'])
  })

  // The unit of `ulimit -f` differs elsewhere.
  it.runIf(process.platform === 'linux')('leave the old file at the file size limit', async () => {
    const fixture = await open()
    await fixture.put('big.txt', `begin\n${'x'.repeat(100 * 1024)}\n`)
    const script = childScript(fixture.directory, "await ctx.fs.editText(target, [{ oldString: 'begin', newString: 'y'.repeat(200 * 1024) }], { signal }).catch(error => console.log(error.code, error.message))", 'big.txt')
    const out = execFileSync('sh', ['-c', 'ulimit -f 150; exec "$0" --input-type=module -e "$1"', process.execPath, script], { cwd: join(import.meta.dirname, '..'), stdio: ['ignore', 'pipe', 'inherit'] })
    expect(String(out)).toContain('FS_IO_ERROR big.txt could not be written: it would be larger than the file size limit')
    expect((await fixture.bytes('big.txt')).length).toBe(100 * 1024 + 7)
    expect(await readdir(fixture.directory)).toEqual(['big.txt'])
  })

  it('leave the old file and a removable temporary one when the process is killed', async () => {
    const fixture = await open()
    await fixture.put('a.txt', 'old')
    const child = spawn(process.execPath, ['--input-type=module', '-e', childScript(fixture.directory, "await ctx.fs.writeText(target, 'x'.repeat(200 << 20), { signal })")], { cwd: join(import.meta.dirname, '..'), stdio: 'ignore' })
    const ended = new Promise(resolve => child.once('exit', (_, name) => resolve(name)))
    while ((await readdir(fixture.directory)).length < 2) await new Promise(resolve => setTimeout(resolve, 1))
    child.kill('SIGKILL')
    expect(await ended).toBe('SIGKILL')
    expect(String(await fixture.bytes('a.txt'))).toBe('old')
    for (const name of await readdir(fixture.directory)) if (name !== 'a.txt') await utimes(join(fixture.directory, name), 1_000, 1_000)
    await edit(fixture, 'a.txt', 'old', 'new')
    expect(await readdir(fixture.directory)).toEqual(['a.txt'])
  })

  // /proc is Linux's own.
  it.runIf(process.platform === 'linux')('say so when the directory takes no files', async () => {
    const fixture = await open()
    const { code } = await write(fixture, '/proc/self/dsh-new', 'x').then(() => ({ code: 'written' }), (error: { code: string }) => error)
    expect(['FS_IO_ERROR', 'FS_PERMISSION_DENIED']).toContain(code)
  })

  it('leave the old file when cancelled in the middle', async () => {
    const fixture = await open()
    await fixture.put('a.txt', 'old')
    const controller = new AbortController()
    const reason = new Error('stop')
    const target = await fixture.fs.resolve('a.txt', { cwd: fixture.directory, signal })
    const writing = fixture.fs.writeText(target, 'x'.repeat(64 << 20), { signal: controller.signal })
    const seen = Promise.withResolvers<void>()
    const timer = setInterval(async () => (await readdir(fixture.directory)).length > 1 && seen.resolve(), 1)
    await seen.promise
    clearInterval(timer)
    controller.abort(reason)
    await expect(writing).rejects.toBe(reason)
    expect(String(await fixture.bytes('a.txt'))).toBe('old')
    expect(await readdir(fixture.directory)).toEqual(['a.txt'])
  })

  it('never show a temporary file to others while a private one is written', async () => {
    const fixture = await open()
    await fixture.put('secret', 'old')
    await chmod(join(fixture.directory, 'secret'), 0o600)
    const modes = new Set<string>()
    const writing = write(fixture, 'secret', 'x'.repeat(32 << 20))
    let done = false
    void writing.finally(() => (done = true))
    while (!done) {
      for (const name of await readdir(fixture.directory)) {
        const found = statSync(join(fixture.directory, name), { throwIfNoEntry: false })
        if (found) modes.add(`${name === 'secret' ? 'file' : 'temporary'} ${(found.mode & 0o777).toString(8)}`)
      }
    }
    await writing
    expect([...modes].sort()).toEqual(['file 600', 'temporary 600'])
  })

  it('clean up after a process that was killed', async () => {
    const fixture = await open()
    const pid = Number(execFileSync('sh', ['-c', 'echo $$']))
    const stray = `.dsh-${pid}-0123456789ab.tmp`
    await fixture.put(stray, 'half')
    await utimes(join(fixture.directory, stray), 1_000, 1_000)
    const ours = `.dsh-${process.pid}-0123456789ab.tmp`
    await fixture.put(ours, 'alive')
    await utimes(join(fixture.directory, ours), 1_000, 1_000)
    await write(fixture, 'a.txt', 'x')
    expect((await readdir(fixture.directory)).sort()).toEqual([ours, 'a.txt'].sort())
  })

  it('notice a change by another program at the last moment', async () => {
    const fixture = await open()
    await fixture.put('a.txt', 'old')
    const target = await fixture.fs.resolve('a.txt', { cwd: fixture.directory, signal })
    const writing = fixture.fs.writeText(target, 'x'.repeat(64 << 20), { signal })
    while ((await readdir(fixture.directory)).length < 2) await new Promise(resolve => setTimeout(resolve, 1))
    await fixture.put('a.txt', 'theirs')
    await expect(writing).rejects.toMatchObject({ code: 'FS_STALE_VERSION' })
    expect(String(await fixture.bytes('a.txt'))).toBe('theirs')
  })
})

describe('names', () => {
  it('takes the exact name first, else the only one that looks like it', async () => {
    const fixture = await open()
    for (const [name, content] of [['Snap 8.55.11\u202fPM.txt', 'A'], ['Cafe\u0301.txt', 'B'], ['x y.txt', 'C'], ['x\u00a0y.txt', 'D'], ['it\u2019s/n m.txt', 'E'], ['it\u2019s/n\u00a0m.txt', 'F']] as const) await fixture.put(name, content)
    const contents = async (name: string): Promise<string | undefined> => (await read(fixture, name)).lines[0]?.text
    expect(await Promise.all(['Snap 8.55.11 PM.txt', 'Caf\u00e9.txt', 'x y.txt', 'x\u00a0y.txt', "it's/n m.txt", "it's/n\u00a0m.txt"].map(contents))).toEqual(['A', 'B', 'C', 'D', 'E', 'F'])
    expect(await fixture.fs.resolve('Snap 8.55.11 PM.txt', { cwd: fixture.directory, lookalike: true, signal })).toMatchObject({ lookalike: true, displayPath: 'Snap 8.55.11\u202fPM.txt' })
  })

  it('lists the candidates when several look alike', async () => {
    const fixture = await open()
    await fixture.put('x\u00a0y.txt', 'D')
    await fixture.put('x\u202fy.txt', 'E')
    await expect(read(fixture, 'x y.txt')).rejects.toMatchObject({ code: 'FS_AMBIGUOUS_PATH', message: expect.stringContaining('"x\\u00a0y.txt", "x\\u202fy.txt"') })
  })

  it('creates the exact name beside one that looks like it', async () => {
    const fixture = await open()
    await fixture.put('x\u00a0y.txt', 'D')
    await write(fixture, 'x y.txt', 'new')
    expect((await readdir(fixture.directory)).sort()).toEqual(['x y.txt', 'x\u00a0y.txt'])
  })

  it('proposes the name that was probably meant', async () => {
    const fixture = await open()
    await fixture.put('config.json', '{}')
    await expect(read(fixture, 'confg.json')).rejects.toMatchObject({ code: 'FS_NOT_FOUND', message: 'confg.json does not exist; did you mean config.json?' })
  })

  it('refuses what cannot be a path, and a file as a directory', async () => {
    const fixture = await open()
    await fixture.put('a', '')
    await expect(read(fixture, '')).rejects.toMatchObject({ code: 'FS_INVALID_PATH' })
    await expect(read(fixture, 'a\0b')).rejects.toMatchObject({ code: 'FS_INVALID_PATH' })
    await expect(read(fixture, 'a/b')).rejects.toMatchObject({ code: 'FS_NOT_DIRECTORY' })
    await expect(read(fixture, 'x'.repeat(300))).rejects.toMatchObject({ code: 'FS_INVALID_PATH' })
    await symlink('loop', join(fixture.directory, 'loop'))
    await expect(read(fixture, 'loop')).rejects.toMatchObject({ code: 'FS_IO_ERROR' })
  })
})

describe('big files', () => {
  it('are streamed, lines counted, with a version of their own', async () => {
    const fixture = await open()
    const line = 'grün 你好 😀 '.repeat(20)
    await fixture.put('big.txt', `\ufeff${Array.from({ length: 60_000 }, (_, i) => `${i + 1} ${line}\r\n`).join('')}last`)
    const found = await read(fixture, 'big.txt', { offset: 59_999, limit: 2 })
    expect(found).toMatchObject({ lines: [{ number: 59_999, text: `59999 ${line}` }, { number: 60_000, text: `60000 ${line}` }], totalLines: 60_001, more: true, finalNewline: false, format: { encoding: 'utf-8', bom: true } })
    const before = found.version
    await edit(fixture, 'big.txt', 'last', 'end')
    expect((await read(fixture, 'big.txt', { offset: 60_001 })).lines).toEqual([{ number: 60_001, text: 'end' }])
    expect((await read(fixture, 'big.txt')).version).not.toBe(before)
    await expect(read(fixture, 'big.txt', { offset: 60_002 })).rejects.toMatchObject({ code: 'FS_BEYOND_END', message: 'big.txt has 60001 lines; line 60002 is after its end' })
  })

  it('are counted only up to a bound', async () => {
    const fixture = await open({ maxScanBytes: 1 << 20 })
    await fixture.put('big.txt', 'x\n'.repeat(5 << 20))
    expect(await read(fixture, 'big.txt', { limit: 1 })).toMatchObject({ lines: [{ number: 1, text: 'x' }], totalLines: undefined, more: true, finalNewline: undefined })
  })

  it('with one huge line are cut at a character', async () => {
    const fixture = await open()
    await fixture.put('line.txt', '😀'.repeat(3 << 20))
    const { lines } = await read(fixture, 'line.txt', { maxLineLength: 5 })
    expect(lines).toMatchObject([{ number: 1, text: '😀😀' }])
  })

  it('that are binary are refused by their beginning', async () => {
    const fixture = await open()
    await fixture.put('big.bin', Buffer.alloc(9 << 20))
    await expect(read(fixture, 'big.bin')).rejects.toMatchObject({ code: 'FS_NOT_TEXT' })
  })

  it('beyond the limit are not edited', async () => {
    const fixture = await open({ maxWholeBytes: 10 })
    await fixture.put('a.txt', 'more than ten')
    await expect(edit(fixture, 'a.txt', 'ten', '10')).rejects.toMatchObject({ code: 'FS_TOO_LARGE' })
  })

  it('that are sparse and endless do not hold up a cancel', async () => {
    const fixture = await open({ maxScanBytes: 2 ** 40 })
    const handle = await openFile(join(fixture.directory, 'sparse'), 'w')
    await handle.write('text\n'.repeat(4_000))
    await handle.truncate(2 ** 40)
    await handle.close()
    const controller = new AbortController()
    const target = await fixture.fs.resolve('sparse', { cwd: fixture.directory, signal })
    const reading = fixture.fs.readLines(target, { ...WINDOW, limit: 1 }, controller.signal)
    setTimeout(() => controller.abort(new Error('stop')), 50)
    const begun = performance.now()
    await expect(reading).rejects.toThrow('stop')
    expect(performance.now() - begun).toBeLessThan(500)
  })
})

it('leaves when its plugin is unloaded', async () => {
  const ctx = new Context()
  const fiber = await ctx.plugin(LocalFileSystem)
  expect(ctx.get('fs')).toBeInstanceOf(LocalFileSystem)
  await fiber.dispose()
  expect(ctx.get('fs')).toBeUndefined()
  await ctx.fiber.dispose()
})
