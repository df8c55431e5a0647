import { execFileSync } from 'node:child_process'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from 'cordis'
import { LocalFileSystem } from '@deepseek-ai/dsh-fs-local'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { attachedLines, droppedImagePath, ImageShelf, loadPrompt, parseMentions, readClipboardImage, typedText, type LoadedPrompt } from '../src/index.ts'

const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex')
const signal = new AbortController().signal
let cwd = ''
let ctx = new Context()

beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'dsh-content-'))
  ctx = new Context()
  await ctx.plugin(LocalFileSystem)
})
afterEach(async () => {
  await ctx.fiber.dispose()
  await rm(cwd, { recursive: true })
})

const read: string[] = []
async function load(text: string): Promise<LoadedPrompt> {
  read.length = 0
  return await loadPrompt(text, { fs: ctx.fs, cwd, images: [], onRead: target => void read.push(target.displayPath), signal })
}

async function write(files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(cwd, path, '..'), { recursive: true })
    await writeFile(join(cwd, path), content)
  }
}

const texts = ({ content }: LoadedPrompt): string[] => content.map(block => (block.type === 'text' ? block.text : `(${block.type})`))

describe('parseMentions', () => {
  it('finds files at word beginnings, quoted and with line ranges, each once', () => {
    expect(parseMentions('@a.ts (see @"two words.md":3, `@b/c.ts:10-40`) me@example.org @a.ts x@y @')).toEqual([
      { path: 'a.ts' },
      { path: 'two words.md', range: { from: 3, to: 3 } },
      { path: 'b/c.ts', range: { from: 10, to: 40 } },
    ])
  })

  it('takes no range that is none', () => {
    expect(parseMentions('@a:0 @b:9-3 @c:x').map(({ path }) => path)).toEqual(['a:0', 'b:9-3', 'c:x'])
  })
})

describe('loadPrompt', () => {
  it('leaves a plain message alone', async () => {
    expect(await load('hello me@example.org')).toEqual({ content: [{ type: 'text', text: 'hello me@example.org' }], notes: [] })
  })

  it('attaches what is named, with line numbers, also at the end of a sentence', async () => {
    await write({ 'src/a.ts': 'one\ntwo\nthree\nfour\n', 'two words.md': 'hi', 'd/x': '', 'd/e/y': '' })
    const loaded = await load('look at @src/a.ts:2-3, @"two words.md" and @d.')

    expect(texts(loaded)).toEqual([
      'look at @src/a.ts:2-3, @"two words.md" and @d.',
      '<file path="src/a.ts" lines="2-3">\n2: two\n3: three\n</file>',
      '<file path="two words.md">\n1: hi\n</file>',
      '<directory path="d">\ne/\nx\n</directory>',
    ])
    expect(read).toEqual(['src/a.ts', 'two words.md'])
    expect([typedText(loaded.content), attachedLines(loaded.content)]).toEqual(['look at @src/a.ts:2-3, @"two words.md" and @d.', ['+ src/a.ts:2-3 (2 lines)', '+ two words.md (1 line)', '+ d (2 entries)']])
  })

  it('leaves what is not there as it is, and says why something cannot be attached', async () => {
    await write({ 'data.bin': Buffer.from([0, 1, 2, 255, 0]), 'a.ts': 'x' })
    execFileSync('mkfifo', [join(cwd, 'pipe')])
    const loaded = await load('@nobody, @data.bin @pipe @a.ts:99')

    expect(texts(loaded)).toEqual(['@nobody, @data.bin @pipe @a.ts:99'])
    expect(loaded.notes.map(note => note.slice(0, note.indexOf(':')))).toEqual(['@data.bin is not attached', '@pipe is not attached', '@a.ts is not attached'])
  })

  it('says where a long file goes on, and takes no more than fits', async () => {
    await write({ 'long.txt': 'x\n'.repeat(2_001), 'wide.txt': `${'y'.repeat(1_900)}\n`.repeat(100) })
    const [, long = '', wide = ''] = texts(await load('@long.txt @wide.txt'))

    expect(long).toContain('\n2000: x\n(There is more: read on from line 2001.)\n</file>')
    expect(wide.length).toBeLessThan(101_000)
    await write(Object.fromEntries(Array.from({ length: 22 }, (_, i) => [`f${i}`, 'z'])))
    const many = await load(Array.from({ length: 22 }, (_, i) => `@f${i}`).join(' '))
    expect([many.content.length, many.notes.length]).toEqual([21, 2])
  })

  it('attaches images that are named, alone or with @, by what they are', async () => {
    await write({ 'x.png': PNG, 'fake.png': 'text', 'big.png': Buffer.concat([PNG, Buffer.alloc(6 * 1024 * 1024)]) })
    const block = { type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' }

    expect((await load('what is @x.png?')).content).toEqual([{ type: 'text', text: 'what is @x.png?' }, block])
    expect((await load(join(cwd, 'x.png'))).content).toEqual([{ type: 'text', text: join(cwd, 'x.png') }, block])
    expect((await load('@big.png')).notes).toContain('big.png is not attached: big.png has 6.0 MB; an image may have 5 MB')
    expect((await load('@fake.png')).notes.join()).toContain('not an image that models take')
  })
})

describe('images', () => {
  it('of a drop are recognised however the terminal writes the path', () => {
    expect(['/tmp/x.png', "'/tmp/a b.png' ", '/tmp/a\\ b.JPG', 'file:///tmp/a%20b.webp', '~/x.gif', '/tmp/x.txt', 'see /tmp/x.png', 'x.png'].map(droppedImagePath)).toEqual([
      '/tmp/x.png', '/tmp/a b.png', '/tmp/a b.JPG', '/tmp/a b.webp', '~/x.gif', undefined, undefined, undefined,
    ])
  })

  it('go with the message whose text has their mark', () => {
    const shelf = new ImageShelf()
    const [a, b] = ['a', 'b'].map(data => ({ type: 'image' as const, data, mimeType: 'image/png' }))
    if (!a || !b) throw new Error('unreachable')
    expect([shelf.add(a), shelf.add(b)]).toEqual(['[image 1]', '[image 2]'])
    expect([shelf.take('only [image 2]'), shelf.take('[image 2]'), shelf.add(a)]).toEqual([[b], [], '[image 1]'])
  })

  it('of the clipboard come from the first program that has one', async () => {
    const bin = join(cwd, 'bin')
    await write({ 'x.png': PNG, 'bin/xclip': '#!/bin/sh\nexit 1\n', 'bin/wl-paste': `#!/bin/sh\nexec /bin/cat '${join(cwd, 'x.png')}'\n` })
    await Promise.all(['xclip', 'wl-paste'].map(name => chmod(join(bin, name), 0o755)))
    const before = process.env['PATH']
    process.env['PATH'] = bin
    try {
      expect(await readClipboardImage(signal, { PATH: bin }, 'linux')).toEqual({ type: 'image', data: PNG.toString('base64'), mimeType: 'image/png' })
      await rm(join(bin, 'wl-paste'))
      await expect(readClipboardImage(signal, { PATH: bin }, 'linux')).rejects.toThrow('the clipboard holds no image')
      await expect(readClipboardImage(signal, { PATH: cwd }, 'linux')).rejects.toThrow('install xclip or wl-paste')
    } finally {
      process.env['PATH'] = before
    }
  })
})
