import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamChunk } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { BlockEcho } from '@deepseek-ai/dsh-session-persistence'
import { eventLines, headerLine, parseHeader, readLines } from '../src/lines.ts'

function events(chunks: readonly StreamChunk[], gaps: readonly number[] = []): SessionEvent[] {
  let time = 1_700_000_000_000
  return chunks.map((chunk, seq) => ({ type: 'assistant/chunk', seq, time: (time += gaps[seq] ?? 0), data: { turn: 1, step: 1, chunk } }))
}

function roundTrip(all: readonly SessionEvent[], cut = all.length): unknown[] {
  const echo = new BlockEcho()
  const text = eventLines(all.slice(0, cut), echo) + eventLines(all.slice(cut), echo)
  expect(text.split('\n').every(line => !/[\u2028\u2029]/.test(line))).toBe(true)
  return readLines(Buffer.from(text), 0).values
}

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 6 }), fc.constantFrom('', '\u2028', 'ü', '😀', '\n'))
const chunk: fc.Arbitrary<StreamChunk> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ type: fc.constant('text-delta' as const), index: fc.nat(1), text }) },
  fc.record({ type: fc.constant('reasoning-delta' as const), index: fc.nat(1), text }),
  fc.record({ type: fc.constant('tool-call-delta' as const), index: fc.constant(2), id: fc.constant('c1'), argumentsDelta: text }),
  fc.record({ type: fc.constant('block-end' as const), index: fc.nat(1), block: fc.record({ type: fc.constant('text' as const), text }) }),
)

describe('lines', () => {
  it('give back exactly the events, wherever a batch ends', () => {
    fc.assert(fc.property(fc.array(chunk, { maxLength: 30 }), fc.array(fc.integer({ min: -3, max: 50 })), fc.nat(30), (chunks, gaps, cut) => {
      const all = events(chunks, gaps)
      expect(roundTrip(all, cut)).toEqual(all)
    }))
  })

  it('take less than three times the text, also one character at a time', () => {
    const characters = [...'The quick brown fox. '.repeat(500)]
    const whole = characters.join('')
    const chunks: StreamChunk[] = [...characters.map(each => ({ type: 'text-delta' as const, index: 0, text: each })), { type: 'block-end', index: 0, block: { type: 'text', text: whole } }]
    const all = events(chunks, characters.map((_, index) => (index * 7) % 30))
    const stored = eventLines([...all, { type: 'assistant/message', seq: all.length, time: 1, data: { turn: 1, step: 1, content: [{ type: 'text', text: whole }], finish: { kind: 'stop' }, model: 'm' }, surfaceOp: 'append' }], new BlockEcho())
    expect(stored.length).toBeLessThan(3.1 * whole.length)
  })

  it('hold a header that is told from an event', () => {
    const header = { version: 1, id: 'a', createdAt: 5, cwd: '/x\u2028y' }
    expect(parseHeader(headerLine(header).trimEnd())).toEqual(header)
    expect(parseHeader('{"type":"turn/start","seq":0}')).toBeUndefined()
  })

  it('that repeat the one before them are restored alike', () => {
    const all = events([{ type: 'text-delta', index: 0, text: 'ab' }, { type: 'block-end', index: 0, block: { type: 'text', text: 'ab' } }])
    const lines = eventLines(all, new BlockEcho()).split('\n')
    const read = readLines(Buffer.from(`${lines[0]}\n${lines[1]}\n${lines[1]}\n`), 0)
    expect(read.values).toEqual([all[0], all[1], all[1]])
  })
})
