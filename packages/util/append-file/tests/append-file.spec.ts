import fs, { appendFileSync, chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { AppendFile } from '../src/index.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
})

function newPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dsh-append-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'file')
}

function opened(file: AppendFile): AppendFile {
  cleanups.push(() => file.close())
  return file
}

/** Has a function of the file system fail, until what it returns is called. */
function failing(name: 'ftruncateSync' | 'linkSync' | 'writeSync', code: string, first: (...args: never[]) => void = () => undefined): () => void {
  const real = fs[name]
  Object.assign(fs, {
    [name]: (...args: never[]) => {
      first(...args)
      throw Object.assign(new Error(`${code}: it fails`), { code })
    },
  })
  syncBuiltinESMExports()
  return () => {
    Object.assign(fs, { [name]: real })
    syncBuiltinESMExports()
  }
}

const outcome = (work: () => unknown): unknown => {
  try {
    return work() ?? 'done'
  } catch (error) {
    return (error as { code?: string }).code
  }
}

describe('AppendFile', () => {
  it('is created whole and private, once, and grows', async () => {
    const path = newPath()
    const file = opened(AppendFile.create(path, 'one\n'))
    file.append('two ü\n')
    await file.sync()
    await file.sync()
    expect([readFileSync(path, 'utf8'), (statSync(path).mode & 0o777).toString(8), outcome(() => AppendFile.create(path, 'other')), readdirSync(join(path, '..'))]).toEqual(['one\ntwo ü\n', '600', 'exists', ['file']])
    expect(file.stamp()).toEqual({ size: 11, mtimeMs: statSync(path).mtimeMs, ino: statSync(path).ino })
  })

  it('is created where there are no second names, and goes on there', () => {
    const path = newPath()
    const restore = failing('linkSync', 'ENOTSUP')
    const file = opened(AppendFile.create(path, 'one\n'))
    restore()
    file.append('two\n')
    expect(readFileSync(path, 'utf8')).toBe('one\ntwo\n')
  })

  it('is opened as it was found to be, private, without what is not sound', () => {
    const path = newPath()
    writeFileSync(path, 'one\nhal')
    chmodSync(path, 0o666)
    const { ino } = statSync(path)
    expect([outcome(() => AppendFile.open(path, { ino, size: 8, length: 4 })), outcome(() => AppendFile.open(path, { ino: ino + 1, size: 7, length: 4 }))]).toEqual(['changed', 'changed'])
    opened(AppendFile.open(path, { ino, size: 7, length: 4 })).append('two\n')
    expect([readFileSync(path, 'utf8'), (statSync(path).mode & 0o777).toString(8)]).toEqual(['one\ntwo\n', '600'])
  })

  it('writes nothing to a file that something else changed, made or removed', () => {
    const path = newPath()
    const file = opened(AppendFile.openNew(path))
    expect(outcome(() => AppendFile.openNew(path))).toBe('changed')
    appendFileSync(path, 'intruder')
    expect([outcome(() => file.append('x')), outcome(() => file.assertUnchanged()), readFileSync(path, 'utf8')]).toEqual(['changed', 'changed', 'intruder'])
    writeFileSync(path, '')
    rmSync(path)
    expect(outcome(() => file.append('x'))).toBe('changed')
  })

  it('keeps no half of a write that failed, also when that cannot be cut off at once', () => {
    const path = newPath()
    const file = opened(AppendFile.create(path, 'one\n'))
    const real = fs.writeSync
    const half = (...[fd, bytes, , , position]: [number, Buffer, number, number, number]): void => void real(fd, bytes, 0, 2, position)
    const write = failing('writeSync', 'ENOSPC', half as never)
    expect([outcome(() => file.append('two\n')), readFileSync(path, 'utf8')]).toEqual(['ENOSPC', 'one\n'])
    const cut = failing('ftruncateSync', 'EIO')
    expect([outcome(() => file.append('two\n')), readFileSync(path, 'utf8')]).toEqual(['EIO', 'one\ntw'])
    cut()
    write()
    file.append('2\n')
    expect(readFileSync(path, 'utf8')).toBe('one\n2\n')
  })

  it('begins anew when it is emptied, at the latest with the next append', () => {
    const path = newPath()
    const file = opened(AppendFile.create(path, 'one\n'))
    file.empty()
    expect(readFileSync(path, 'utf8')).toBe('')
    file.append('two, which is longer\n')
    const restore = failing('ftruncateSync', 'EIO')
    file.empty()
    expect([readFileSync(path, 'utf8'), outcome(() => file.append('x'))]).toEqual(['two, which is longer\n', 'EIO'])
    restore()
    file.append('three\n')
    expect(readFileSync(path, 'utf8')).toBe('three\n')
  })
})
