import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { BlockEcho, EventPrefix, packChunks, type Damage } from '../src/index.ts'
import { deltas, turn } from './events.ts'

const log = [...turn(0), ...turn(3)]

/** What becomes of the records, of which the first is line 2; `rest` is the first that could not be used. */
function prefixOf(values: readonly unknown[]): { events: readonly SessionEvent[]; damage: Damage[]; rest?: number } {
  const prefix = new EventPrefix('line')
  const used = values.map((value, index) => prefix.add(value, index + 2))
  return { events: prefix.log.events, damage: prefix.damage(), ...(used.includes(false) && { rest: used.indexOf(false) }) }
}

describe('EventPrefix', () => {
  it('refuses a run that claims to hold more than any that is written, before it is made', () => {
    const [delta] = deltas(0, 1)
    if (!delta) throw new TypeError('no delta')
    expect(packChunks(new Array<SessionEvent>(1_000_001).fill(delta)).map(packed => ('n' in packed ? packed.n : 1))).toEqual([1_000_000, 1])
    const claim = { type: 'assistant/chunk', seq: 0, time: 1, n: 1_000_001, data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0 } }, text: '', cuts: '0*1000001;' }
    expect(prefixOf([claim])).toEqual({ events: [], damage: [{ kind: 'hole', message: 'line 2 cannot be read', seq: 0 }], rest: 0 })
  })

  it('finds nothing wrong with a sound log, or with an empty one', () => {
    expect([prefixOf(log), prefixOf([])]).toEqual([{ events: log, damage: [] }, { events: [], damage: [] }])
  })

  it('keeps types that nobody knows as they are', () => {
    const own = { type: 'plugin/own', seq: 0, time: 1, data: { deep: [null] }, more: 'kept' }
    expect(prefixOf([own])).toEqual({ events: [own], damage: [] })
  })

  it('counts repetitions to the letter once, also of runs', () => {
    const repeated = [...log.slice(0, 3), ...log.slice(1, 3), ...log.slice(3)]
    expect(prefixOf(repeated)).toEqual({
      events: log,
      damage: [
        { kind: 'duplicate', message: 'line 5 repeats event 1 and counts once', seq: 1 },
        { kind: 'duplicate', message: 'line 6 repeats event 2 and counts once', seq: 2 },
      ],
    })
  })

  it.each([
    ['cannot be read', undefined],
    ['is not an event', null],
    ['is not an event', [1]],
    ['is not an event', 'text'],
    ['is not an event', { ...log[2], data: null }],
    ['is not an event', { ...log[2], type: 7 }],
    ['is not an event', { ...log[2], time: '7' }],
    ['holds event 3 where 2 belongs', { ...log[2], seq: 3 }],
    ['holds event without a number where 2 belongs', { ...log[2], seq: '2' }],
    ['holds event 1 where 2 belongs', { ...log[1], time: 5 }],
  ])('ends before a record that %s', (fault, value) => {
    const damage = [{ kind: 'hole', message: `line 4 ${fault}; the 3 records after it cannot be used`, seq: 2 }]
    expect(prefixOf([...log.slice(0, 2), value, ...log.slice(3)])).toEqual({ events: log.slice(0, 2), damage, rest: 2 })
  })

  it('gives a prefix of the log whatever single record is lost', () => {
    fc.assert(
      fc.property(fc.nat(log.length - 1), lost => {
        const { events, rest } = prefixOf(log.toSpliced(lost, 1))
        expect([events, rest]).toEqual([log.slice(0, lost), lost === log.length - 1 ? undefined : lost])
      }),
    )
  })

  it('takes packed runs like the events that they are', () => {
    const all = [...turn(0), ...deltas(3, 50)]
    const [run] = packChunks(deltas(3, 50))
    const repeated = deltas(3, 50).map(({ seq }) => ({ kind: 'duplicate', message: `line 6 repeats event ${seq} and counts once`, seq }))
    expect(prefixOf([...turn(0), run, run])).toEqual({ events: all, damage: repeated })
    expect(prefixOf([run, ...turn(0)])).toEqual({ events: [], damage: [{ kind: 'hole', message: 'line 2 holds event 3 where 0 belongs; the 52 records after it cannot be used', seq: 0 }], rest: 0 })
    for (const change of [{ cuts: '1' }, { n: 49 }, { gaps: '!' }, { text: 7 }]) expect(prefixOf([...turn(0), { ...run, ...change }])).toMatchObject({ events: turn(0), damage: [{ kind: 'hole', message: 'line 5 cannot be read', seq: 3 }], rest: 3 })
    expect(prefixOf([...turn(0), { ...run, data: { turn: 1 } }])).toMatchObject({ events: turn(0), damage: [{ message: 'line 5 cannot be read' }], rest: 3 })
    expect(prefixOf([...turn(0), { ...run, data: { turn: 1, step: 'x', chunk: { type: 'text-delta', index: 0 } } }])).toMatchObject({ events: turn(0), rest: 3 })
  })

  it('ends before what no session could take in, and freezes the rest', () => {
    const deep = { type: 'plugin/own', seq: 3, time: 1, data: { deep: JSON.parse('['.repeat(5000) + ']'.repeat(5000)) as unknown } }
    const { events, damage } = prefixOf([...turn(0), deep])
    expect([events.every(event => Object.isFrozen(event) && Object.isFrozen(event.data)), damage]).toEqual([true, [{ kind: 'hole', message: 'line 5 is nested too deeply', seq: 3 }]])
  })

  it('puts the text of a block back, also in a record that stands there twice', () => {
    const chunks = deltas(0, 3)
    const text = 'w0 w1 w2 '
    const end = { type: 'assistant/chunk', seq: 3, time: 5, data: { turn: 1, step: 1, chunk: { type: 'block-end', index: 0, block: { type: 'text', text } } } } as SessionEvent
    const echo = new BlockEcho()
    const stored = [...chunks, end].map(event => echo.write(event))
    expect(prefixOf([...packChunks(stored), stored[3]])).toEqual({ events: [...chunks, end], damage: [{ kind: 'duplicate', message: 'line 4 repeats event 3 and counts once', seq: 3 }] })
  })
})
