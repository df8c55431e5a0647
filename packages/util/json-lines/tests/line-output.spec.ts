import { PassThrough, Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { LineOutput, type Line } from '../src/index.ts'

const never = new AbortController().signal
const tick = (): Promise<void> => new Promise(resolve => setImmediate(resolve))
const numbered = (n: number, text = ''): Line => ({ type: 'n', n, text })

/** Takes one piece at a time, when it is told to. */
function slow(): { stream: Writable; take(): void; taken: string[] } {
  const taken: string[] = []
  let done: (() => void) | undefined
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, callback) {
      taken.push(String(chunk))
      done = callback
    },
  })
  return { stream, taken, take: () => done?.() }
}

it('writes lines in order and has handed them over when it is flushed', async () => {
  const stream = new PassThrough()
  const output = new LineOutput(stream)
  for (let n = 0; n < 5; n++) output.push(numbered(n))
  expect(output.last).toBe('n')
  await output.flushed()
  expect(String(stream.read()).split('\n').slice(0, -1).map(line => JSON.parse(line).n)).toEqual([0, 1, 2, 3, 4])
})

it('makes no text of what a slow reader does not take yet, and loses nothing', async () => {
  const { stream, take, taken } = slow()
  const output = new LineOutput(stream)
  const big = 'x'.repeat(100_000)
  for (let n = 0; n < 600; n++) output.push(numbered(n, big))
  await tick()
  expect(stream.writableLength).toBeLessThan(200_000)
  expect(output.isFull).toBe(true)

  let hasRoom = false
  void output.room(never).then(() => (hasRoom = true))
  for (let i = 0; i < 300; i++) {
    take()
    await tick()
  }
  expect(hasRoom).toBe(false)
  const flushed = output.flushed()
  for (let i = 0; i < 310; i++) {
    take()
    await tick()
  }
  await flushed
  expect(hasRoom).toBe(true)
  expect(taken.join('').split('\n').filter(Boolean).map(line => JSON.parse(line).n)).toEqual(Array.from({ length: 600 }, (_, n) => n))
})

it('ends the wait for room when the signal is aborted', async () => {
  const { stream } = slow()
  const output = new LineOutput(stream)
  for (let n = 0; n < 600; n++) output.push(numbered(n, 'x'.repeat(1000)))
  await tick()
  const stop = new AbortController()
  const room = output.room(stop.signal)
  stop.abort(new Error('stopped'))
  await expect(room).rejects.toThrow('stopped')
})

it.each([['EPIPE', undefined], ['ENOSPC', 'no space']])('ends every wait when the stream fails with %s', async (code, failure) => {
  const { stream } = slow()
  const output = new LineOutput(stream)
  for (let n = 0; n < 600; n++) output.push(numbered(n, 'x'.repeat(1000)))
  await tick()
  const waits = Promise.all([output.room(never), output.flushed()])
  stream.destroy(Object.assign(new Error('no space'), { code }))
  await waits
  output.push(numbered(1))
  await output.flushed()
  expect([output.gone.aborted, output.failure?.message]).toEqual([true, failure])
})
