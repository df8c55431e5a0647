import { describe, expect, it } from 'vitest'
import { findRequestFault, LogRules } from '@deepseek-ai/dsh-invariants'
import { deepFreeze } from '@deepseek-ai/dsh-json'
import { Session, type SessionEvent } from '@deepseek-ai/dsh-session'

type Line = [type: string, data: object, rest?: object]

const user = { kind: 'user' }
const start: Line = ['turn/start', { turn: 1, trigger: { kind: 'message', source: user } }]
const stepStart: Line = ['step/start', { turn: 1, step: 1 }]
const stepEnd: Line = ['step/end', { turn: 1, step: 1 }]
const end: Line = ['turn/end', { turn: 1, reason: { kind: 'completed' } }]
const onSurface = { surfaceOp: 'append' }

function answer(...ids: string[]): Line {
  return ['assistant/message', { turn: 1, step: 1, content: ids.map(id => ({ type: 'tool-call', id, name: 't', arguments: '' })), finish: { kind: 'stop' }, model: 'm' }, onSurface]
}
function call(callId: string): Line {
  return ['tool/call', { turn: 1, step: 1, callId, name: 't', arguments: '' }]
}
function result(callId: string, source: number): Line {
  return ['tool/result', { turn: 1, step: 1, callId, content: [], isError: false }, { ...onSurface, sourceEventSeqs: [source] }]
}

/** What is complained about, each with the number of the event. */
function faults(...lines: Line[]): string[] {
  const rules = new LogRules()
  return lines.flatMap(([type, data, rest], seq) => rules.advance(deepFreeze({ type, seq, time: 1, data, ...rest }) as never as SessionEvent).map(fault => `${seq}: ${fault}`))
}

describe('a proper log', () => {
  it('breaks nothing', () => {
    expect(
      faults(
        ['inbox/queued', { id: 'a', target: 'turn', content: [], source: user }],
        start,
        ['inbox/claimed', { ids: ['a'], turn: 1 }],
        ['user/message', { content: [], source: user }, onSurface],
        ['weather/report', { sky: 'blue' }],
        stepStart,
        answer('a', 'b'),
        call('a'),
        call('b'),
        result('a', 7),
        result('b', 8),
        stepEnd,
        ['step/start', { turn: 1, step: 2 }],
        ['step/end', { turn: 1, step: 2 }],
        end,
        ['inbox/dropped', { ids: [], reason: '' }],
        ['turn/start', { turn: 2, trigger: { kind: 'injection', source: user } }],
        ['turn/end', { turn: 2, reason: { kind: 'completed' } }],
      ),
    ).toEqual([])
  })
})

describe('shape', () => {
  it('needs numbers without holes, a time, and JSON that is frozen', () => {
    const rules = new LogRules()
    rules.advance(deepFreeze({ type: 'turn/start', seq: 0, time: 1, data: { turn: 1 } }) as never)

    expect(rules.advance({ type: 'weather/report', seq: 2, time: -1, data: { at: new Date(0) } } as never)).toEqual([
      'numbered 2 where 1 was due',
      'the time -1 is not in milliseconds since the epoch',
      'weather/report.data.at is an instance of Date',
      'event is not frozen',
    ])
  })

  it('needs a surface marker exactly on surface events', () => {
    expect(faults(start, ['user/message', { content: [] }], ['weather/report', {}, onSurface], ['user/message', { content: [] }, { ...onSurface, sourceEventSeqs: [9] }])).toEqual([
      '1: on the surface without a surface marker',
      '2: carries surface metadata although it is not on the surface',
      '3: names sources that are not before it: 9',
    ])
  })
})

describe('turns and steps', () => {
  it('enclose everything but the inbox', () => {
    expect(faults(['weather/report', {}], ['inbox/claimed', { ids: [], turn: 1 }], start, end, ['user/message', { content: [] }, onSurface])).toEqual(['0: outside every turn', '1: outside every turn', '4: outside every turn'])
  })

  it('are numbered from 1 without holes and do not overlap', () => {
    expect(faults(['turn/start', { turn: 2 }], ['turn/start', { turn: 3 }], ['step/start', { turn: 3, step: 2 }], ['step/start', { turn: 3, step: 3 }], ['turn/end', { turn: 3, reason: { kind: 'aborted' } }])).toEqual([
      '0: number 2 after 0',
      '1: turn 2 is still open',
      '2: number 2 after 0',
      '3: step 2 is still open',
      '4: step 3 is still open',
    ])
  })

  it('hold what belongs to them', () => {
    expect(faults(start, ['assistant/chunk', { turn: 1, step: 1 }], stepStart, ['assistant/chunk', { turn: 1, step: 2 }], ['compact/start', { turn: 7 }], ['step/end', { turn: 1, step: 2 }])).toEqual([
      '1: belongs to step 1, but no step is open',
      '3: belongs to step 2, but step 1 is open',
      '4: belongs to turn 7, but turn 1 is open',
      '5: belongs to step 2, but step 1 is open',
    ])
  })
})

describe('a request', () => {
  it('is the step’s own until the answer is there, outside of summaries', () => {
    const rules = new LogRules()
    const lines: Line[] = [start, stepStart, ['compact/start', { turn: 1 }], ['compact/end', { turn: 1 }], answer(), stepEnd]
    const awaits = lines.map(([type, data, rest], seq) => {
      rules.advance(deepFreeze({ type, seq, time: 1, data, ...rest }) as never)
      return rules.awaitsAnswer
    })

    expect(awaits).toEqual([false, true, false, true, false, false])
  })

  it('without a header before it is a fault', () => {
    const session = new Session({ version: 1, id: 's', createdAt: 0 })

    expect(findRequestFault(session, { model: 'm', messages: [], signal: new AbortController().signal })).toBe('a request was made before its request/header was logged')
  })
})

describe('calls and results', () => {
  it('belong to the answer of their step, in its order', () => {
    expect(faults(start, stepStart, answer('a', 'b'), call('b'), call('a'), result('b', 3), result('z', 3), result('b', 0))).toEqual([
      '3: b is not the next call that the answer of this step asks for (a)',
      '4: a is not the next call that the answer of this step asks for (b)',
      '5: b is answered out of the order of the calls',
      '6: z has no tool/call in this step',
      '6: z is answered out of the order of the calls',
      '7: b does not name its tool/call 3 as its source',
      '7: b is answered twice',
      '7: b is answered out of the order of the calls',
    ])
  })

  it('may be missing only when the turn was cut short', () => {
    const open = [start, stepStart, answer('a'), call('a'), stepEnd]
    const ending = (reason: object): string[] => faults(...(open as Line[]), ['turn/end', { turn: 1, reason }])

    expect(ending({ kind: 'aborted' })).toEqual([])
    expect(ending({ kind: 'limit', which: 'deadline' })).toEqual([])
    expect(ending({ kind: 'limit', which: 'steps' })).toEqual(['5: the step before ended although a had no result'])
    expect(ending({ kind: 'completed' })).toEqual(['5: the step before ended although a had no result'])
    expect(faults(...(open as Line[]), ['step/start', { turn: 1, step: 2 }])).toEqual(['5: the step before ended although a had no result'])
  })

  it('are started once in the whole log', () => {
    const step = (turn: number, number: number): Line[] => [
      ['step/start', { turn, step: number }],
      ['assistant/message', { turn, step: number, content: [{ type: 'tool-call', id: 'a', name: 't', arguments: '' }], finish: { kind: 'stop' }, model: 'm' }, onSurface],
      ['tool/call', { turn, step: number, callId: 'a', name: 't', arguments: '' }],
    ]
    const rest: Line[] = [['tool/result', { turn: 1, step: 1, callId: 'a', content: [], isError: false }, { ...onSurface, sourceEventSeqs: [3] }], stepEnd]

    expect(faults(start, ...step(1, 1), ...rest, ...step(1, 2))).toEqual(['8: a is started twice'])
  })

  it('come from one answer a step', () => {
    expect(faults(start, stepStart, answer(), answer())).toEqual(['3: the second answer of one step'])
  })
})
