import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from 'cordis'
import { afterEach, describe, expect, it } from 'vitest'
import { LocalFileSystem } from '../src/index.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const signal = new AbortController().signal
const LINE = 'Preis: 5 € – grün 你好'

async function open(bytes: Uint8Array) {
  const directory = await mkdtemp(join(tmpdir(), 'dsh-enc-'))
  cleanups.push(() => rm(directory, { recursive: true, force: true }))
  const ctx = new Context()
  cleanups.push(() => ctx.fiber.dispose())
  await ctx.plugin(LocalFileSystem)
  const path = join(directory, 'f')
  await writeFile(path, bytes)
  const target = await ctx.fs.resolve(path, { cwd: directory, signal })
  return {
    text: () => ctx.fs.readText(target, signal),
    lines: () => ctx.fs.readLines(target, { offset: 1, limit: 10, maxBytes: 10_000, maxLineLength: 1_000 }, signal),
    edit: (oldString: string, newString: string) => ctx.fs.editText(target, [{ oldString, newString }], { signal }),
    write: (content: string) => ctx.fs.writeText(target, content, { signal }),
    bytes: () => readFile(path),
  }
}

const utf16le = (text: string): Buffer => Buffer.from(text, 'utf16le')
const utf16be = (text: string): Buffer => Buffer.from(text, 'utf16le').swap16()
const utf8 = (text: string): Buffer => Buffer.from(text)

describe('exact encodings', () => {
  it.each([
    ['utf-8', false, utf8],
    ['utf-8', true, (text: string) => utf8(`\ufeff${text}`)],
    ['utf-16le', true, (text: string) => utf16le(`\ufeff${text}`)],
    ['utf-16be', true, (text: string) => utf16be(`\ufeff${text}`)],
  ] as const)('%s, byte order mark %s: is read, edited and overwritten in itself', async (encoding, bom, encode) => {
    const file = await open(encode(`${LINE}\r\nword\n`))
    expect(await file.text()).toMatchObject({ text: `${LINE}\r\nword\n`, format: { encoding, bom } })
    expect((await file.lines()).lines).toEqual([{ number: 1, text: LINE }, { number: 2, text: 'word' }])
    await file.edit('word', 'wörd')
    expect(await file.bytes()).toEqual(encode(`${LINE}\r\nwörd\n`))
    await file.edit(LINE.slice(0, 6), 'Price:')
    expect(await file.bytes()).toEqual(encode(`Price:${LINE.slice(6)}\r\nwörd\n`))
    await file.write('új\n')
    expect(await file.bytes()).toEqual(encode('új\n'))
  })

  it('does not double a byte order mark that the new content brings', async () => {
    const file = await open(utf8('\ufeffa'))
    await file.write('\ufeffb')
    expect(await file.bytes()).toEqual(utf8('\ufeffb'))
  })
})

describe('other encodings', () => {
  const cp1252 = Buffer.concat([Buffer.from('Preis: 5 '), Buffer.from([0x80, 0x20, 0x96]), Buffer.from(' gr'), Buffer.from([0xfc]), Buffer.from('n, sch'), Buffer.from([0xf6]), Buffer.from('ne Gr'), Buffer.from([0xfc, 0xdf]), Buffer.from('e aus M'), Buffer.from([0xfc]), Buffer.from('nchen\nword\n')])
  // "价格：五元，你好。世界和平，中文编码测试。" in GBK.
  const gbk = Buffer.concat([Buffer.from('bcdbb8f1a3bacee5d4aaa3acc4e3bac3a1a3cac0bde7bacdc6bda3acd6d0cec4b1e0c2ebb2e2cad4a1a3', 'hex'), Buffer.from('\nword\n')])

  it.each([
    ['windows-1252', cp1252, 'Preis: 5 € – grün, schöne Grüße aus München'],
    ['gb18030', gbk, '价格：五元，你好。世界和平，中文编码测试。'],
    ['utf-16le', utf16le(`${LINE}\nword\n`), LINE],
    ['utf-16be', utf16be(`${LINE}\nword\n`), LINE],
  ])('%s without a mark: is shown as a guess, and neither edited nor overwritten', async (encoding, bytes, line) => {
    const file = await open(bytes)
    expect(await file.lines()).toMatchObject({ format: { encoding, bom: false, guessed: true }, lines: [{ number: 1, text: line }, { number: 2, text: 'word' }] })
    const refusal = { code: 'FS_ENCODING', message: expect.stringContaining(encoding) }
    await expect(file.edit('word', 'other')).rejects.toMatchObject(refusal)
    await expect(file.write('all new')).rejects.toMatchObject(refusal)
    expect(await file.bytes()).toEqual(bytes)
  })

  it('the line of the report in CP1252 and GBK is not taken for UTF-8', async () => {
    const short = Buffer.concat([Buffer.from('Preis: 5 '), Buffer.from([0x80, 0x20, 0x96]), Buffer.from(' gr'), Buffer.from([0xfc]), Buffer.from('n\nword\n')])
    const file = await open(short)
    expect((await file.lines()).format.guessed).toBe(true)
    await expect(file.edit('word', 'other')).rejects.toMatchObject({ code: 'FS_ENCODING' })
    const chinese = await open(Buffer.concat([Buffer.from('Preis: 5 '), Buffer.from([0x80, 0x20, 0xa8, 0x43]), Buffer.from(' gr'), Buffer.from([0xa8, 0xb9]), Buffer.from('n '), Buffer.from('c4e3bac3', 'hex'), Buffer.from('\nword\n')]))
    expect((await chinese.lines()).format.guessed).toBe(true)
    await expect(chinese.edit('word', 'other')).rejects.toMatchObject({ code: 'FS_ENCODING' })
  })
})

it('shows UTF-8 with a broken byte as what it is', async () => {
  const file = await open(Buffer.concat([Buffer.from('grün schön 你好 '), Buffer.from([0xfc]), Buffer.from('\n')]))
  expect(await file.lines()).toMatchObject({ format: { encoding: 'utf-8 with invalid bytes', guessed: true }, lines: [{ number: 1, text: 'grün schön 你好 \ufffd' }] })
  await expect(file.edit('gr', 'x')).rejects.toMatchObject({ code: 'FS_ENCODING' })
})

describe('binaries', () => {
  it('are refused with what they are', async () => {
    const png = Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(100)])
    const file = await open(png)
    await expect(file.lines()).rejects.toMatchObject({ code: 'FS_NOT_TEXT', details: { size: 108, mediaType: 'image/png' } })
    await expect(file.edit('a', 'b')).rejects.toMatchObject({ code: 'FS_NOT_TEXT' })
    expect(await file.bytes()).toEqual(png)
  })

  it('with a late NUL can be read, but not edited', async () => {
    const file = await open(Buffer.concat([Buffer.from('word\n'.repeat(4_000)), Buffer.from([0])]))
    expect((await file.lines()).lines[0]).toEqual({ number: 1, text: 'word' })
    await expect(file.edit('word', 'x')).rejects.toMatchObject({ code: 'FS_NOT_TEXT' })
  })

  it('never show half a character to the model', async () => {
    const file = await open(Buffer.concat([utf16le('\ufeffa\n'), Buffer.from([0x3d, 0xd8]), utf16le('b\n')]))
    expect((await file.lines()).lines).toEqual([{ number: 1, text: 'a' }, { number: 2, text: '\ufffdb' }])
    await file.edit('a', 'A')
    expect(await file.bytes()).toEqual(Buffer.concat([utf16le('\ufeffA\n'), Buffer.from([0x3d, 0xd8]), utf16le('b\n')]))
  })
})
