import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { FileIndex, rankPaths, Ripgrep } from '../src/index.ts'

const never = new AbortController().signal
const open: (() => Promise<void>)[] = []

afterEach(async () => {
  for (const close of open.splice(0)) await close()
})

async function tree(files: readonly string[]): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'dsh-listing-'))
  open.push(() => rm(directory, { recursive: true }))
  for (const file of files) {
    await mkdir(dirname(join(directory, file)), { recursive: true })
    await writeFile(join(directory, file), file === '.gitignore' ? 'out/\n*.log\n' : '')
  }
  return directory
}

function indexOf(directory: string, options: { most?: number; now?: () => number } = {}): FileIndex {
  const index = new FileIndex({ directory, ripgrep: new Ripgrep({ timeoutMs: 20_000 }), ...options })
  open.push(async () => index[Symbol.dispose]())
  return index
}

async function found(index: FileIndex, query: string, limit = 50): Promise<string[]> {
  return (await index.search(query, limit, never)).map(({ path }) => path)
}

describe('FileIndex', () => {
  it('lists files and directories, hidden ones too, and neither what git ignores nor git itself', async () => {
    const directory = await tree(['.gitignore', '.github/ci.yml', 'src/deep/a.ts', 'out/a.js', 'x.log', 'two words/b.md'])
    execFileSync('git', ['init', '-q'], { cwd: directory })

    expect((await found(indexOf(directory), '')).toSorted()).toEqual(['.github/', '.github/ci.yml', '.gitignore', 'src/', 'src/deep/', 'src/deep/a.ts', 'two words/', 'two words/b.md'])
  })

  it('answers from the last listing and renews it when it has become old', async () => {
    const directory = await tree(['one.ts'])
    let now = 0
    const index = indexOf(directory, { now: () => now })
    expect(await found(index, '')).toEqual(['one.ts'])
    await writeFile(join(directory, 'two.ts'), '')

    now = 4_000
    expect(await found(index, '')).toEqual(['one.ts'])
    now = 6_000
    expect(await found(index, '')).toEqual(['one.ts'])
    await expect.poll(() => found(index, '')).toEqual(['one.ts', 'two.ts'])
  })

  it('lists no more than it is told', async () => {
    const directory = await tree(['a', 'b', 'c', 'd'])

    expect(await found(indexOf(directory, { most: 2 }), '')).toHaveLength(2)
  })

  it('says why there is nothing to complete', async () => {
    const index = new FileIndex({ directory: '/', ripgrep: new Ripgrep({ program: '/nowhere/rg', timeoutMs: 1_000 }) })

    await expect(index.search('a', 5, never)).rejects.toMatchObject({ code: 'NO_PROGRAM' })
  })
})

describe('rankPaths', () => {
  const rank = async (paths: string[], query: string): Promise<string[]> => (await rankPaths(paths, query, { limit: 5, signal: never })).map(({ path }) => path)

  it('puts the name before the path, its beginning before its middle, and letters last', async () => {
    expect(await rank(['src/repl/x.ts', 'src/my-repl.ts', 'src/repl.ts', 'lib/r-e-p-l.ts', 'src/repl', 'docs/other.md'], 'repl')).toEqual(['src/repl', 'src/repl.ts', 'src/my-repl.ts', 'src/repl/x.ts', 'lib/r-e-p-l.ts'])
  })

  it('takes the beginning of a path, in any case', async () => {
    expect(await rank(['a/src/x.ts', 'Src/Main.ts', 'src/'], 'src/ma')).toEqual(['Src/Main.ts'])
  })

  it('leaves room for keys between slices, and stops when told', async () => {
    const paths = Array.from({ length: 100_000 }, (_, i) => `packages/group-${i % 100}/package-${i % 1000}/src/some-file-${i}.ts`)
    const gaps: number[] = []
    let last = performance.now()
    let isOver = false
    const watch = (): void => {
      gaps.push(performance.now() - last)
      last = performance.now()
      if (!isOver) setImmediate(watch)
    }
    setImmediate(watch)
    await rankPaths(paths, 'pkgfile99', { limit: 20, signal: never })
    isOver = true
    const stop = new AbortController()
    const stopped = rankPaths(paths, 'file', { limit: 20, signal: stop.signal })
    setImmediate(() => stop.abort(new Error('typed on')))
    await expect(stopped).rejects.toThrow('typed on')

    expect(gaps.length).toBeGreaterThan(5)
    expect(gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)]).toBeLessThan(16)
  })
})
