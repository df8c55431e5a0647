import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deepFreeze, findNonJson, freezeJson, freezeParsed, isJsonValue, parseJsonObject } from '../src/index.ts'

describe('findNonJson', () => {
  it('accepts exactly what JSON gives back unchanged', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), value => {
        const stored: unknown = JSON.parse(JSON.stringify(value))
        expect([isJsonValue(stored), findNonJson(stored)]).toEqual([true, undefined])
      }),
    )
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSet: true, withSparseArray: true, withTypedArray: true, withNullPrototype: true }).filter(isJsonValue), value => {
        expect(JSON.parse(JSON.stringify(value))).toEqual(normal(value))
      }),
    )
  })

  it.each([
    [{ a: [1, () => 0] }, 'value.a[1] is a function'],
    [{ a: undefined }, 'value.a is undefined'],
    [[Number.NaN], 'value[0] is NaN'],
    [[Infinity], 'value[0] is Infinity'],
    [5n, 'value is a bigint'],
    [Symbol('x'), 'value is a symbol'],
    [new Map(), 'value is an instance of Map'],
    [new Date(0), 'value is an instance of Date'],
    [[1, , 2], 'value[1] is undefined'], // oxlint-disable-line no-sparse-arrays
    [{ 'a b': { c: undefined } }, 'value["a b"].c is undefined'],
    [{ toJSON: 5 }, undefined],
    [JSON.parse('{"__proto__": 1}'), undefined],
  ])('says of %o: %s', (value, found) => {
    expect(findNonJson(value)).toBe(found)
  })

  it('ends at a circle', () => {
    const circle: unknown[] = []
    circle.push(circle)
    expect(findNonJson(circle)).toMatch(/^value(\[0\])+ is nested deeper than 200 levels or cyclic$/)
  })
})

/** What equality should not see: the prototype of plain objects, and the sign of zero. */
function normal(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normal)
  if (value === 0) return 0
  return typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value).map(([key, each]) => [key, normal(each)])) : value
}

describe('deepFreeze', () => {
  it('freezes all the way down and returns its argument', () => {
    const value = { a: [{ b: 1 }], c: null }
    expect(deepFreeze(value)).toBe(value)
    expect([value, value.a, value.a[0]].map(Object.isFrozen)).toEqual([true, true, true])
  })

  it('ends at a circle and leaves what is no object', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(deepFreeze(circle)).toBe(circle)
    expect(deepFreeze('x')).toBe('x')
  })

  it('reaches deep nesting without a stack overflow', () => {
    let value: unknown[] = []
    for (let depth = 0; depth < 200; depth++) value = [value]
    expect(Object.isFrozen(deepFreeze(value))).toBe(true)
  })
})

describe('freezeParsed', () => {
  it('freezes what was parsed all the way down', () => {
    fc.assert(fc.property(fc.array(fc.jsonValue()), value => {
      const parsed = JSON.parse(JSON.stringify(value)) as object
      expect(freezeParsed(parsed)).toBe(true)
      expect([parsed, allFrozen(parsed)]).toEqual([JSON.parse(JSON.stringify(value)), true])
    }))
  })
})

describe('freezeParsed on deep nesting', () => {
  it('agrees with findNonJson on what is too deep', () => {
    for (const depth of [150, 199, 200, 201, 202, 100_000]) {
      const parsed = JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as object
      expect(freezeParsed(parsed)).toBe(findNonJson(parsed) === undefined)
    }
  })
})

describe('freezeJson', () => {
  it('accepts what findNonJson accepts, and freezes it as deepFreeze does', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true, withSparseArray: true, withNullPrototype: true }), value => {
        const isJson = findNonJson(value) === undefined
        expect(freezeJson(value)).toBe(isJson)
        if (isJson) expect(allFrozen(value)).toBe(true)
      }),
    )
  })

  it('ends at a circle', () => {
    const circle: unknown[] = []
    circle.push(circle)
    expect(freezeJson(circle)).toBe(false)
  })
})

function allFrozen(value: unknown): boolean {
  return typeof value !== 'object' || value === null || (Object.isFrozen(value) && Object.values(value).every(allFrozen))
}

describe('parseJsonObject', () => {
  it('reads every object that JSON can write', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), value => {
        expect(parseJsonObject(JSON.stringify(value))).toEqual({ kind: 'object', value: JSON.parse(JSON.stringify(value)) })
      }),
    )
  })

  it('never throws', () => {
    fc.assert(
      fc.property(fc.string(), text => {
        expect(['object', 'invalid']).toContain(parseJsonObject(text).kind)
      }),
    )
  })

  it.each(['', ' \n\t'])('takes %j for no arguments', text => {
    expect(parseJsonObject(text)).toEqual({ kind: 'object', value: {} })
  })

  it.each([
    ['[1]', 'expected a JSON object, found an array'],
    ['null', 'expected a JSON object, found null'],
    ['5', 'expected a JSON object, found a number'],
    ['"x"', 'expected a JSON object, found a string'],
  ])('refuses %s', (text, message) => {
    expect(parseJsonObject(text)).toEqual({ kind: 'invalid', message })
  })

  it.each([
    ['{"a": 1', 7, 'not valid JSON at offset 7 of 7: '],
    ['{"a": "x', 8, 'not valid JSON at offset 8 of 8: '],
    ['{"a"', 4, 'not valid JSON at offset 4 of 4: '],
    ['{', 1, 'not valid JSON at offset 1 of 1: '],
  ])('says of %s that it was cut', (text, offset, start) => {
    const parsed = parseJsonObject(text)
    expect(parsed).toEqual({ kind: 'invalid', offset, message: expect.stringContaining('the text ends too early, as if it had been cut') })
    expect(parsed).toMatchObject({ message: expect.stringContaining(start) })
  })

  it.each([
    ['{"a": 1,}', 8],
    ['{"a": 1} x', 9],
    ['{a: 1}', 1],
    ["{'a': 1}", 1],
    ['{"a": nope}', 7],
    ['{"a": "b\nc"}', 8],
    ['{"a": "\\x"}', 8],
  ])('says of %j where the fault is', (text, offset) => {
    const parsed = parseJsonObject(text)
    expect(parsed).toMatchObject({ kind: 'invalid', offset, message: expect.stringContaining(`not valid JSON at offset ${offset} of ${text.length}: `) })
    expect(parsed).toMatchObject({ message: expect.not.stringContaining('cut') })
  })

  it('finds the fault of every text that is cut', () => {
    const text = '{"path": "src/é😀.ts", "n": [1, 2.5e3, true, null, {"x": ""}]}'
    for (let end = 1; end < text.length; end++) {
      expect(parseJsonObject(text.slice(0, end))).toMatchObject({ kind: 'invalid', offset: expect.any(Number), message: expect.stringContaining('cut') })
    }
  })
})
