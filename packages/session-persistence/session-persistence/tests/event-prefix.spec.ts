import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkPrefix, type StoredRecord } from '../src/index.ts'
import { turn } from './events.ts'

const log = [...turn(0), ...turn(3)]

function records(values: readonly unknown[]): StoredRecord[] {
  return values.map((value, index) => ({ value, place: `line ${index + 2}` }))
}

describe('checkPrefix', () => {
  it('finds nothing wrong with a sound log, or with an empty one', () => {
    expect([checkPrefix(records(log)), checkPrefix([])]).toEqual([{ events: log, damage: [] }, { events: [], damage: [] }])
  })

  it('keeps types that nobody knows as they are', () => {
    const own = { type: 'plugin/own', seq: 0, time: 1, data: { deep: [null] }, more: 'kept' }
    expect(checkPrefix(records([own]))).toEqual({ events: [own], damage: [] })
  })

  it('counts repetitions to the letter once, also of runs', () => {
    const repeated = [...log.slice(0, 3), ...log.slice(1, 3), ...log.slice(3)]
    expect(checkPrefix(records(repeated))).toEqual({
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
    expect(checkPrefix(records([...log.slice(0, 2), value, ...log.slice(3)]))).toEqual({ events: log.slice(0, 2), damage, rest: 2 })
  })

  it('gives a prefix of the log whatever single record is lost', () => {
    fc.assert(
      fc.property(fc.nat(log.length - 1), lost => {
        const { events, rest } = checkPrefix(records(log.toSpliced(lost, 1)))
        expect([events, rest]).toEqual([log.slice(0, lost), lost === log.length - 1 ? undefined : lost])
      }),
    )
  })
})
