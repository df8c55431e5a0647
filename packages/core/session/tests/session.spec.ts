import { describe, expect, it } from 'vitest'
import { Session, SessionError, type SessionEvent } from '@deepseek-ai/dsh-session'

const user = { kind: 'user' as const }
const append = { surfaceOp: 'append' as const }
const hello = { content: [{ type: 'text' as const, text: 'hello' }], source: user }

function newSession(seed?: readonly SessionEvent[]): Session {
  return new Session({ version: 1, id: 's', createdAt: 0 }, seed)
}

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof SessionError) return `${error.code}: ${error.message}`
    throw error
  }
  return 'no error'
}

describe('append', () => {
  it('numbers events from 0 and freezes them all the way down', () => {
    const session = newSession()
    const first = session.append('turn/start', { turn: 1, trigger: { kind: 'message', source: user } })
    const second = session.append('user/message', structuredClone(hello), append)

    expect([first.seq, second.seq, session.seq]).toEqual([0, 1, 2])
    expect(session.events).toEqual([first, second])
    expect(Object.isFrozen(second.data.content[0])).toBe(true)
  })

  it('refuses what would not survive JSON and leaves the log alone', () => {
    const session = newSession()
    const bad = (meta: unknown): string => codeOf(() => session.append('tool/result', { turn: 1, step: 1, callId: 'a', content: [], isError: false, meta: meta as never }, append))

    expect([bad(new Map()), bad({ a: [1, undefined] }), bad(Number.NaN), bad(() => 1)]).toEqual([
      'INVALID_EVENT: cannot append: tool/result data.meta is an instance of Map',
      'INVALID_EVENT: cannot append: tool/result data.meta.a[1] is undefined',
      'INVALID_EVENT: cannot append: tool/result data.meta is NaN',
      'INVALID_EVENT: cannot append: tool/result data.meta is a function',
    ])
    expect(session.events).toEqual([])
  })

  it('demands a surface marker exactly on surface events', () => {
    const session = newSession()
    const loose = session.append.bind(session) as unknown as (type: string, data: unknown, intent?: unknown) => void

    expect(codeOf(() => loose('user/message', hello))).toBe('INVALID_EVENT: user/message is on the surface and needs a surface intent')
    expect(codeOf(() => loose('turn/end', { turn: 1, reason: { kind: 'completed' } }, append))).toBe('INVALID_EVENT: turn/end is not on the surface and takes no surface intent')
    expect(codeOf(() => loose('user/message', hello, { surfaceOp: 'append', sourceEventSeqs: [4] }))).toBe('INVALID_EVENT: user/message names the source event 4, which is not in the log')
  })

  it('refuses a replacement of what is not on the surface or the wrong way round', () => {
    const session = newSession()
    session.append('user/message', structuredClone(hello), append)
    session.append('turn/end', { turn: 1, reason: { kind: 'completed' } })
    session.append('user/message', structuredClone(hello), append)
    const replace = (start: number, end: number): string => codeOf(() => session.append('user/message', structuredClone(hello), { surfaceOp: { op: 'replace', start, end } }))

    expect([replace(0, 1), replace(2, 0), replace(0, 2)]).toEqual([
      'INVALID_EVENT: cannot replace 0..1: event 1 is not on the surface',
      'INVALID_EVENT: cannot replace 2..0: 0 stands before 2',
      'no error',
    ])
    expect(session.surfaceEvents.map(({ seq }) => seq)).toEqual([3])
  })

  it('leaves no undefined marker in the event', () => {
    const session = newSession()
    const event = session.append('user/message', structuredClone(hello), { surfaceOp: 'append', sourceEventSeqs: undefined })

    expect(JSON.parse(JSON.stringify(event))).toStrictEqual(event)
  })
})

describe('a seed', () => {
  it('continues where the log that it came from ended', () => {
    const first = newSession()
    first.append('turn/start', { turn: 1, trigger: { kind: 'message', source: user } })
    first.append('step/start', { turn: 1, step: 1 })
    first.append('tool/call', { turn: 1, step: 1, callId: 'a', name: 't', arguments: '{}' })
    const header = { turn: 1, step: 1, hash: 'h', system: 'be brief', tools: [] }
    first.append('request/header', header)

    const second = newSession(JSON.parse(JSON.stringify(first.events)) as SessionEvent[])

    expect(second.events).toEqual(first.events)
    expect([second.openTurn, second.openStep, second.turns, second.hasCall('a'), second.requestHeader]).toEqual([1, 1, 1, true, header])
    expect(Object.isFrozen(second.events[0]?.data)).toBe(true)
  })

  it('with a hole or without JSON is refused', () => {
    const event = { type: 'step/end' as const, seq: 1, time: 0, data: { turn: 1, step: 1 } }

    expect(codeOf(() => newSession([event]))).toBe('INVALID_EVENT: event 0 carries the number 1')
    expect(codeOf(() => newSession([{ ...event, seq: 0, data: { turn: 1, step: undefined as never } }]))).toBe('INVALID_EVENT: seed event 0: step/end data.step is undefined')
    expect(codeOf(() => newSession([{ ...event, seq: 0, more: () => 0 } as never]))).toBe('no error')
  })

  it('is taken at its word where it is frozen, and frozen where it is not', () => {
    const first = newSession()
    first.append('turn/start', { turn: 1, trigger: { kind: 'message', source: user } })
    const open = { type: 'step/start' as const, seq: 1, time: 0, data: { turn: 1, step: 1 } }
    const second = newSession([...first.events, open])
    expect([second.events[0] === first.events[0], second.events[1] === open, Object.isFrozen(open.data)]).toEqual([true, true, true])
  })

  it('keeps events of types that nobody here knows', () => {
    const strange = { type: 'weather/report', seq: 0, time: 0, data: { sky: 'blue' } } as unknown as SessionEvent

    expect(newSession([strange]).events).toEqual([strange])
  })
})

describe('call ids', () => {
  it('are known from the answer on, before anything has started', () => {
    const session = newSession()
    session.append('assistant/message', { turn: 1, step: 1, content: [{ type: 'tool-call', id: 'a', name: 't', arguments: '' }], finish: { kind: 'stop' }, model: 'm' }, append)

    expect([session.hasCall('a'), session.hasCall('b')]).toEqual([true, false])
  })
})

describe('repairs', () => {
  it('count as recorded once an event names them', () => {
    const session = newSession()
    session.append('tool/result', { turn: 1, step: 1, callId: 'z', content: [], isError: false }, append)
    const orphan = { kind: 'orphan-result' as const, callId: 'z', seq: 0 }
    expect(session.unrecordedRepairs()).toEqual([orphan])

    session.append('derivation/repaired', { turn: 1, step: 1, repairs: [orphan] })

    expect(session.unrecordedRepairs()).toEqual([])
    expect(session.repairs()).toEqual([orphan])
  })
})
