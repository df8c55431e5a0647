import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { BlockEcho } from '@deepseek-ai/dsh-session-persistence'
import { eventLines, headerLine } from '../src/lines.ts'
import { searchLog, type LogMatch } from '../src/search-log.ts'

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const cleanup of cleanups.splice(0)) cleanup()
})

function message(seq: number, text: string): SessionEvent {
  return { type: 'user/message', seq, time: seq, data: { content: [{ type: 'text', text }], source: { kind: 'user' } }, surfaceOp: 'append' }
}

const chunk: SessionEvent = { type: 'assistant/chunk', seq: 1, time: 1, data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text: 'a needle' } } }

function search(words: string[], content: string, before = Infinity): Promise<LogMatch> {
  const folder = mkdtempSync(join(tmpdir(), 'dsh-search-'))
  cleanups.push(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, 'one.jsonl'), content)
  return searchLog(join(folder, 'one.jsonl'), words, { before })
}

function log(events: readonly SessionEvent[], version = 1): string {
  return headerLine({ version, id: 'one', createdAt: 1 }) + eventLines(events, new BlockEcho())
}

describe('searchLog', () => {
  it('finds the first message with all words, and passes over what was streamed', async () => {
    const events = [message(0, 'hay'), chunk, message(2, 'a NEEDLE in the hay'), message(3, 'needle hay')]
    expect(await search(['needle', 'hay'], log(events))).toEqual({ kind: 'found', seq: 2, excerpt: 'a NEEDLE in the hay' })
    expect(await search(['needle'], log(events.slice(0, 2)))).toEqual({ kind: 'nothing' })
  })

  it('finds it behind lines that are longer than what is read at once', async () => {
    const events = [message(0, 'é'.repeat(1_500_000)), message(1, `${'ü'.repeat(700_000)} needle`)]
    expect(await search(['needle'], log(events))).toMatchObject({ kind: 'found', seq: 1 })
  })

  it('finds nothing in what cannot be used: behind a hole, in a line that is not ended, in one of another shape', async () => {
    const text = log([message(0, 'hay'), message(1, 'a needle')])
    expect(await search(['needle'], text, 1)).toEqual({ kind: 'nothing' })
    expect(await search(['needle'], text.slice(0, -1))).toEqual({ kind: 'nothing' })
    expect(await search(['needle'], `${log([])}{"half":\nnull\n"needle"\n{"type":"user/message","seq":0,"time":1,"data":{"content":"needle"}}\n`)).toEqual({ kind: 'nothing' })
  })

  it('says when the log is of another version, or none', async () => {
    expect([await search(['x'], log([message(0, 'x')], 2)), await search(['x'], '{}\n'), await search(['x'], '')]).toEqual([{ kind: 'other-version' }, { kind: 'other-version' }, { kind: 'nothing' }])
  })
})
