import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { EarlyKeys } from '../src/early-keys.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('takes a line feed for Enter in what was there when the terminal was taken, and in nothing else', () => {
  const keys = new EarlyKeys()
  keys.begin()
  expect([keys.read('typed ahead\n'), keys.read('\n')]).toEqual(['typed ahead\r', '\n'])

  const pasting = new EarlyKeys()
  pasting.begin()
  expect(pasting.read('typed\n\u001b[200~a\r\nb\u001b[201~')).toBe('typed\r\u001b[200~a\r\nb\u001b[201~')

  const late = new EarlyKeys()
  late.begin()
  vi.advanceTimersByTime(2000)
  expect(late.read('\n')).toBe('\n')

  const again = new EarlyKeys()
  again.begin()
  again.begin()
  expect(again.read('\n')).toBe('\n')
})
