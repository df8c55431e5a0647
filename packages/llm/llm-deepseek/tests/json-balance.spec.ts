import fc from 'fast-check'
import { expect, it } from 'vitest'
import { JsonBalance } from '../src/json-balance.ts'

it('closes exactly where the object ends, however the text is cut', () => {
  const property = fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.nat(), (value, at) => {
    const text = JSON.stringify(value)
    const cut = at % text.length
    const balance = new JsonBalance()
    balance.feed(text.slice(0, cut))
    expect(balance.closed).toBe(false)
    balance.feed(text.slice(cut))
    expect(balance.closed).toBe(true)
  })
  fc.assert(property)
})

it('is not closed before anything was opened', () => {
  const balance = new JsonBalance()
  balance.feed(' ')
  expect(balance.closed).toBe(false)
})
