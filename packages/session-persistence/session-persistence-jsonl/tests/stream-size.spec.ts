import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createRoot } from 'cordis/host'
import { afterEach, describe, expect, it } from 'vitest'
import { SessionStore, type SessionEvent } from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '../src/index.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const signal = new AbortController().signal
const header = { version: 1, id: 'one', createdAt: 1000, cwd: '/' }

/** As long as events wait to be written. */
const BATCH_MS = 25

/** What every delta says; four characters. */
const WORDS = ['the ', 'sum ', 'of a', 'll; ', '"is\n', 'that']

interface Streamed {
  /** What is appended at once. */
  batches: SessionEvent[][]
  text: string
}

/** An answer of `count` deltas that come `rate` times a second, give or take a third, and are written as they would be by the clock. */
function answer(rate: number, count: number): Streamed {
  let time = 1_700_000_000_000
  let seq = 0
  let text = ''
  const event = (type: string, data: object): SessionEvent => ({ type, seq: seq++, time: Math.round(time), data }) as unknown as SessionEvent
  const chunk = (chunk: object): SessionEvent => event('assistant/chunk', { turn: 1, step: 1, chunk })
  const batches: SessionEvent[][] = [[event('turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } }), event('step/start', { turn: 1, step: 1 }), chunk({ type: 'block-start', index: 0, blockType: 'text' })]]
  let batch: SessionEvent[] = []
  for (let i = 0; i < count; i++) {
    time += (1000 / rate) * (1 + ((i * 7) % 5 - 2) / 6)
    if (batch[0] && time >= batch[0].time + BATCH_MS) {
      batches.push(batch)
      batch = []
    }
    const word = WORDS[i % WORDS.length] ?? ''
    text += word
    batch.push(chunk({ type: 'text-delta', index: 0, text: word }))
  }
  batch.push(chunk({ type: 'block-end', index: 0, block: { type: 'text', text } }), chunk({ type: 'finish', reason: { kind: 'stop' } }))
  const message = { ...event('assistant/message', { turn: 1, step: 1, content: [{ type: 'text', text }], finish: { kind: 'stop' }, model: 'm' }), surfaceOp: 'append' } as SessionEvent
  batches.push([...batch, message, event('step/end', { turn: 1, step: 1 }), event('turn/end', { turn: 1, reason: { kind: 'completed' } })])
  return { batches, text }
}

describe('a stream at the speed of a model', () => {
  it.each([
    { rate: 2, count: 20_000 },
    { rate: 10, count: 20_000 },
    { rate: 20, count: 20_000 },
    { rate: 50, count: 20_000 },
    { rate: 100, count: 20_000 },
    { rate: 300, count: 20_000 },
    { rate: 1000, count: 20_000 },
    { rate: 20, count: 2000 },
    { rate: 50, count: 2000 },
    { rate: 100, count: 2000 },
  ])('takes no more than three times its text on disk, at any moment: $count deltas, $rate a second', async ({ rate, count }) => {
    const root = mkdtempSync(join(tmpdir(), 'dsh-size-'))
    cleanups.push(() => rmSync(root, { recursive: true, force: true }))
    const ctx = createRoot()
    cleanups.push(() => ctx.fiber.dispose())
    await ctx.plugin(SessionStore)
    await ctx.plugin(JsonlSessionPersistence, { root, writeBehindMs: 5 })
    const { batches, text } = answer(rate, count)
    const writer = await ctx.sessionPersistence.create(header, signal)
    let peak = 0
    for (const batch of batches) {
      await writer.append(batch)
      peak = Math.max(peak, sizeOf(root))
    }
    await writer.sync()
    await writer.close()
    const events = batches.flat()
    const times = (bytes: number): number => Math.round((100 * bytes) / text.length) / 100
    expect([times(sizeOf(root)), times(peak)].map(each => Math.max(each, 3))).toEqual([3, 3])
    expect((await ctx.sessionPersistence.load('one', signal)).events).toEqual(events)
  }, 60_000)
})

function sizeOf(root: string): number {
  const folder = join(root, 'sessions', readdirSync(join(root, 'sessions'))[0] ?? '')
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}
