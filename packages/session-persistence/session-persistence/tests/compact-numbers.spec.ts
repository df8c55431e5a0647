import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeNumbers, encodeNumbers } from '../src/compact-numbers.ts'

describe('numbers', () => {
  it('come back as they were', () => {
    fc.assert(fc.property(fc.array(fc.oneof(fc.integer({ min: -5, max: 40 }), fc.integer({ min: 30, max: 980 }), fc.constant(1), fc.integer())), numbers => {
      expect(decodeNumbers(encodeNumbers(numbers), numbers.length)).toEqual(numbers)
    }))
  })

  it('take a byte up to 35, two up to 971', () => {
    expect([0, 9, 10, 35, 36, 71, 72, 971, 972, -1].map(each => encodeNumbers([each]))).toEqual(['0', '9', 'a', 'z', 'A0', 'Az', 'B0', 'Zz', '(972)', '(-1)'])
    expect(encodeNumbers([50, 50, 50, 50, 50, 3])).toBe('Ae*5;3')
    expect(decodeNumbers('(50)Ae*2;(971)', 9)).toEqual([50, 50, 50, 971])
  })

  it('take no room in runs, and are refused when they claim too much', () => {
    expect(encodeNumbers(new Array(200_000).fill(1))).toBe('1*200000;')
    expect([decodeNumbers('1*200000;', 199_999), decodeNumbers('!', 9)]).toEqual([undefined, undefined])
    for (const text of ['(', '(1', '()', '(1x)', '1*', '1*5', '1*x;', '*3;', '(1)*;', 'A', 'AA', 'A(', 'A*5;', 'B', '1Z', '[0', '@0', '-1', '(55', '1*05', '1*-5', '1*0;', '1*-5;1', '2(1', '(1)*05']) expect(decodeNumbers(text, 100)).toBeUndefined()
  })
})
