import { execFileSync } from 'node:child_process'
import { chmod, copyFile, mkdir, readlink, symlink, writeFile } from 'node:fs/promises'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Context } from 'cordis'
import { afterEach, describe, expect, it } from 'vitest'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { ToolRegistry } from '@deepseek-ai/dsh-tools'
import { findRipgrep } from '@deepseek-ai/dsh-file-listing'
import * as toolFsSearch from '../src/index.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const open: Workspace[] = []
afterEach(async () => {
  for (const workspace of open.splice(0)) await workspace.end()
})

async function workspace(config?: Partial<toolFsSearch.SearchConfig>): Promise<Workspace> {
  const opened = await openWorkspace(config)
  open.push(opened)
  return opened
}

function git({ directory }: Workspace, ...args: string[]): string {
  return execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: directory, encoding: 'utf8' })
}

/** Processes whose program is ripgrep and that work below `directory`. */
function ripgrepsIn(directory: string): Promise<string[]> {
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name))
  return Promise.all(pids.map(pid => readlink(`/proc/${pid}/cwd`).catch(() => ''))).then(cwds => cwds.filter(cwd => cwd.startsWith(directory)))
}

describe('grep', () => {
  it('groups matches by file, sorted by path, relative to the working directory', async () => {
    const { write, run } = await workspace()
    await write({ 'src/b.ts': 'one\nneedle\n', 'src/a.ts': 'needle 1\r\nx\nneedle 2\n', 'c.md': 'needle' })
    expect(await run('grep', { pattern: 'needle' })).toBe('c.md\n1: needle\n\nsrc/a.ts\n1: needle 1\n3: needle 2\n\nsrc/b.ts\n2: needle')
  })

  it('shows context and marks gaps', async () => {
    const { write, run } = await workspace()
    await write({ 'a.txt': 'a\nneedle\nb\nc\nd\ne\nneedle\nf\n' })
    expect(await run('grep', { pattern: 'needle', context: 1 })).toBe('a.txt\n1- a\n2: needle\n3- b\n--\n6- e\n7: needle\n8- f')
  })

  it('narrows by glob without widening what git ignores', async () => {
    const opened = await workspace()
    git(opened, 'init', '--quiet')
    await opened.write({ '.gitignore': '*.log\n', 'a.ts': 'needle', 'a.log': 'needle', 'src/b.ts': 'needle', 'src/deep/c.ts': 'needle', 'src/b.js': 'needle' })
    expect(await opened.run('grep', { pattern: 'needle', glob: '*.ts' })).toBe('a.ts\n1: needle\n\nsrc/b.ts\n1: needle\n\nsrc/deep/c.ts\n1: needle')
    expect(await opened.run('grep', { pattern: 'needle', glob: 'src/*.{ts,js}' })).toBe('src/b.js\n1: needle\n\nsrc/b.ts\n1: needle')
    expect(await opened.run('grep', { pattern: 'needle', glob: '!src/**' })).toBe('a.ts\n1: needle')
    expect(await opened.run('grep', { pattern: 'needle', glob: '*.log' })).toBe(
      'No matches for "needle" in the working directory (*.log).\n\nNot searched, but would match: 1 file ignored by git (pass no_ignore: true).',
    )
  })

  it('ignores case only when asked', async () => {
    const { write, run } = await workspace()
    await write({ 'a.txt': 'Needle' })
    expect(await run('grep', { pattern: 'needle' })).toBe('No matches for "needle" in the working directory.')
    expect(await run('grep', { pattern: 'needle', case_insensitive: true })).toBe('a.txt\n1: Needle')
  })

  it('takes patterns that look like options, span lines or look around', async () => {
    const { write, run } = await workspace()
    await write({ 'a.txt': '--files\nfoo\nbar\nfoobar\n' })
    expect(await run('grep', { pattern: '--files' })).toBe('a.txt\n1: --files')
    expect(await run('grep', { pattern: 'foo\\nbar' })).toBe('a.txt\n2: foo\n3: bar')
    expect(await run('grep', { pattern: 'foo(?=bar)' })).toBe('a.txt\n4: foobar')
  })

  it('says what is wrong with a regular expression', async () => {
    const { result } = await workspace()
    const { isError, error, content } = await result('grep', { pattern: 'a(' })
    expect({ isError, error, content }).toEqual({
      isError: true,
      error: { name: 'SearchError', code: 'INVALID_PATTERN' },
      content: [{ type: 'text', text: 'Error: the pattern is not a valid regular expression: regex parse error:\n    (?:a()\n    ^\nerror: unclosed group' }],
    })
  })

  it('says that a named path does not exist', async () => {
    const { result } = await workspace()
    expect(await result('grep', { pattern: 'x', path: 'nowhere' })).toMatchObject({ isError: true, error: { code: 'NOT_FOUND' } })
  })

  it('names paths outside the working directory absolutely', async () => {
    const [here, there] = [await workspace(), await workspace()]
    await there.write({ 'a.txt': 'needle' })
    expect(await here.run('grep', { pattern: 'needle', path: there.directory })).toBe(`${there.directory}/a.txt\n1: needle`)
  })

  it('reads UTF-16 and Latin-1, and names binary files that match', async () => {
    const { write, run } = await workspace()
    await write({
      'bin.dat': Buffer.from('needle\0needle\n'),
      'latin.txt': Buffer.from('needle caf\xe9\n', 'latin1'),
      'wide.txt': Buffer.from('\ufeffneedle é\n', 'utf16le'),
    })
    expect(await run('grep', { pattern: 'needle' })).toBe('latin.txt\n1: needle café\n\nwide.txt\n1: needle é')
    expect(await run('grep', { pattern: 'needle', path: 'bin.dat' })).toBe('No matches for "needle" in bin.dat.\n\n1 binary file with a match, not shown: bin.dat.')
  })

  it('keeps line breaks in names apart from lines', async () => {
    const { write, run } = await workspace()
    await write({ 'a\nb.txt': 'x\nneedle\n' })
    expect(await run('grep', { pattern: 'needle' })).toBe('a\nb.txt\n2: needle')
  })
})

describe('what is searched', () => {
  it('returns what it found beside a dead link and a directory that it may not read', async () => {
    const opened = await workspace({ program: await unprivilegedRipgrep() })
    await opened.write({ 'ok/a.ts': 'export const a = 1\n', 'locked/b.ts': 'export const b = 1\n' })
    await symlink('/nope', join(opened.directory, 'dead'))
    await chmod(join(opened.directory, 'locked'), 0)
    expect(await opened.run('glob', { pattern: '**/*.ts' })).toBe('ok/a.ts\n\nSkipped, because they could not be read: locked.')
    expect(await opened.run('grep', { pattern: 'export' })).toBe('ok/a.ts\n1: export const a = 1\n\nSkipped, because they could not be read: locked.')
    expect(await opened.run('grep', { pattern: 'import' })).toBe('No matches for "import" in the working directory.\n\nSkipped, because they could not be read: locked.')
  })

  it('always searches a path that was named', async () => {
    const opened = await workspace()
    git(opened, 'init', '--quiet')
    await opened.write({ '.gitignore': 'gen/\nout/*\n.env*\n', '.github/w.yml': 'on: push\n', 'gen/x.ts': 'push', 'out/y.ts': 'push', '.env.example': 'push' })
    expect(await opened.run('grep', { pattern: 'push', path: '.github' })).toBe('.github/w.yml\n1: on: push')
    expect(await opened.run('grep', { pattern: 'push', path: 'gen/x.ts' })).toBe('gen/x.ts\n1: push')
    expect(await opened.run('grep', { pattern: 'push', path: 'gen' })).toBe('gen/x.ts\n1: push')
    expect(await opened.run('grep', { pattern: 'push', path: '.env.example', glob: '*.ts' })).toBe('.env.example\n1: push')
    expect(await opened.run('grep', { pattern: 'push', path: 'out' })).toBe(
      'out/y.ts\n1: push\n\nAll files there are hidden or ignored by git; they were searched because you named the directory.',
    )
    expect(await opened.run('glob', { pattern: '*.yml', path: '.github' })).toBe('.github/w.yml')
  })

  it('says how many hidden and ignored files an empty result leaves out, and how to get them', async () => {
    const opened = await workspace()
    git(opened, 'init', '--quiet')
    await opened.write({ '.gitignore': 'gen/\n', '.github/w.yml': 'on: push\n', 'gen/x.ts': 'push', 'gen/y.yml': 'x', 'a.md': 'x' })
    expect(await opened.run('glob', { pattern: '**/*.yml' })).toBe(
      'No files match "**/*.yml" in the working directory.\n\nNot searched, but would match: 1 hidden file (pass hidden: true) and 1 file ignored by git (pass no_ignore: true).',
    )
    expect(await opened.run('grep', { pattern: 'push' })).toBe(
      'No matches for "push" in the working directory.\n\nNot searched, but would match: 1 hidden file (pass hidden: true) and 1 file ignored by git (pass no_ignore: true).',
    )
    expect(await opened.run('glob', { pattern: '**/*.yml', hidden: true })).toBe('.github/w.yml')
    expect(await opened.run('grep', { pattern: 'push', hidden: true, no_ignore: true })).toBe('.github/w.yml\n1: on: push\n\ngen/x.ts\n1: push')
  })

  it('does not mind a hidden directory above the working directory', async () => {
    const opened = await workspace()
    await opened.write({ '.work/proj/a.ts': 'needle' })
    expect(await opened.run('glob', { pattern: '*.ts', path: '.work/proj' })).toBe('.work/proj/a.ts')
  })

  it('never walks into .git', async () => {
    const opened = await workspace()
    git(opened, 'init', '--quiet')
    await opened.write({ '.git/hooks/mine': 'needle', 'a.ts': 'x' })
    expect(await opened.run('glob', { pattern: '**', hidden: true, no_ignore: true })).toBe('a.ts')
    expect(await opened.run('grep', { pattern: 'needle', path: '.git/hooks' })).toBe('.git/hooks/mine\n1: needle')
  })

  it('follows no link, so a loop of links ends', async () => {
    const opened = await workspace()
    await opened.write({ 'a/b.ts': 'needle' })
    await symlink('..', join(opened.directory, 'a/loop'))
    expect(await opened.run('glob', { pattern: '**/*.ts' })).toBe('a/b.ts')
    expect(await opened.run('grep', { pattern: 'needle' })).toBe('a/b.ts\n1: needle')
  })

  it('lists what git would list', async () => {
    const opened = await workspace()
    git(opened, 'init', '--quiet')
    await opened.write({
      '.gitignore': '/keep-only/*\n!/keep-only/kept/\n*.tmp\n!important.tmp\n',
      '.git/info/exclude': 'private.txt\n',
      '.ignore': 'a.ts\n',
      'a.ts': '', 'b.tmp': '', 'important.tmp': '', 'private.txt': '', 'keep-only/x': '', 'keep-only/kept/y': '',
      'nested/.gitignore': '!*.tmp\nz\n', 'nested/n.tmp': '', 'nested/z': '', 'sub/deep/w.ts': '',
    })
    const listed = git(opened, 'ls-files', '-co', '--exclude-standard').trim().split('\n').sort()
    expect((await opened.run('glob', { pattern: '**', hidden: true })).split('\n')).toEqual(listed)
  })

  it('does not apply an ignore file from above the repository or outside one', async () => {
    const opened = await workspace()
    await opened.write({ '.gitignore': '*.apk\n', '.ignore': '*.apk\n', 'p/app.apk': '', 'q/app.apk': '' })
    git(opened, 'init', '--quiet', 'p')
    expect(await opened.run('glob', { pattern: '*.apk', path: 'p' })).toBe('p/app.apk')
    expect(await opened.run('glob', { pattern: '*.apk', path: 'q' })).toBe('q/app.apk')
  })

  it('applies the rules of git in a linked worktree, and the excludes file of the user', async () => {
    const opened = await workspace()
    await opened.write({ 'home/.gitconfig': `[core]\n  excludesFile = ${opened.directory}/home/excludes\n`, 'home/excludes': '*.bak\n', 'main/a.ts': '', 'main/.gitignore': 'out/\n' })
    git(opened, 'init', '--quiet', 'main')
    git(opened, '-C', 'main', 'add', '.')
    git(opened, '-C', 'main', 'commit', '--quiet', '--message', 'first')
    git(opened, '-C', 'main', 'worktree', 'add', '--quiet', '../linked')
    await opened.write({ 'main/.git/info/exclude': 'private.txt\n', 'linked/private.txt': '', 'linked/out/b.ts': '', 'linked/c.bak': '', 'linked/d.ts': '' })
    const home = process.env['HOME']
    process.env['HOME'] = `${opened.directory}/home`
    try {
      expect(await opened.run('glob', { pattern: '**', path: 'linked' })).toBe('linked/a.ts\nlinked/d.ts')
    } finally {
      process.env['HOME'] = home
    }
  })

  it('counts a tracked file that a rule matches among the ignored', async () => {
    const opened = await workspace()
    git(opened, 'init', '--quiet')
    await opened.write({ 'build/kept.ts': 'needle', '.gitignore': 'build/\n' })
    git(opened, 'add', '--force', 'build/kept.ts')
    expect(await opened.run('grep', { pattern: 'needle' })).toBe('No matches for "needle" in the working directory.\n\nNot searched, but would match: 1 file ignored by git (pass no_ignore: true).')
  })

  it('refuses pipes, sockets and devices by name, and walks past them', async () => {
    const opened = await workspace()
    await opened.write({ 'a.txt': 'needle' })
    execFileSync('mkfifo', [join(opened.directory, 'logs.pipe')])
    const server = createServer().listen(join(opened.directory, 'a.sock'))
    await new Promise(resolve => server.once('listening', resolve))
    expect(await opened.run('grep', { pattern: 'x', path: 'logs.pipe' })).toBe('Error: cannot search logs.pipe: it is a named pipe, not a file or a directory')
    expect(await opened.run('grep', { pattern: 'x', path: 'a.sock' })).toBe('Error: cannot search a.sock: it is a socket, not a file or a directory')
    expect(await opened.run('glob', { pattern: 'x', path: '/dev/zero' })).toBe('Error: cannot search /dev/zero: it is a device, not a file or a directory')
    expect(await opened.run('grep', { pattern: 'needle' })).toBe('a.txt\n1: needle')
    expect(await opened.run('glob', { pattern: '*' })).toBe('a.txt')
    server.close()
  })

  it('does not read the ripgrep configuration of the user', async () => {
    const opened = await workspace()
    await opened.write({ 'a.txt': 'needle', rc: '--invert-match\n' })
    process.env['RIPGREP_CONFIG_PATH'] = join(opened.directory, 'rc')
    try {
      expect(await opened.run('grep', { pattern: 'needle', path: 'a.txt' })).toBe('a.txt\n1: needle')
    } finally {
      delete process.env['RIPGREP_CONFIG_PATH']
    }
  })

  it('gives ripgrep no secret', async () => {
    const opened = await workspace()
    const program = join(opened.directory, 'show-env')
    await writeFile(program, '#!/bin/sh\nenv >seen\nexit 1\n', { mode: 0o755 })
    const spied = await workspace({ program })
    process.env['SOME_API_KEY'] = 'hunter2'
    try {
      await spied.run('glob', { pattern: '*' })
    } finally {
      delete process.env['SOME_API_KEY']
    }
    const seen = execFileSync('cat', [join(spied.directory, 'seen')], { encoding: 'utf8' })
    expect(seen).toContain('PATH=')
    expect(seen).not.toContain('hunter2')
  })
})

describe('limits', () => {
  it('shows as many matches as asked and says how many more there are', async () => {
    const { write, result } = await workspace()
    await write({ 'a.txt': 'needle\n'.repeat(30), 'b.txt': 'x\nneedle\n' })
    expect(await result('grep', { pattern: 'needle', limit: 2 })).toMatchObject({
      content: [{ type: 'text', text: 'a.txt\n1: needle\n2: needle\n\n(truncated: 2 matching lines shown, 29 more; narrow the pattern, the path or the glob, or raise limit)' }],
      meta: { matches: 31, shown: 2, truncated: true },
    })
  })

  it('keeps the context behind the last match that it shows, and no other', async () => {
    const { write, run } = await workspace()
    await write({ 'a.txt': 'needle\nb\nc\nd\ne\nneedle\n' })
    expect((await run('grep', { pattern: 'needle', context: 1, limit: 1 })).split('\n\n')[0]).toBe('a.txt\n1: needle\n2- b')
  })

  it('clips a long line around the match', async () => {
    const { write, run } = await workspace()
    const filler = 'é'.repeat(250_000)
    await write({ 'bundle.min.js': `${filler}needle${filler}needle${filler}\n`, 'end.js': `${'x'.repeat(20_000)}needle` })
    const lines = (await run('grep', { pattern: 'needle', context: 2 })).split('\n')
    expect(lines.map(line => [line.length < 700, line.includes('needle'), line.includes('\ufffd')])).toEqual([
      [true, false, false],
      [true, true, false],
      [true, false, false],
      [true, false, false],
      [true, true, false],
    ])
    expect(lines[1]).toMatch(/^1: \[\+499834 bytes\]…é+needleé+…\[\+\d+ bytes\]$/)
    expect(lines[4]).toBe(`1: [+19834 bytes]…${'x'.repeat(166)}needle`)
  })

  it('finds the match in a long line behind a byte order mark', async () => {
    const { write, run } = await workspace({ maxLineBytes: 80 })
    await write({ 'a.txt': `\ufefffirst\n${'x'.repeat(200)}needle${'y'.repeat(200)}\n` })
    expect(await run('grep', { pattern: 'needle' })).toBe(`a.txt\n2: [+174 bytes]…${'x'.repeat(26)}needle${'y'.repeat(48)}…[+152 bytes]`)
  })

  it('shows the start of a line in a file that is too big to look for the place', async () => {
    const { write, result } = await workspace({ maxLineBytes: 80 })
    await write({ 'big.json': `${'x'.repeat(9 * 1024 * 1024)}needle` })
    expect(await result('grep', { pattern: 'needle' })).toMatchObject({
      content: [{ text: `big.json\n1: ${'x'.repeat(80)}…[+1048576 or more bytes, the match may be among them]` }],
      meta: { matches: 1, shown: 1, truncated: true },
    })
  })

  it('clips long context lines at their start', async () => {
    const { write, run } = await workspace({ maxLineBytes: 80 })
    await write({ 'a.txt': `needle\n${'x'.repeat(200)}\n` })
    expect(await run('grep', { pattern: 'needle', context: 1 })).toBe(`a.txt\n1: needle\n2- ${'x'.repeat(80)}…[+120 bytes]`)
  })

  it('keeps 250 lines of 20 KB below the cap', async () => {
    const { write, result } = await workspace()
    await write({ 'a.js': `${'x'.repeat(10_000)}needle${'x'.repeat(10_000)}\n`.repeat(250) })
    const { content, meta } = await result('grep', { pattern: 'needle', limit: 1000 })
    expect(JSON.stringify(content).length).toBeLessThan(41_000)
    expect(meta).toEqual({ matches: 250, shown: 75, truncated: true })
  })

  it('stops ripgrep when it has read enough', async () => {
    const { write, result } = await workspace({ maxReadBytes: 100_000 })
    await write({ 'a.txt': 'needle needle needle needle\n'.repeat(9_000) })
    expect(await result('grep', { pattern: 'needle' })).toMatchObject({ meta: { shown: 200, truncated: true }, content: [{ text: expect.stringContaining('at least') }] })
  })

  // Processes are looked up in /proc.
  it.skipIf(process.platform !== 'linux')('returns what it has when the time is up, and leaves no process', async () => {
    const opened = await workspace({ program: await slowRipgrep(), timeoutMs: 300 })
    const started = Date.now()
    expect(await opened.run('grep', { pattern: 'needle' })).toBe('a.txt\n1: needle\n\nStopped after 0.3 s: there may be more. Search a smaller directory.')
    expect(Date.now() - started).toBeLessThan(3_000)
    expect(await ripgrepsIn(opened.directory)).toEqual([])
  })

  // Processes are looked up in /proc. The time is the harness's promise; a busy machine may miss it once.
  it.skipIf(process.platform !== 'linux')('ends the whole process group at once when it is cancelled', { retry: 2 }, async () => {
    const opened = await workspace({ program: await slowRipgrep() })
    const controller = new AbortController()
    const running = opened.result('grep', { pattern: 'needle' }, controller.signal)
    await expect.poll(() => ripgrepsIn(opened.directory)).toHaveLength(2)
    const started = Date.now()
    controller.abort(new Error('enough'))
    expect(await running).toMatchObject({ isError: true, error: { code: 'ABORTED' } })
    expect(Date.now() - started).toBeLessThan(200)
    await expect.poll(() => ripgrepsIn(opened.directory)).toEqual([])
  })

  it('does not start anything for a call that is cancelled already', async () => {
    const opened = await workspace({ program: '/nonexistent' })
    expect(await opened.result('glob', { pattern: '*' }, AbortSignal.abort())).toMatchObject({ error: { code: 'ABORTED' } })
  })

  it('samples too many paths from all directories and counts them', async () => {
    const { write, run } = await workspace()
    await write(Object.fromEntries([...Array(30).keys()].map(n => [`big/sub${n % 3}/f${String(n).padStart(2, '0')}.ts`, ''])))
    await write({ 'small/a.ts': '', 'top.ts': '' })
    expect(await run('glob', { pattern: '**/*.ts', limit: 5 })).toBe(
      [
        ...['big/sub0/f00.ts', 'big/sub1/f01.ts', 'big/sub2/f02.ts', 'small/a.ts', 'top.ts', ''],
        '(truncated: 5 of 32 files shown, taken evenly from all directories; narrow the pattern or the path, or raise limit)',
        'Files found below each directory:',
        ...['  ./ 1 file', '  big/ 30 files', '  small/ 1 file'],
      ].join('\n'),
    )
  })

  it('answers within bounds over a tree of many files with a link to itself', { timeout: 60_000 }, async () => {
    const opened = await workspace()
    for (let d = 0; d < 20; d++) {
      await mkdir(join(opened.directory, `d${d}`))
      execFileSync('sh', ['-c', 'seq 1 250 | while read n; do echo e >f$n; done'], { cwd: join(opened.directory, `d${d}`) })
    }
    await symlink('.', join(opened.directory, 'loop'))
    expect(await opened.result('grep', { pattern: 'e' })).toMatchObject({ meta: { matches: 5_000, shown: 200, truncated: true } })
    expect(await opened.result('glob', { pattern: '**/*' })).toMatchObject({ meta: { files: 5_000, shown: 200, truncated: true } })
  })
})

describe('glob', () => {
  it('takes an absolute pattern apart', async () => {
    const { write, run, directory } = await workspace()
    await write({ 'src/a.ts': '', 'src/deep/b.ts': '', 'c.ts': '' })
    expect(await run('glob', { pattern: `${directory}/src/**/*.ts` })).toBe('src/a.ts\nsrc/deep/b.ts')
  })

  it('lists a directory written with a slash at its end', async () => {
    const { write, run } = await workspace()
    await write({ 'src/a.ts': '', 'src/deep/b.ts': '', 'c.ts': '' })
    expect(await run('glob', { pattern: './src/' })).toBe('src/a.ts\nsrc/deep/b.ts')
  })

  it('refuses a file as its path', async () => {
    const { write, run } = await workspace()
    await write({ 'a.ts': '' })
    expect(await run('glob', { pattern: '*', path: 'a.ts' })).toBe('Error: a.ts is a file; glob looks for files below a directory')
  })
})

describe('the plugin', () => {
  it('says that ripgrep cannot be started, with the program', async () => {
    const { run } = await workspace({ program: '/nonexistent/rg' })
    expect(await run('glob', { pattern: '*' })).toMatch(/^Error: cannot run ripgrep \(\/nonexistent\/rg\): /)
  })

  it('takes its tools away when it is unloaded', async () => {
    const ctx = new Context()
    await ctx.plugin(SystemPrompt)
    await ctx.plugin(ToolRegistry)
    const fiber = await ctx.plugin(toolFsSearch, {})
    expect(ctx.tools.list().map(({ name, kind, concurrency }) => [name, kind, concurrency])).toEqual([['glob', 'search', 'parallel'], ['grep', 'search', 'parallel']])
    await fiber.dispose()
    expect(ctx.tools.list()).toEqual([])
    await ctx.fiber.dispose()
  })
})

/** Root may read everything, so as root ripgrep is run as nobody. */
async function unprivilegedRipgrep(): Promise<string> {
  const rg = await findRipgrep()
  if (process.getuid?.() !== 0) return rg
  // A copy, because the repository may lie where another user cannot go.
  const { directory } = await workspace()
  await chmod(directory, 0o755)
  await copyFile(rg, join(directory, 'rg'))
  return await script(`exec setpriv --reuid=65534 --regid=65534 --clear-groups '${directory}/rg' "$@"\n`)
}

/** Prints one match, then hangs with a child of its own. */
function slowRipgrep(): Promise<string> {
  return script(`printf './a.txt\\0001:0:needle\\n'\nsleep 60\n`)
}

async function script(body: string): Promise<string> {
  const { directory } = await workspace()
  const path = join(directory, 'rg.sh')
  await writeFile(path, `#!/bin/sh\n${body}`, { mode: 0o755 })
  return path
}
