import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countByDirectory, samplePaths } from '../src/sample-paths.ts'

const path = fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1, maxLength: 4 }).map(parts => [...parts.slice(0, -1), `${parts.at(-1)}.ts`].join('/'))
const paths = fc.uniqueArray(path, { maxLength: 60 })

describe('samplePaths', () => {
  it('shows every top directory before it shows much of one', () => {
    const all = [...Array(100).keys()].map(n => `aaa/${String(n).padStart(3, '0')}`).concat('bbb/x', 'ccc/y', 'zzz')
    expect(samplePaths(all, 6)).toEqual(['aaa/000', 'aaa/001', 'aaa/002', 'bbb/x', 'ccc/y', 'zzz'])
  })

  it('fills the limit, invents nothing, and stays sorted', () => {
    fc.assert(
      fc.property(paths, fc.integer({ min: 1, max: 70 }), (all, most) => {
        const shown = samplePaths(all, most)
        expect(shown).toHaveLength(Math.min(all.length, most))
        expect(new Set(all).isSupersetOf(new Set(shown))).toBe(true)
        expect(shown).toEqual([...new Set(shown)].sort())
      }),
    )
  })

  it('does not depend on the order that it is given', () => {
    fc.assert(
      fc.property(paths, fc.integer({ min: 1, max: 70 }), (all, most) => {
        expect(samplePaths(all.toReversed(), most)).toEqual(samplePaths(all, most))
      }),
    )
  })
})

describe('countByDirectory', () => {
  it('counts below the first directory that branches', () => {
    expect(countByDirectory(['src/a/x', 'src/a/y/z', 'src/b/x', 'src/c'])).toEqual([
      { directory: 'src/', files: 1 },
      { directory: 'src/a/', files: 2 },
      { directory: 'src/b/', files: 1 },
    ])
  })

  it('counts every path once', () => {
    fc.assert(
      fc.property(paths, all => {
        expect(countByDirectory(all).reduce((sum, { files }) => sum + files, 0)).toBe(all.length)
      }),
    )
  })
})
