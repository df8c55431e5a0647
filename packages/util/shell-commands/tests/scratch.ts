/** A directory with files and a git repository in which lines of the table are really run. */
import { execFile } from 'node:child_process'
import { lstatSync, readdirSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** One set-up to copy from, and copies of it that are thrown away. */
export interface Scratch {
  /** Runs each line in bash, all in one fresh copy, and says whether anything in there changed. */
  changedBy(...lines: readonly string[]): Promise<boolean>
  remove(): Promise<void>
}

const SETUP = `
git init -q -b main --template= && mkdir .git/info .git/hooks && git config user.name T && git config user.email t@example.com
mkdir src empty && printf 'one\\ntwo\\nthree\\n' > a.txt && printf 'two\\n' > b.txt && echo '{"items":[{"n":2,"name":"y"}]}' > data.json
echo 'export const foo = 1' > src/one.ts && echo 'a file' > 'my file.txt' && echo old > x
git add -A && git commit -qm first && echo more >> 'my file.txt' && git commit -qam second
git tag v1 && git branch topic HEAD~1 && git worktree add -q --detach ../w topic
echo stashed >> b.txt && git stash -q && echo changed >> a.txt && echo untracked > junk
`

/** Makes the set-up, once for a file of tests. */
export async function makeScratch(): Promise<Scratch> {
  const root = await mkdtemp(join(tmpdir(), 'dsh-shell-'))
  const template = join(root, 'template')
  await mkdir(join(template, 'work'), { recursive: true })
  await bash(SETUP, join(template, 'work'))
  const before = contents(template)
  let count = 0
  return {
    async changedBy(...lines) {
      count += 1
      const copy = join(root, String(count))
      await bash(`cp -a '${template}' '${copy}'`, root)
      for (const line of lines) await bash(line, join(copy, 'work'))
      const after = contents(copy)
      await rm(copy, { recursive: true, force: true })
      return before !== after
    },
    remove: () => rm(root, { recursive: true, force: true }),
  }
}

/** Ends with the line, or after fifteen seconds; its failure is no failure here. Optional locks would let `git status` refresh its index. */
function bash(line: string, cwd: string): Promise<void> {
  const env = { PATH: process.env['PATH'] ?? '/usr/bin:/bin', HOME: cwd, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C.UTF-8' }
  return new Promise((resolve) => {
    const child = execFile('bash', ['-c', line], { cwd, env, timeout: 15_000, killSignal: 'SIGKILL' }, () => resolve())
    child.stdin?.end()
  })
}

/** Every path below `directory` with its mode, size and time of change; the index of git apart, which only caches. */
function contents(directory: string): string {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => !/(?:^|\/)(?:index|ORIG_HEAD)$/.test(name))
  const entries = names.sort().map((name) => {
    const stats = lstatSync(join(directory, name))
    return [name, stats.mode, ...(stats.isDirectory() ? [] : [stats.size, stats.mtimeMs])].join(' ')
  })
  return entries.join('\n')
}
