import { describe, expect, it } from 'vitest'
import { parseRetryAfter } from '../src/index.ts'

describe('parseRetryAfter', () => {
  const now = Date.UTC(2026, 10, 30, 12, 0, 0)

  it.each<[Record<string, string>, number | undefined]>([
    [{ 'retry-after': '2' }, 2000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': ' 7200 ' }, 7_200_000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 12:00:03 GMT' }, 3000],
    [{ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    [{ 'retry-after-ms': 'soon', 'retry-after': '9' }, 9000],
    [{ 'retry-after': '-1' }, undefined],
    [{ 'retry-after': 'abc' }, undefined],
    [{ 'retry-after': 'Infinity' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
  ])('reads %o as %s ms', (headers, expected) => {
    expect(parseRetryAfter(headers, now)).toBe(expected)
  })
})
