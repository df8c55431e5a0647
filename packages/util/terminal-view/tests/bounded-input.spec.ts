/** What a terminal sends, over the library's own buffer; only the clock is not the real one. */

import { StdinBuffer } from '@earendil-works/pi-tui'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { BoundedInput } from '../src/bounded-input.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Pieces, and milliseconds of silence; then as many as anybody waits. What came of it: keys, and pastes in brackets. */
function after(...pieces: (string | number)[]): string[] {
  const buffer = new StdinBuffer()
  const input = new BoundedInput(buffer as never)
  const came: string[] = []
  buffer.on('data', key => void came.push(key))
  buffer.on('paste', text => void came.push(`[${text}]`))
  for (const piece of pieces) {
    if (typeof piece === 'number') vi.advanceTimersByTime(piece)
    else input.take(piece)
  }
  vi.advanceTimersByTime(5000)
  input.take('!')
  return came
}

const HALF = '\u001b]11;rgb:ff'
const BEGIN = '\u001b[200~'
const END = '\u001b[201~'
const CTRL_C = '\u0003'

it.each<[string, (string | number)[], string[]]>([
  ['that is cut off', [HALF], []],
  ['that is cut off before its end', [`${HALF}\u001b`], []],
  ['whose rest comes slowly', [HALF, 400, 'ff/ffff', 400, '/ffff\u001b', 40, '\\'], [`${HALF}ff/ffff/ffff\u001b\\`]],
  ['whose rest comes too late', [HALF, 1500, 'ff/ffff/ffff\u001b\\', 'a'], ['a']],
  ['and a key', [HALF, 'x'], ['x']],
  ['and keys that could belong to it', [HALF, 'ab', 2000, 'ab'], ['a', 'b']],
  ['and Ctrl-C', [HALF, CTRL_C], [CTRL_C]],
  ['and Ctrl-C as newer terminals send it', [HALF, '\u001b[99;5u'], ['\u001b[99;5u']],
  ['and Enter', ['\u001b]7501;?', 'hello\r'], ['\r']],
  ['and a person who never stops', ['\u001bP>|', ...Array.from({ length: 8 }, () => ['a', 500]).flat()], ['a', 'a']],
  ['and a whole one', [HALF, '\u001b]10;rgb:0/0/0\u0007'], ['\u001b]10;rgb:0/0/0\u0007']],
])('takes keys again behind an answer %s', (_, pieces, keys) => {
  expect(after(...pieces)).toEqual([...keys, '!'])
})

it.each<[string, (string | number)[], string[]]>([
  ['that comes slowly', [`${BEGIN}ab`, 900, 'c\n', 900, `d${END}`], ['[abc\nd]']],
  ['that has no end', [`${BEGIN}abc`, 1500, 'd', 'e'], ['[abc]', 'd', 'e']],
  ['that Ctrl-C ends', [`${BEGIN}abc`, CTRL_C, 'd'], ['[abc]', CTRL_C, 'd']],
  ['that a new kind of Ctrl-C ends', [`${BEGIN}abc`, '\u001b[27;5;99~'], ['[abc]', '\u001b[27;5;99~']],
  ['that Ctrl-C ends, pressed twice', [`${BEGIN}abc`, CTRL_C + CTRL_C], ['[abc]', CTRL_C, CTRL_C]],
  ['that holds what looks like one', [`${BEGIN}a${CTRL_C}b${HALF}`, END], [`[a${CTRL_C}b${HALF}]`]],
  ['whose rest comes too late, which nobody typed', [`${BEGIN}ab\n`, 1500, 'rm -r x\nrm', 1500, ` y\n${END}`, 'z'], ['[ab\n]', '[rm -r x\nrm]', '[ y\n]', 'z']],
])('makes a paste of one %s', (_, pieces, keys) => {
  expect(after(...pieces)).toEqual([...keys, '!'])
})

it('has no timer while nothing is unfinished', () => {
  after('a', HALF, 'x', `${BEGIN}a${END}`, `${BEGIN}b`)
  expect(vi.getTimerCount()).toBe(0)
})
