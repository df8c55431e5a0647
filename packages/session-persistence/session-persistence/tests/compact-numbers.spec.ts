import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeNumbers, encodeNumbers } from '../src/compact-numbers.ts'

describe('numbers', () => {
  it('come back as they were', () => {
    fc.assert(fc.property(fc.array(fc.oneof(fc.integer({ min: -5, max: 40 }), fc.constant(1), fc.integer())), numbers => {
      expect(decodeNumbers(encodeNumbers(numbers), numbers.length)).toEqual(numbers)
    }))
  })

  it('take no room in runs, and are refused when they claim too much', () => {
    expect(encodeNumbers(new Array(200_000).fill(1))).toBe('1*200000;')
    expect([decodeNumbers('1*200000;', 199_999), decodeNumbers('!', 9)]).toEqual([undefined, undefined])
    for (const text of ['(', '(1', '()', '(1x)', '1*', '1*5', '1*x;', '*3;', '(1)*;', 'A', '-1', '(55', '1*05', '1*-5', '1*0;', '1*-5;1', '2(1', '(1)*05']) expect(decodeNumbers(text, 100)).toBeUndefined()
  })
})
