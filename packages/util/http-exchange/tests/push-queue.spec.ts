import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PushQueue, type QueueHooks } from '../src/index.ts'

interface Item {
  n: number
}

/** A queue that writes down what it tells its producer. */
function open(hooks: Partial<QueueHooks> = {}): { queue: PushQueue<Item>; told: string[] } {
  const told: string[] = []
  const say = (word: keyof QueueHooks) => (): void => {
    told.push(word)
    hooks[word]?.()
  }
  return { queue: new PushQueue<Item>({ start: say('start'), cancel: say('cancel'), pause: say('pause'), resume: say('resume') }), told }
}

async function drain(queue: PushQueue<Item>): Promise<number[]> {
  const seen: number[] = []
  for await (const { n } of queue) seen.push(n)
  return seen
}

describe('PushQueue', () => {
  it('gives every item in order, whether the reader waits or the producer is ahead', async () => {
    const property = fc.asyncProperty(fc.array(fc.boolean(), { maxLength: 60 }), async waits => {
      const { queue } = open()
      const reading = drain(queue)
      for (const [n, wait] of waits.entries()) {
        queue.push({ n })
        if (wait) await Promise.resolve()
      }
      queue.end()
      expect(await reading).toEqual(waits.map((_, n) => n))
    })
    await fc.assert(property)
  })

  it('starts its producer when the first item is asked for, and only once', async () => {
    const { queue, told } = open()
    expect(told).toEqual([])
    queue.push({ n: 1 })
    queue.end()
    await drain(queue)
    expect(told).toEqual(['start'])
  })

  it('fails behind what is queued, or at once', async () => {
    const behind = open().queue
    behind.push({ n: 1 })
    behind.fail(new Error('late'))
    expect(await behind.next()).toEqual({ value: { n: 1 }, done: false })
    await expect(behind.next()).rejects.toThrow('late')
    expect(await behind.next()).toEqual({ value: undefined, done: true })

    const now = open().queue
    now.push({ n: 1 })
    now.fail(new Error('now'), true)
    await expect(now.next()).rejects.toThrow('now')
  })

  it('fails a reader that is waiting', async () => {
    const { queue } = open()
    const waiting = queue.next()
    queue.fail(new Error('broken'))
    await expect(waiting).rejects.toThrow('broken')
  })

  it('cancels its producer when the reader leaves, and takes nothing afterwards', async () => {
    const { queue, told } = open()
    queue.push({ n: 1 })
    queue.push({ n: 2 })
    for await (const item of queue) if (item.n === 1) break
    queue.push({ n: 3 })
    expect(told).toEqual(['start', 'cancel'])
    expect(await drain(queue)).toEqual([])
  })

  it('does not cancel what is over', async () => {
    const { queue, told } = open()
    queue.end()
    await queue.return()
    expect(told).toEqual([])
  })

  it('pauses a producer that is far ahead and resumes it when the reader has caught up', async () => {
    const { queue, told } = open()
    for (let n = 0; n < 5000; n++) queue.push({ n })
    expect(told).toEqual(['pause'])
    for (let n = 0; n < 4400; n++) await queue.next()
    expect(told).toEqual(['pause', 'start'])
    for (let n = 0; n < 300; n++) await queue.next()
    expect(told).toEqual(['pause', 'start', 'resume'])
  })
})
