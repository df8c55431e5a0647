import { describe, expect, it } from 'vitest'
import { knownModel } from '../src/models.ts'

describe('knownModel', () => {
  it.each([
    ['2026-11-30T00:59:59Z', 0.15],
    ['2026-11-30T01:00:00Z', 0.3],
    ['2026-11-30T04:00:00Z', 0.15],
    ['2026-11-30T09:59:00Z', 0.3],
    ['2026-11-29T02:00:00Z', 0.15],
  ])('knows that the price at %s is %d', (at, input) => {
    expect(knownModel('deepseek-flash', Date.parse(at))?.price?.input).toBe(input)
  })

  it('knows nothing of other models', () => {
    expect(knownModel('gpt', 0)).toBeUndefined()
  })
})
