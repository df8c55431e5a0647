import fs, { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { getEventListeners } from 'node:events'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { followLog } from '../src/follow-log.ts'
import { headerLine } from '../src/lines.ts'
import type { TailPaths } from '../src/log-tail.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0).reverse()) cleanup()
})

/** The log, and where the stream in flight beside it would be. */
function paths(log: string): TailPaths {
  return { log, journal: log.replace(/\.jsonl$/, '.stream.jsonl') }
}

function newLog(): string {
  const folder = mkdtempSync(join(tmpdir(), 'dsh-follow-'))
  cleanups.push(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'one.jsonl')
  writeFileSync(path, headerLine({ version: 1, id: 'one', createdAt: 1 }))
  return path
}

function line(seq: number): string {
  return `${JSON.stringify({ type: 'plugin/own', seq, time: 1, data: {} })}\n`
}

/** The system has no watches left. */
function denyWatches(): void {
  const real = fs.watch
  fs.watch = (() => {
    throw Object.assign(new Error('ENOSPC: System limit for number of file watchers reached'), { code: 'ENOSPC' })
  }) as unknown as typeof fs.watch
  syncBuiltinESMExports()
  cleanups.push(() => {
    fs.watch = real
    syncBuiltinESMExports()
  })
}

async function take(events: AsyncIterable<{ seq: number }>, count: number, onEach: (seq: number) => void = () => undefined): Promise<number[]> {
  const seen: number[] = []
  for await (const { seq } of events) {
    seen.push(seq)
    onEach(seq)
    if (seen.length === count) break
  }
  return seen
}

describe('followLog', () => {
  it('sees what is written where the system has no watches left', async () => {
    denyWatches()
    const path = newLog()
    appendFileSync(path, line(0))
    const stop = new AbortController()
    expect(await take(followLog(paths(path), 0, stop.signal), 3, seq => appendFileSync(path, line(seq + 1)))).toEqual([0, 1, 2])
  })

  it('says it when the file is gone', async () => {
    const path = newLog()
    appendFileSync(path, line(0))
    const following = take(followLog(paths(path), 0, new AbortController().signal), 2, () => rmSync(path))
    await expect(following).rejects.toMatchObject({ code: 'STORE_FAILED', cause: { code: 'ENOENT' } })
  })

  it('leaves nothing on the signal, however often it looked', async () => {
    denyWatches()
    const path = newLog()
    appendFileSync(path, line(0))
    const stop = new AbortController()
    setTimeout(() => appendFileSync(path, line(1)), 700)
    const listeners: number[] = []
    await take(followLog(paths(path), 0, stop.signal), 2, () => listeners.push(getEventListeners(stop.signal, 'abort').length))
    expect([...listeners, getEventListeners(stop.signal, 'abort').length]).toEqual([1, 1, 0])
  })
})
