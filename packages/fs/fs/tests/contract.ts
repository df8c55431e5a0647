/**
 * What every `FileSystem` must do, whatever holds its files. An
 * implementation's own tests call `describeFileSystem` first and then cover
 * only what is peculiar to them.
 */

import { describe, expect, it } from 'vitest'
import { ABSENT, type FileSystem, type FsTarget, type ReadWindow } from '../src/index.ts'

/** An empty directory, and a way to put and see bytes in it without the service. */
export interface Fixture {
  fs: FileSystem
  directory: string
  put(path: string, bytes: string | Uint8Array): Promise<void>
  bytes(path: string): Promise<Buffer>
  remove(path: string): Promise<void>
}

const WINDOW: ReadWindow = { offset: 1, limit: 100, maxBytes: 10_000, maxLineLength: 100 }
const signal = new AbortController().signal

export function describeFileSystem(name: string, open: () => Promise<Fixture>): void {
  const at = ({ fs, directory }: Fixture, path: string): Promise<FsTarget> => fs.resolve(path, { cwd: directory, signal })

  describe(`${name} is a FileSystem`, () => {
    it('gives all spellings of one path the same key, and shows it relative to the working directory', async () => {
      const fixture = await open()
      await fixture.put('sub/a.txt', 'a')
      const plain = await at(fixture, 'sub/a.txt')
      expect(await at(fixture, './sub/../sub/a.txt')).toEqual({ ...plain, inputPath: './sub/../sub/a.txt' })
      expect((await at(fixture, `${fixture.directory}/sub/a.txt`)).targetKey).toBe(plain.targetKey)
      expect(plain.displayPath).toBe('sub/a.txt')
    })

    it('reads what is there, with lines that know their numbers', async () => {
      const fixture = await open()
      await fixture.put('a.txt', 'one\ntwo\r\n\nfour')
      const target = await at(fixture, 'a.txt')
      const { version } = await fixture.fs.readText(target, signal)
      expect(await fixture.fs.readText(target, signal)).toEqual({ text: 'one\ntwo\r\n\nfour', format: { encoding: 'utf-8', bom: false }, version, size: 14 })
      expect(await fixture.fs.readLines(target, { ...WINDOW, offset: 2, limit: 2 }, signal)).toEqual({
        lines: [{ number: 2, text: 'two' }, { number: 3, text: '' }],
        totalLines: 4,
        more: true,
        finalNewline: false,
        format: { encoding: 'utf-8', bom: false },
        version,
        size: 14,
      })
      expect(await fixture.fs.version(target, signal)).toBe(version)
      await expect(fixture.fs.readLines(target, { ...WINDOW, offset: 5 }, signal)).rejects.toMatchObject({ code: 'FS_BEYOND_END' })
    })

    it('reads an empty file as no lines', async () => {
      const fixture = await open()
      await fixture.put('empty', '')
      expect(await fixture.fs.readLines(await at(fixture, 'empty'), WINDOW, signal)).toMatchObject({ lines: [], totalLines: 0, more: false })
    })

    it('says what is not there', async () => {
      const fixture = await open()
      const target = await at(fixture, 'none/missing.txt')
      await expect(fixture.fs.stat(target, signal)).rejects.toMatchObject({ code: 'FS_NOT_FOUND' })
      await expect(fixture.fs.readText(target, signal)).rejects.toMatchObject({ code: 'FS_NOT_FOUND', details: { absent: true } })
      await expect(fixture.fs.editText(target, [{ oldString: 'a', newString: 'b' }], { signal })).rejects.toMatchObject({ code: 'FS_NOT_FOUND' })
      expect(await fixture.fs.version(target, signal)).toBe(ABSENT)
    })

    it('creates, replaces, and leaves alone what is the same', async () => {
      const fixture = await open()
      const target = await at(fixture, 'deep/er/a.txt')
      const first = await fixture.fs.writeText(target, 'one\n', { intent: { kind: 'createIfAbsent' }, signal })
      expect(first).toMatchObject({ operation: 'create', before: null, after: 'one\n' })
      const second = await fixture.fs.writeText(target, 'two\n', { intent: { kind: 'replaceIfVersion', version: first.version }, signal })
      expect(second).toMatchObject({ operation: 'update', before: 'one\n', after: 'two\n' })
      expect(await fixture.fs.writeText(target, 'two\n', { signal })).toMatchObject({ operation: 'unchanged', version: second.version })
      expect((await fixture.bytes('deep/er/a.txt')).toString()).toBe('two\n')
    })

    it('holds to the intent of a write', async () => {
      const fixture = await open()
      await fixture.put('a.txt', 'one\ntwo\n')
      const target = await at(fixture, 'a.txt')
      const version = await fixture.fs.version(target, signal)
      await expect(fixture.fs.writeText(target, 'x', { intent: { kind: 'createIfAbsent' }, signal })).rejects.toMatchObject({ code: 'FS_NOT_OBSERVED', message: expect.stringContaining('2 lines') })
      await fixture.put('a.txt', 'changed')
      await expect(fixture.fs.writeText(target, 'x', { intent: { kind: 'replaceIfVersion', version }, signal })).rejects.toMatchObject({ code: 'FS_STALE_VERSION' })
      await expect(fixture.fs.editText(target, [{ oldString: 'changed', newString: 'x' }], { expect: version, signal })).rejects.toMatchObject({ code: 'FS_STALE_VERSION' })
      expect((await fixture.bytes('a.txt')).toString()).toBe('changed')
      await fixture.remove('a.txt')
      await expect(fixture.fs.writeText(target, 'x', { intent: { kind: 'replaceIfVersion', version }, signal })).rejects.toMatchObject({ code: 'FS_STALE_VERSION', details: { absent: true } })
    })

    it('edits nothing but the match, and all or nothing', async () => {
      const fixture = await open()
      await fixture.put('a.txt', '\ufeffone\r\ntwo\nthree')
      const target = await at(fixture, 'a.txt')
      const outcome = await fixture.fs.editText(target, [{ oldString: 'one\ntwo', newString: '1\n2' }], { signal })
      expect(outcome).toEqual({
        edits: [{ replacements: 1, line: 1 }],
        before: 'one\r\ntwo\nthree',
        after: '1\r\n2\nthree',
        format: { encoding: 'utf-8', bom: true },
        version: await fixture.fs.version(target, signal),
      })
      const bad = [{ oldString: 'three', newString: '3' }, { oldString: 'nowhere', newString: '' }]
      await expect(fixture.fs.editText(target, bad, { signal })).rejects.toMatchObject({ code: 'FS_EDIT_NOT_FOUND' })
      expect((await fixture.bytes('a.txt')).toString()).toBe('\ufeff1\r\n2\nthree')
    })

    it('lets all of many edits of one file land', async () => {
      const fixture = await open()
      await fixture.put('n.txt', Array.from({ length: 20 }, (_, i) => `<${i}>\n`).join(''))
      const target = await at(fixture, 'n.txt')
      await Promise.all(Array.from({ length: 20 }, (_, i) => fixture.fs.editText(target, [{ oldString: `<${i}>`, newString: `[${i}]` }], { signal })))
      expect((await fixture.bytes('n.txt')).toString()).toBe(Array.from({ length: 20 }, (_, i) => `[${i}]\n`).join(''))
    })

    it('lists a directory by name', async () => {
      const fixture = await open()
      await fixture.put('b.txt', '')
      await fixture.put('a/c.txt', '')
      expect(await fixture.fs.listDir(await at(fixture, '.'), signal)).toEqual({
        entries: [{ name: 'a', type: 'directory' }, { name: 'b.txt', type: 'file' }],
        truncated: false,
      })
    })

    it('refuses a directory as a file', async () => {
      const fixture = await open()
      const target = await at(fixture, '.')
      expect(await fixture.fs.stat(target, signal)).toMatchObject({ type: 'directory' })
      await expect(fixture.fs.readText(target, signal)).rejects.toMatchObject({ code: 'FS_NOT_REGULAR_FILE' })
      await expect(fixture.fs.writeText(target, 'x', { signal })).rejects.toMatchObject({ code: 'FS_NOT_REGULAR_FILE' })
    })

    it('stops with the reason of an aborted signal, and changes nothing', async () => {
      const fixture = await open()
      await fixture.put('a.txt', 'a')
      const target = await at(fixture, 'a.txt')
      const reason = new Error('changed my mind')
      const aborted = AbortSignal.abort(reason)
      await expect(fixture.fs.resolve('a.txt', { cwd: fixture.directory, signal: aborted })).rejects.toBe(reason)
      for (const call of [
        () => fixture.fs.stat(target, aborted),
        () => fixture.fs.version(target, aborted),
        () => fixture.fs.readText(target, aborted),
        () => fixture.fs.readLines(target, WINDOW, aborted),
        () => fixture.fs.listDir(target, aborted),
        () => fixture.fs.writeText(target, 'b', { signal: aborted }),
        () => fixture.fs.editText(target, [{ oldString: 'a', newString: 'b' }], { signal: aborted }),
      ]) await expect(call()).rejects.toBe(reason)
      expect((await fixture.bytes('a.txt')).toString()).toBe('a')
    })
  })
}
