import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from 'cordis'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { FileSystem, FsTarget } from '@deepseek-ai/dsh-fs'
import { LocalFileSystem } from '../src/index.ts'

const signal = new AbortController().signal
let folder: string
let ctx: Context
let fs: FileSystem

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'dsh-fs-'))
  ctx = new Context()
  await ctx.plugin(LocalFileSystem as never, { durable: false } as never)
  fs = ctx.fs
})

afterEach(async () => {
  await ctx.fiber.dispose()
  await rm(folder, { recursive: true })
})

async function target(name: string, stored?: string | Uint8Array): Promise<FsTarget> {
  if (stored !== undefined) await writeFile(join(folder, name), stored)
  return await fs.resolve(name, { cwd: folder, signal })
}

describe('unsaved text of a file', () => {
  it('counts in place of the disk for reading, editing and versions', async () => {
    const file = await target('a.txt', 'stored\n')
    const before = await fs.version(file, signal)
    const off = ctx.on('fs/buffer', async () => 'held\n')

    const [text, lines, version] = [await fs.readText(file, signal), await fs.readLines(file, { offset: 1, limit: 9, maxBytes: 999, maxLineLength: 99 }, signal), await fs.version(file, signal)]
    const outcome = await fs.editText(file, [{ oldString: 'held', newString: 'edited' }], { expect: version, signal })
    off()

    expect([text.text, lines.lines[0]?.text, outcome.before, await readFile(join(folder, 'a.txt'), 'utf8')]).toEqual(['held\n', 'held', 'held\n', 'edited\n'])
    expect(version).not.toBe(before)
  })

  it('gives the version that the file will have once it is saved', async () => {
    const file = await target('a.txt', 'stored\r\nlines\r\n')
    const off = ctx.on('fs/buffer', async () => 'held\nlines\n')
    const held = await fs.version(file, signal)
    off()
    await writeFile(join(folder, 'a.txt'), 'held\r\nlines\r\n')

    expect(held).toBe(await fs.version(file, signal))
  })

  it('changes nothing where it is what is stored', async () => {
    const file = await target('a.txt', 'same\r\n')
    const before = await fs.version(file, signal)
    ctx.on('fs/buffer', async () => 'same\r\n')

    expect(await fs.version(file, signal)).toBe(before)
  })

  it('is not asked for where the file is no text', async () => {
    const file = await target('a.bin', Uint8Array.of(0, 255, 0))
    let asked = 0
    ctx.on('fs/buffer', async () => {
      asked++
      return 'text'
    })

    await fs.version(file, signal)

    expect(asked).toBe(0)
  })
})

describe('unsaved text that is too large', () => {
  it('is neither read nor undone by an edit of what is on the disk', async () => {
    const file = await target('a.txt', 'stored\n')
    const saved: string[] = []
    ctx.on('fs/buffer', async () => 'x'.repeat(9 << 20))
    ctx.on('fs/save', async (_target, content) => {
      saved.push(content)
      return true
    })

    const attempts = await Promise.allSettled([fs.readText(file, signal), fs.editText(file, [{ oldText: 'stored', newText: 'changed' }] as never, { signal } as never)])

    expect(attempts.map(attempt => (attempt.status === 'rejected' ? (attempt.reason as { code: string }).code : 'done'))).toEqual(['FS_TOO_LARGE', 'FS_TOO_LARGE'])
    expect([saved, await readFile(join(folder, 'a.txt'), 'utf8')]).toEqual([[], 'stored\n'])
  })
})

describe('writing', () => {
  it('is left to whoever says that it has been done', async () => {
    const file = await target('a.txt', 'stored\n')
    const saved: string[] = []
    ctx.on('fs/save', async (_target, content) => {
      saved.push(content)
      return true
    })

    const outcome = await fs.writeText(file, 'new\n', { signal })

    expect([outcome.operation, outcome.after, saved, await readFile(join(folder, 'a.txt'), 'utf8')]).toEqual(['update', 'new\n', ['new\n'], 'stored\n'])
    await writeFile(join(folder, 'a.txt'), 'new\n')
    expect(outcome.version).toBe(await fs.version(file, signal))
  })

  it('is done here when nobody does it, and fails when the one who was asked fails', async () => {
    await mkdir(join(folder, 'sub'))
    const file = await target('sub/a.txt')
    const off = ctx.on('fs/save', async () => undefined)
    await fs.writeText(file, 'here\n', { signal })
    off()
    ctx.on('fs/save', async () => { throw new Error('no answer') })

    await expect(fs.writeText(file, 'there\n', { signal })).rejects.toThrow('no answer')
    expect(await readFile(join(folder, 'sub/a.txt'), 'utf8')).toBe('here\n')
  })
})
