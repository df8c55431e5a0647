import { expect, it } from 'vitest'
import { alignColumns, clipTitle, formatAge, formatSize } from '../src/format.ts'

it.each([[-5, 'now'], [59_999, 'now'], [60_000, '1 min'], [3_599_999, '59 min'], [3_600_000, '1 h'], [86_400_000, '1 d'], [400 * 86_400_000, '400 d']])('tells an age of %d ms as %s', (ms, text) => {
  expect(formatAge(ms)).toBe(text)
})

it.each([[0, '0 B'], [999, '999 B'], [1000, '1.0 kB'], [9_949, '9.9 kB'], [12_345, '12 kB'], [1_500_000, '1.5 MB'], [2_000_000_000, '2.0 GB']])('tells a size of %d as %s', (bytes, text) => {
  expect(formatSize(bytes)).toBe(text)
})

it('makes one short line of a title', () => {
  expect([' a\n b ', '', 'x'.repeat(61)].map(clipTitle)).toEqual(['a b', '(untitled)', `${'x'.repeat(59)}…`])
})

it('aligns columns, and leaves the last one as it is', () => {
  expect(alignColumns([['a', 'b', 'c'], ['aaa', 'b', 'ccc'], ['', '', '']])).toBe('a    b  c\naaa  b  ccc\n\n')
  expect(alignColumns([])).toBe('')
})
