import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { untilReady } from '../src/until-ready.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

it('waits no moment for a loop that is there', async () => {
  await untilReady({ ready: true })
  expect(vi.getTimerCount()).toBe(0)
})

it('waits for a loop that is mounted a little later', async () => {
  const agents = { ready: false }
  let isOver = false
  const waiting = untilReady(agents).then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(1000)
  expect(isOver).toBe(false)
  agents.ready = true
  await vi.advanceTimersByTimeAsync(10)

  expect(isOver).toBe(true)
  await waiting
})

it('gives up after five seconds, so that the lack of a loop is told', async () => {
  let isOver = false
  const waiting = untilReady({ ready: false }).then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(4900)
  expect(isOver).toBe(false)
  await vi.advanceTimersByTimeAsync(200)

  expect(isOver).toBe(true)
  await waiting
})
