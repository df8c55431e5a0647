import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SessionEvent, SessionHeader } from '@deepseek-ai/dsh-session'
import { SummaryFold, toTitle } from '../src/index.ts'
import { turn } from './events.ts'

const header: SessionHeader = { version: 1, id: 'one', createdAt: 1000, cwd: '/w', parentSession: 'zero' }

function answer(seq: number, model: string, usage?: { inputTokens: number; outputTokens: number; cacheReadTokens?: number; cacheWriteTokens?: number }): SessionEvent {
  return { type: 'assistant/message', seq, time: 2000 + seq, data: { turn: 1, step: 1, content: [], finish: { kind: 'stop' }, model, ...(usage && { usage }) }, surfaceOp: 'append' }
}

const log: SessionEvent[] = [
  ...turn(0, 'first words'),
  answer(3, 'm1', { inputTokens: 10, outputTokens: 2, cacheReadTokens: 100, cacheWriteTokens: 5 }),
  answer(4, 'm2', { inputTokens: 1, outputTokens: 3 }),
  answer(5, 'm1'),
  ...turn(6, 'other words'),
]

function folded(events: readonly SessionEvent[], fold = new SummaryFold(header)): SummaryFold {
  for (const event of events) fold.advance(event)
  return fold
}

describe('SummaryFold', () => {
  it('takes what was typed for the title, not the files that go along', () => {
    const content = [{ type: 'text', text: 'look at @a.ts' }, { type: 'text', text: '<file path="a.ts">\n1: x\n</file>' }]
    const said = turn(0, '').map(event => (event.type === 'user/message' ? { ...event, data: { ...event.data, content } } : event)) as SessionEvent[]

    expect(folded(said).summary(1).title).toBe('look at @a.ts')
  })

  it('knows what a list shows', () => {
    expect(folded(log).summary(77)).toEqual({ id: 'one', createdAt: 1000, cwd: '/w', parentSession: 'zero', title: 'first words', lastActivity: 2005, events: 9, turns: 3, bytes: 77, inputTokens: 116, outputTokens: 5, models: ['m1', 'm2'] })
  })

  it('says of a session without events what its header says', () => {
    expect(new SummaryFold({ version: 1, id: 'a', createdAt: 5 }).summary(0)).toEqual({ id: 'a', createdAt: 5, title: '', lastActivity: 5, events: 0, turns: 0, bytes: 0, inputTokens: 0, outputTokens: 0, models: [] })
  })

  it('prefers a title that was given, wherever it stands', () => {
    const titled = (title: string): SessionEvent => ({ type: 'session/title', seq: 0, time: 1, data: { title } }) as unknown as SessionEvent
    const titles = [[titled('given'), ...log], [...log, titled('given')], [titled('old'), ...log, titled('given')]].map(events => folded(events).summary(0).title)
    expect(titles).toEqual(['given', 'given', 'given'])
  })

  it('goes on from where it was stored as if it had never stopped', () => {
    fc.assert(
      fc.property(fc.nat(log.length), cut => {
        const stored = SummaryFold.fromJSON(header, JSON.parse(JSON.stringify(folded(log.slice(0, cut)))))
        expect([stored.events, folded(log.slice(cut), stored).summary(1)]).toEqual([cut, folded(log).summary(1)])
      }),
    )
  })

  it('is not changed by what its fork or its source folds', () => {
    const fold = folded(log.slice(0, 4))
    const before = fold.summary(0)
    folded(log.slice(4), fold.fork())
    folded(log.slice(4), SummaryFold.fromJSON(header, fold.toJSON()))
    expect(fold.summary(0)).toEqual(before)
  })

  it.each([[null], [[]], [{}], [{ title: 1 }], ['x'], [{ ...(new SummaryFold(header).toJSON() as object), models: [3] }], [{ ...(new SummaryFold(header).toJSON() as object), turns: '1' }], [{ ...(new SummaryFold(header).toJSON() as object), cost: {} }], [{ ...(new SummaryFold(header).toJSON() as object), cost: null }]])('refuses %j as its stored form', value => {
    expect(() => SummaryFold.fromJSON(header, value)).toThrow(TypeError)
  })
})

describe('toTitle', () => {
  it.each([
    ['  two\n\twords ', 'two words'],
    ['\u001b[31mred\u001b[0m \u0007bell', 'red bell'],
    ['a'.repeat(60), 'a'.repeat(60)],
    ['a'.repeat(61), `${'a'.repeat(59)}…`],
    [`${'a'.repeat(58)}😀😀`, `${'a'.repeat(58)}…`],
    ['', ''],
  ])('makes one safe line of %j', (text, title) => {
    expect(toTitle(text)).toBe(title)
  })
})
