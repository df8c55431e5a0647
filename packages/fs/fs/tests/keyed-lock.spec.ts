import { expect, it } from 'vitest'
import { KeyedLock } from '../src/index.ts'

const never = new AbortController().signal

it('runs the work of one key in the order of arrival, and of others beside it', async () => {
  const lock = new KeyedLock()
  const seen: string[] = []
  const gate = Promise.withResolvers<void>()
  const work = (label: string, wait?: Promise<void>) => async () => {
    seen.push(`${label} begins`)
    await wait
    seen.push(`${label} ends`)
  }
  const all = [lock.run('k', never, work('first', gate.promise)), lock.run('k', never, work('second')), lock.run('other', never, work('beside'))]
  await all[2]
  gate.resolve()
  await Promise.all(all)
  expect(seen).toEqual(['first begins', 'beside begins', 'beside ends', 'first ends', 'second begins', 'second ends'])
})

it('goes on after a failure', async () => {
  const lock = new KeyedLock()
  const failed = lock.run('k', never, () => Promise.reject(new Error('no')))
  const next = lock.run('k', never, () => Promise.resolve('yes'))
  await expect(failed).rejects.toThrow('no')
  expect(await next).toBe('yes')
})

it('lets one that gives up waiting not open the way for the next', async () => {
  const lock = new KeyedLock()
  const gate = Promise.withResolvers<void>()
  const controller = new AbortController()
  const seen: string[] = []
  const first = lock.run('k', never, () => gate.promise.then(() => void seen.push('first')))
  const second = lock.run('k', controller.signal, () => Promise.resolve(seen.push('second')))
  const third = lock.run('k', never, () => Promise.resolve(seen.push('third')))
  const reason = new Error('enough')
  controller.abort(reason)
  await expect(second).rejects.toBe(reason)
  gate.resolve()
  await Promise.all([first, third])
  expect(seen).toEqual(['first', 'third'])
})
