import { beforeEach, expect, it } from 'vitest'
import { HeldKeys } from '../src/held-keys.ts'

let keys: HeldKeys
let told = 0
const onDropped = (): void => void told++

/** The keys that somebody else gets. */
const passing = (typed: Iterable<string>, now: number): string => [...typed].filter(key => !keys.take(key, now)).join('')

/** A question that is answered by Enter. */
function question() {
  let isOpen = true
  const got: string[] = []
  return {
    got,
    isOpen: () => isOpen,
    handleInput(data: string) {
      got.push(data)
      if (data !== '\r') return
      isOpen = false
      keys.drop(1000)
    },
  }
}

beforeEach(() => {
  keys = new HeldKeys()
  told = 0
})

it('is in nobody\'s way otherwise', () => {
  expect(passing('a\r', 0)).toBe('a\r')
})

it('keeps what is typed for the question that comes, and takes no more of it than the answer', () => {
  const release = keys.hold(onDropped)
  expect(passing(['s', 'k', '\u001b[200~-1\u001b[201~', '\r', 'm', 'o', 'r', 'e', '\r'], 900)).toBe('')
  const asked = question()
  keys.feed(asked, asked.isOpen)
  expect([asked.got.join(''), told]).toEqual(['sk\u001b[200~-1\u001b[201~\r', 1])
  expect(passing('x', 1399)).toBe('')
  expect(passing('y', 1700)).toBe('')
  release()
  expect(passing('abc', 2100)).toBe('abc')
  expect(told).toBe(1)
})

it('leaves the rest of an answer to the question itself', () => {
  const release = keys.hold(onDropped)
  passing('sk', 0)
  const asked = question()
  keys.feed(asked, asked.isOpen)
  expect(passing('-1', 10)).toBe('-1')
  release()
  expect([passing('abc', 20), told]).toEqual(['abc', 0])
})

it('throws away what is typed for a question that never comes, and what follows without a pause', () => {
  const release = keys.hold(onDropped)
  passing('sk-1', performance.now())
  release()
  expect(passing('\r', performance.now() + 100)).toBe('')
  expect([passing('abc', performance.now() + 2000), told]).toEqual(['abc', 1])
})

it('lets the keys through that stop something', () => {
  keys.hold(onDropped)
  expect(passing(['\u001b', '\u0003', '\u0004', '\u001a'], 0)).toBe('\u001b\u0003\u0004\u001a')
})

it('keeps no more than a secret can have', () => {
  keys.hold(onDropped)
  passing('k'.repeat(10_000), 0)
  const asked = question()
  keys.feed(asked, asked.isOpen)
  expect([asked.got.length, told]).toEqual([8192, 1])
})
