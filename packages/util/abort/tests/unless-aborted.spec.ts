import { getEventListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { unlessAborted } from '../src/index.ts'

const STOPPED = new Error('stopped')

it('gives the outcome of work that is done in time, and lets go of the signal', async () => {
  const stop = new AbortController()
  expect(await unlessAborted(Promise.resolve(1), stop.signal)).toBe(1)
  expect(await unlessAborted(2, stop.signal)).toBe(2)
  await expect(unlessAborted(Promise.reject(new Error('failed')), stop.signal)).rejects.toThrow('failed')
  expect(getEventListeners(stop.signal, 'abort')).toEqual([])
})

it('rejects with the reason of an abort, also of one that was before', async () => {
  const stop = new AbortController()
  const waiting = unlessAborted(new Promise(() => undefined), stop.signal)
  stop.abort(STOPPED)
  await expect(waiting).rejects.toBe(STOPPED)
  await expect(unlessAborted(Promise.resolve(1), stop.signal)).rejects.toBe(STOPPED)
})

it('hands over what comes late, and takes a late failure for nothing', async () => {
  const late: number[] = []
  const stop = new AbortController()
  const slow = Promise.withResolvers<number>()
  const failing = Promise.withResolvers<number>()
  const waits = [slow, failing].map(({ promise }) => unlessAborted(promise, stop.signal, { onLate: value => void late.push(value) }))
  stop.abort(STOPPED)
  expect(await Promise.allSettled(waits)).toEqual([{ status: 'rejected', reason: STOPPED }, { status: 'rejected', reason: STOPPED }])
  slow.resolve(7)
  failing.reject(new Error('nobody asked'))
  await sleep(0)
  expect(late).toEqual([7])
})

it('leaves work that stops by itself a moment to say how it ended', async () => {
  const stop = new AbortController()
  const stopping = new Promise<string>(resolve => stop.signal.addEventListener('abort', () => resolve('ended in order'), { once: true }))
  const waits = [unlessAborted(stopping, stop.signal, { graceMs: 1000 }), unlessAborted(new Promise(() => undefined), stop.signal, { graceMs: 5 })]
  stop.abort(STOPPED)
  expect(await Promise.allSettled(waits)).toEqual([{ status: 'fulfilled', value: 'ended in order' }, { status: 'rejected', reason: STOPPED }])
})
