import { appendFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { BlockEcho } from '@deepseek-ai/dsh-session-persistence'
import { eventLines, headerLine } from '../src/lines.ts'
import { LogTail, type TailPaths } from '../src/log-tail.ts'

const cleanups: (() => unknown)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

/** A streamed answer: packed runs, and a block that is stored as an echo of them. */
const answer: SessionEvent[] = [
  { type: 'step/start', seq: 0, time: 1, data: { turn: 1, step: 1 } },
  ...['Hel', 'lo ', 'you'].map((text, i): SessionEvent => ({ type: 'assistant/chunk', seq: 1 + i, time: 2, data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } } })),
  { type: 'assistant/chunk', seq: 4, time: 3, data: { turn: 1, step: 1, chunk: { type: 'block-end', index: 0, block: { type: 'text', text: 'Hello you' } } } },
  { type: 'step/end', seq: 5, time: 4, data: { turn: 1, step: 1 } },
]
const text = headerLine({ version: 1, id: 'one', createdAt: 1 }) + eventLines(answer, new BlockEcho())

/** The log, and where the stream in flight beside it would be. */
function paths(log: string): TailPaths {
  return { log, journal: log.replace(/\.jsonl$/, '.stream.jsonl') }
}

function newLog(content = ''): string {
  const folder = mkdtempSync(join(tmpdir(), 'dsh-tail-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'one.jsonl'), content)
  return join(folder, 'one.jsonl')
}

describe('LogTail', () => {
  it('gives every event once, wherever the file ends at the moment', async () => {
    const path = newLog()
    const tail = new LogTail(paths(path))
    const seen: SessionEvent[] = []
    for (const byte of Buffer.from(text)) {
      appendFileSync(path, Buffer.of(byte))
      seen.push(...(await tail.read()))
    }
    expect([seen, await tail.read()]).toEqual([answer, []])
  })

  it('waits before what is unreadable, and goes on when it is mended', async () => {
    const lines = text.split('\n')
    const path = newLog([...lines.slice(0, 2), '{"half":', ...lines.slice(3)].join('\n'))
    const tail = new LogTail(paths(path))
    expect([await tail.read(), await tail.read()]).toEqual([answer.slice(0, 1), []])
    truncateSync(path, lines.slice(0, 2).join('\n').length + 1)
    appendFileSync(path, lines.slice(2).join('\n'))
    expect(await tail.read()).toEqual(answer.slice(1))
  })

  it('reads a file anew that was replaced or cut', async () => {
    const path = newLog(text)
    const tail = new LogTail(paths(path))
    await tail.read()
    truncateSync(path, text.split('\n').slice(0, 2).join('\n').length + 1)
    expect(await tail.read()).toEqual(answer.slice(0, 1))
    rmSync(path)
    writeFileSync(path, text)
    expect((await tail.read()).slice(-1)).toEqual(answer.slice(-1))
  })

  it('passes over lines that stand there twice', async () => {
    const lines = text.split('\n')
    const path = newLog(lines.toSpliced(2, 0, lines[1] ?? '').join('\n'))
    expect([readFileSync(path, 'utf8').split('\n').length, await new LogTail(paths(path)).read()]).toEqual([lines.length + 1, answer])
  })
})
