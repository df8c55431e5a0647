import fc from 'fast-check'
import { expect, it } from 'vitest'
import { applyEdits } from '../src/index.ts'

const parts = fc.array(fc.constantFrom('a', 'b', '$&', '\u2019', '😀', '\t', '\n', '\r\n', '\r', ' '), { maxLength: 12 }).map(list => list.join(''))
/** Once in every text: no part above can make it. */
const mark = '<MARK\u0000>'

it('leaves every byte before and after the match as it was', () => {
  fc.assert(
    fc.property(parts, parts, parts, (before, after, fresh) => {
      const { text } = applyEdits(before + mark + after, [{ oldString: mark, newString: fresh }])
      expect(text.startsWith(before)).toBe(true)
      expect(text.endsWith(after)).toBe(true)
      const landed = text.slice(before.length, text.length - after.length)
      expect(landed.replaceAll('\r\n', '\n')).toBe(fresh.replaceAll('\r\n', '\n'))
    }),
    { numRuns: 1_000 },
  )
})

it('finds what a reader saw, whatever the line ends, and gives back what was there', () => {
  const lines = fc.array(fc.tuple(fc.constantFrom('one', 'two', '', '  x', '\ty'), fc.constantFrom('\n', '\r\n')), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(lines, fc.nat(7), fc.integer({ min: 1, max: 4 }), (file, from, count) => {
      const chosen = file.slice(from % file.length, (from % file.length) + count)
      const head = file.slice(0, from % file.length)
      const tail = file.slice((from % file.length) + count)
      const raw = (list: typeof file): string => list.map(([line, end]) => line + end).join('')
      const seen = chosen.map(([line]) => `${line}\n`).join('')
      const marked = `${raw(head)}#${raw(chosen)}${raw(tail)}`
      const { text } = applyEdits(marked, [{ oldString: `#${seen}`, newString: `!${seen}` }])
      expect(text).toBe(`${raw(head)}!${raw(chosen)}${raw(tail)}`)
    }),
    { numRuns: 1_000 },
  )
})
