import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boundedDiff } from '../src/bounded-diff.ts'

const block = (from: number, to: number): string => Array.from({ length: to - from + 1 }, (_, i) => `line number ${from + i} of this text\n`).join('')

it('finds changes that are far apart', async () => {
  const before = block(1, 400)
  const after = before.replace('number 20 ', 'number twenty ').replace('number 300 of this text\n', 'number 300 of this text\nnew\n')
  expect(await boundedDiff(before, after, 10_000)).toMatchObject({
    added: 2,
    removed: 1,
    hunks: [{ line: 17, oldText: expect.stringContaining('number 20 '), newText: expect.stringContaining('number twenty ') }, { line: 298, newText: expect.stringContaining('new\n') }],
  })
})

it('has nothing to show for equal texts', async () => {
  expect(await boundedDiff('a\nb', 'a\nb', 100)).toMatchObject({ added: 0, removed: 0 })
})

it('only counts what is too long to keep', async () => {
  expect(await boundedDiff('a\n', `a\n${block(1, 30)}`, 100)).toEqual({ added: 30, removed: 0 })
})

it('turns the old text into the new one at the lines it names', async () => {
  const texts = fc.array(fc.constantFrom('a\n', 'b\n', 'c\n', 'dd\n', '\n', 'x'), { maxLength: 25 }).map(parts => parts.join(''))
  await fc.assert(
    fc.asyncProperty(texts, texts, async (before, after) => {
      const { hunks = [] } = await boundedDiff(before, after, 100_000)
      const [hunk] = hunks
      expect(hunks.length).toBe(1)
      const lead = after.split('\n').slice(0, (hunk?.line ?? 1) - 1).map(line => `${line}\n`).join('')
      expect(after.startsWith(lead + (hunk?.newText ?? ''))).toBe(true)
      expect(lead + (hunk?.oldText ?? '') + after.slice(lead.length + (hunk?.newText.length ?? 0))).toBe(before)
    }),
  )
})
