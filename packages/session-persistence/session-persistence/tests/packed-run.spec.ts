import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventLog, Session, SessionError, type SessionEvent } from '@deepseek-ai/dsh-session'
import { BlockEcho, isPacked, packChunks, PackedRun, storedSession, SummaryFold, unpackChunks, type PackedChunks } from '../src/index.ts'

const header = { version: 1, id: 's', createdAt: 0 }

interface Part {
  kind: 'delta' | 'call' | 'end' | 'step' | 'message'
  text: string
  index: number
  /** Since the event before; the clock may go backwards. */
  gap: number
}

const parts = fc.array(
  fc.record<Part>({ kind: fc.constantFrom('delta', 'delta', 'delta', 'call', 'call', 'end', 'step', 'message'), text: fc.string({ unit: 'binary', maxLength: 4 }), index: fc.nat(1), gap: fc.integer({ min: -40, max: 400 }) }),
  { maxLength: 60 },
)

function logOf(given: readonly Part[]): SessionEvent[] {
  let time = 1_000_000
  return given.map(({ kind, text, index, gap }, seq): SessionEvent => {
    time += gap
    const at = { turn: 1, step: 1 }
    switch (kind) {
      case 'delta':
        return { type: 'assistant/chunk', seq, time, data: { ...at, chunk: { type: 'text-delta', index, text } } }
      case 'call':
        return { type: 'assistant/chunk', seq, time, data: { ...at, chunk: { type: 'tool-call-delta', index, id: 'c', argumentsDelta: text } } }
      case 'end':
        return { type: 'assistant/chunk', seq, time, data: { ...at, chunk: { type: 'block-end', index, block: { type: 'text', text } } } }
      case 'step':
        return { type: 'step/start', seq, time, data: at }
      case 'message':
        return { type: 'user/message', seq, time, data: { content: [{ type: 'text', text }], source: { kind: 'user' } }, surfaceOp: 'append' }
    }
  })
}

/** As a store reads it back. */
function packedLog(events: readonly SessionEvent[]): EventLog {
  const log = new EventLog()
  for (const record of packChunks(events)) log.push(isPacked(record) ? (PackedRun.read(record) as PackedRun) : record)
  return log
}

describe('a log of packed runs', () => {
  it('is the log that it was packed from, wherever one looks first', () => {
    fc.assert(
      fc.property(parts, fc.nat(70), fc.nat(70), (given, seq, count) => {
        const events = logOf(given)
        const log = packedLog(events)
        const copy = log.fork()
        expect(log.length).toBe(events.length)
        expect(log.settled).toEqual(events.filter(({ type }) => type !== 'assistant/chunk'))
        expect([log.from(seq, count), log.from(seq)]).toEqual([events.slice(seq, seq + count), events.slice(seq)])
        expect(log.events).toEqual(events)
        expect([log.from(seq, count), copy.from(seq)]).toEqual([events.slice(seq, seq + count), events.slice(seq)])
      }),
    )
  })

  it('is summed up and goes on like the events themselves', () => {
    fc.assert(
      fc.property(parts, given => {
        const events = logOf(given)
        const log = packedLog(events)
        const [one, other] = [new SummaryFold(header), new SummaryFold(header)]
        one.advanceAll(log)
        for (const event of events) other.advance(event)
        expect(one).toEqual(other)
        const echo = new BlockEcho()
        for (const event of events) echo.write(event)
        const end: SessionEvent = { type: 'assistant/chunk', seq: events.length, time: 0, data: { turn: 1, step: 1, chunk: { type: 'block-end', index: 0, block: { type: 'text', text: 'not heard' } } } }
        expect(BlockEcho.after(log).write(end)).toEqual(echo.write(end))
      }),
    )
  })

  it('makes the same session, which grows without touching where it came from', () => {
    fc.assert(
      fc.property(parts, given => {
        const events = logOf(given)
        const log = packedLog(events)
        const [session, plain] = [new Session(header, log), new Session(header, events)]
        const data = { turn: 1, step: 1, chunk: { type: 'text-delta' as const, index: 0, text: 'more' } }
        const more = session.append('assistant/chunk', data)
        expect([session.deriveMessages(), session.openStep]).toEqual([plain.deriveMessages(), plain.openStep])
        expect([session.eventsFrom(events.length - 2), session.events]).toEqual([[...events, more].slice(Math.max(0, events.length - 2)), [...events, more]])
        expect([log.length, log.events]).toEqual([events.length, events])
        const next = session.append('assistant/chunk', data)
        expect(session.events.at(-1)).toBe(next)
      }),
    )
  })

  it('is part of what a store gives, and not of a copy of it with other events', () => {
    const log = packedLog(logOf([{ kind: 'step', text: '', index: 0, gap: 0 }]))
    const stored = storedSession({ header, log, damage: [], summary: new SummaryFold(header).summary(0) })
    expect([stored.log, stored.events]).toEqual([log, log.events])
    expect(Object.keys({ ...stored })).toEqual(['header', 'events', 'damage', 'summary'])
  })

  it('takes no event where another belongs', () => {
    const log = packedLog(logOf([{ kind: 'step', text: '', index: 0, gap: 0 }]))
    expect(() => log.push({ type: 'step/end', seq: 2, time: 0, data: { turn: 1, step: 1 } })).toThrow(SessionError)
    expect(log.length).toBe(1)
  })

  it('has runs in its list of all events too when they come after it was built', () => {
    const events = logOf(Array.from({ length: 4 }, () => ({ kind: 'delta', text: 'x', index: 0, gap: 1 })))
    const log = new EventLog()
    expect(log.events).toEqual([])
    for (const record of packChunks(events)) log.push(PackedRun.read(record as PackedChunks) as PackedRun)
    expect(log.events).toEqual(events)
  })
})

describe('a record', () => {
  const sound: PackedChunks = { type: 'assistant/chunk', seq: 0, time: 5, n: 3, data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0 } }, text: 'abcd', cuts: '121', gaps: '0(-3)9' }

  it('is unpacked once, and frozen', () => {
    const run = PackedRun.read(sound)
    expect(run?.unpack().map(({ time, data: { chunk } }) => [time, 'text' in chunk && chunk.text])).toEqual([[5, 'a'], [2, 'bc'], [11, 'd']])
    expect([run?.unpack(), run?.latest]).toEqual([unpackChunks(sound), 11])
    expect(run?.unpack()).toBe(run?.unpack())
    expect(Object.isFrozen(run?.unpack()[0]?.data.chunk)).toBe(true)
  })

  it.each<[string, object]>([
    ['a length below nothing', { cuts: '1(-1)4' }],
    ['fewer lengths', { cuts: '13' }],
    ['more lengths', { cuts: '1111' }],
    ['lengths of another text', { cuts: '111' }],
    ['fewer times', { gaps: '00' }],
    ['times that are no text', { gaps: 3 }],
    ['no events', { n: 0, text: '', cuts: '', gaps: '' }],
    ['no whole number of events', { n: 2.5 }],
    ['no data', { data: undefined }],
    ['no chunk', { data: { turn: 1, step: 1 } }],
  ])('with %s is none', (_what, change) => {
    expect([PackedRun.read({ ...sound, ...change }), unpackChunks({ ...sound, ...change })]).toEqual([undefined, undefined])
  })
})
