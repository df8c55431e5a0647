import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { BlockEcho, SummaryFold } from '@deepseek-ai/dsh-session-persistence'
import { eventLines, headerLine } from '../src/lines.ts'
import { scanLog } from '../src/scan-log.ts'

const folder = mkdtempSync(join(tmpdir(), 'dsh-scan-'))
afterEach(() => rmSync(join(folder, 'one.jsonl'), { force: true }))

const header = { version: 1, id: 'one', createdAt: 1000 }
const at = { turn: 1, step: 1 }
const all = [
  { type: 'turn/start', data: { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } } },
  { type: 'user/message', data: { content: [{ type: 'text', text: 'hé 😀' }], source: { kind: 'user' } }, surfaceOp: 'append' },
  { type: 'step/start', data: at },
  ...Array.from({ length: 50 }, (_, i) => ({ type: 'assistant/chunk', data: { ...at, chunk: { type: 'text-delta', index: 0, text: `w${i} ` } } })),
  { type: 'assistant/message', data: { ...at, content: [{ type: 'text', text: 'w' }], finish: { kind: 'stop' }, model: 'm', usage: { inputTokens: 3, outputTokens: 4 }, cost: { currency: 'USD', amount: 2 } }, surfaceOp: 'append' },
  { type: 'plugin/eigen-ä', data: { any: [1] } },
  { type: 'session/title', data: { title: 'named', source: { kind: 'user' } } },
  { type: 'turn/end', data: { turn: 1, reason: { kind: 'completed' } } },
].map((event, seq) => {
  const { type, ...rest } = event
  return { type, seq, time: 2000 + 3 * seq, ...rest } as unknown as SessionEvent
})

function lines(events: readonly SessionEvent[] = all): string[] {
  return (headerLine(header) + eventLines(events, new BlockEcho())).split('\n').slice(0, -1)
}

function scan(text: string | Uint8Array): unknown {
  writeFileSync(join(folder, 'one.jsonl'), text)
  return scanLog(join(folder, 'one.jsonl'), 'one')?.fold.toJSON()
}

describe('scanLog', () => {
  it('sums a log up as folding all of its events does, wherever it ends', () => {
    for (let length = 0; length <= all.length; length++) {
      const fold = new SummaryFold(header)
      for (const event of all.slice(0, length)) fold.advance(event)
      expect(scan(`${lines(all.slice(0, length)).join('\n')}\n`)).toEqual(fold.toJSON())
    }
  })

  it('leaves what is damaged, or not its own, to whoever reads it all', () => {
    const sound = lines()
    const damaged = [
      ...sound.map((_, i) => sound.toSpliced(i, 1).join('\n')).slice(0, -1),
      ...sound.map((line, i) => sound.toSpliced(i, 1, line.slice(0, line.length / 2)).join('\n')),
      ...sound.map((line, i) => sound.toSpliced(i, 1, line, line).join('\n')),
      ...sound.map((line, i) => sound.toSpliced(i, 1, '\0'.repeat(line.length)).join('\n')),
      ...sound.map((_, i) => sound.toSpliced(i, 0, 'x').join('\n')),
      sound.join('\n').replace('"version":1', '"version":2'),
      sound.join('\n').replace('"id":"one"', '"id":"two"'),
    ]
    expect(damaged.map(text => scan(`${text}\n`)).filter(found => found !== undefined)).toEqual([])
    expect([scan(sound.join('\n')), scan(''), scan(Buffer.concat([Buffer.from(`${sound.join('\n')}\n`), Buffer.from([0xff, 0x0a])]))]).toEqual([undefined, undefined, undefined])
  })
})
