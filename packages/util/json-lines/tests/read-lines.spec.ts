import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { readLines, type InputLine } from '../src/index.ts'

async function read(chunks: readonly (string | Uint8Array)[], most = 1000): Promise<InputLine[]> {
  const lines: InputLine[] = []
  for await (const line of readLines((async function* () { yield* chunks })(), most)) lines.push(line)
  return lines
}

const line = (number: number, text: string): InputLine => ({ kind: 'line', number, text })

it('takes lines as they come, whatever the pieces', async () => {
  const whole = Buffer.from('{"a":"ä€😀"}\n{"b":1}\r\n\n  \n{"c":2}\n')
  const expected = [line(1, '{"a":"ä€😀"}'), line(2, '{"b":1}'), line(5, '{"c":2}')]
  for (const size of [1, 2, 3, 7, whole.length]) {
    const pieces = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.subarray(i * size, (i + 1) * size))
    expect(await read(pieces)).toEqual(expected)
  }
})

it('takes what stands after the last line feed for a line', async () => {
  expect(await read(['{"a":1}\n{"b"', ':2}'])).toEqual([line(1, '{"a":1}'), line(2, '{"b":2}')])
})

it('leaves U+2028 and U+2029 inside a line, and a BOM before the first one out', async () => {
  expect(await read(['\uFEFF"a\u2028b\u2029c"\n\uFEFF"d"\n'])).toEqual([line(1, '"a\u2028b\u2029c"'), line(2, '\uFEFF"d"')])
})

it('refuses a line that is too long and goes on with the next', async () => {
  expect(await read(['x'.repeat(6), 'x'.repeat(6), '\nshort\n', 'y'.repeat(10)], 10)).toEqual([
    { kind: 'bad', number: 1, code: 'LINE_TOO_LONG', message: 'the line has 12 bytes, and at most 10 are taken; put long text into a file and name the file' },
    line(2, 'short'),
    line(3, 'yyyyyyyyyy'),
  ])
})

it('does not keep the bytes of a line that is too long', async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const pieces: WeakRef<Buffer>[] = []
  let most = 0
  const input = (async function* () {
    for (let i = 1; i <= 200; i++) {
      yield remembered(pieces)
      if (i % 50 !== 0) continue
      // What a weak reference was made of lives until the end of its job.
      await new Promise(resolve => setImmediate(resolve))
      collect()
      most = Math.max(most, pieces.filter(piece => piece.deref() !== undefined).length)
    }
  })()
  const lines: InputLine[] = []
  for await (const each of readLines(input, 64 * 1024)) lines.push(each)
  expect(lines).toMatchObject([{ kind: 'bad', code: 'LINE_TOO_LONG' }])
  expect(most).toBeLessThan(50)
})

function remembered(pieces: WeakRef<Buffer>[]): Buffer {
  const piece = Buffer.alloc(32 * 1024, 'x')
  pieces.push(new WeakRef(piece))
  return piece
}

it('refuses bytes that are no text', async () => {
  expect(await read([new Uint8Array([0x22, 0xff, 0x22, 0x0a]), '"b"\n'])).toEqual([{ kind: 'bad', number: 1, code: 'NOT_UTF8', message: 'the line is not UTF-8 text' }, line(2, '"b"')])
})
