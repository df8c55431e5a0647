import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OutputTail } from '../src/output-tail.ts'
import { open, scratchDirectory } from './fixture.ts'

const noSpill = () => {
  throw new Error('disk full')
}

describe('OutputTail', () => {
  it('gives back every text, however it is cut into reads', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.array(fc.nat(7)), (text, cuts) => {
        const tail = new OutputTail({ maxBytes: 100_000, openSpill: noSpill })
        let bytes = Buffer.from(text)
        for (const cut of cuts) {
          tail.push(bytes.subarray(0, cut))
          bytes = bytes.subarray(cut)
        }
        tail.push(bytes)
        expect(tail.finish(true).text).toBe(text)
      }),
    )
  })

  it('cuts at a character when the limit falls inside one', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 10 }), fc.integer({ min: 1, max: 30 }), (text, maxBytes) => {
        const tail = new OutputTail({ maxBytes, openSpill: noSpill })
        for (const byte of Buffer.from(text)) tail.push(Buffer.from([byte]))
        const { text: kept } = tail.finish(true)
        expect(text.endsWith(kept) && Buffer.byteLength(kept) <= maxBytes && Buffer.byteLength(kept) > Math.min(maxBytes, Buffer.byteLength(text)) - 4).toBe(true)
      }),
    )
  })

  it('leaves half a character out when the stream was not at its end', () => {
    const halves = [true, false].map(complete => {
      const tail = new OutputTail({ maxBytes: 10, openSpill: noSpill })
      tail.push(Buffer.from([0x78, 0xe2, 0x80]))
      return tail.finish(complete).text
    })
    expect(halves).toEqual(['x\uFFFD', 'x'])
  })

  it('goes on without a file when there can be none, and says why', () => {
    const tail = new OutputTail({ maxBytes: 4, openSpill: noSpill })
    tail.push(Buffer.from('abcdef'))
    expect(tail.finish(true)).toEqual({ text: 'cdef', truncated: true, totalBytes: 6, spillError: 'disk full' })
  })
})

describe('long output', () => {
  it('is kept as a tail, and whole in a private file', async () => {
    const { run } = await open({ maxOutputBytes: 100 })
    const { stdout, stderr } = await run('seq 1 1000; echo short >&2')
    const whole = Array.from({ length: 1000 }, (_, i) => `${i + 1}\n`).join('')
    const { spillPath = '' } = stdout
    expect(stdout).toEqual({ text: whole.slice(-100), truncated: true, totalBytes: whole.length, spillPath, spilledBytes: whole.length })
    expect(stderr).toEqual({ text: 'short\n', truncated: false, totalBytes: 6 })
    expect(readFileSync(spillPath, 'utf8')).toBe(whole)
    expect([statSync(spillPath).mode & 0o777, statSync(dirname(spillPath)).mode & 0o777]).toEqual([0o600, 0o700])
  })

  it('has no replacement character that is not in the data', async () => {
    const { run } = await open()
    const { stdout } = await run(`python3 -c "print('你'*50000)"`)
    expect([stdout.truncated, stdout.text.includes('\uFFFD'), stdout.text.length]).toEqual([true, false, 21_334])
  })

  it('is bounded on disk, by file, by count and in sum', async () => {
    const { run } = await open({ maxOutputBytes: 10, spill: { maxBytes: 1_000, maxFiles: 3, maxTotalBytes: 100_000 } })
    const paths: string[] = []
    for (let i = 0; i < 5; i++) {
      const { stdout } = await run('seq 1 1000')
      expect([stdout.spilledBytes, statSync(stdout.spillPath ?? '').size]).toEqual([1_000, 1_000])
      paths.push(stdout.spillPath ?? '')
    }
    expect(paths.map(existsSync)).toEqual([false, false, true, true, true])
    const small = await open({ maxOutputBytes: 10, spill: { maxTotalBytes: 10_000 } })
    const kept: string[] = []
    for (let i = 0; i < 4; i++) kept.push((await small.run('seq 1 1000')).stdout.spillPath ?? '')
    expect(kept.map(existsSync)).toEqual([false, false, true, true])
  })

  it('leaves no file of a cancelled command', async () => {
    const root = scratchDirectory()
    const { run } = await open({ maxOutputBytes: 10, spill: { root } })
    const running = run('yes', {}, AbortSignal.timeout(100))
    await expect(running).rejects.toMatchObject({ name: 'TimeoutError' })
    expect(readdirSync(root).flatMap(name => readdirSync(join(root, name))).filter(name => name.endsWith('.log'))).toEqual([])
  })

  it('goes with the executor, and what a crashed one left goes by age', async () => {
    const root = scratchDirectory()
    const old = new Date(Date.now() - 1e9)
    for (const name of ['dsh-bash-99999999-aaaaaa', 'dsh-bash-99999999-bbbbbb', `dsh-bash-${process.pid}-cccccc`, 'other']) {
      mkdirSync(join(root, name))
      writeFileSync(join(root, name, '1-stdout.log'), 'x')
      if (!name.endsWith('bbbbbb')) utimesSync(join(root, name), old, old)
    }
    symlinkSync(join(root, 'other'), join(root, 'dsh-bash-99999999-dddddd'))
    const { run, dispose } = await open({ maxOutputBytes: 10, spill: { root } })
    await run('seq 1 1000')
    await dispose()
    expect(readdirSync(root).sort()).toEqual([`dsh-bash-${process.pid}-cccccc`, 'dsh-bash-99999999-bbbbbb', 'dsh-bash-99999999-dddddd', 'other'].sort())
    expect(existsSync(join(root, 'other', '1-stdout.log'))).toBe(true)
  })
})
