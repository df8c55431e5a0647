import type { SessionSummary } from '@deepseek-ai/dsh-session-persistence'
import { describe, expect, it } from 'vitest'
import { pageOf } from '../src/list-sessions.ts'

function summary(id: string, lastActivity: number, more: Partial<SessionSummary> = {}): SessionSummary {
  return { id, createdAt: 0, cwd: '/w', title: `title of ${id}`, lastActivity, events: 1, turns: 1, bytes: 1, inputTokens: 0, outputTokens: 0, models: [], ...more }
}

const ALL = [summary('e', 5), summary('d', 4), summary('c', 3), summary('b', 3), summary('a', 1)]

describe('a list of sessions', () => {
  it('comes page by page, and new sessions do not shift it', () => {
    const one = pageOf(ALL, undefined, 2)
    const two = pageOf([summary('f', 9), ...ALL], one.nextCursor ?? '', 2)
    const three = pageOf(ALL, two.nextCursor ?? '', 2)

    expect([one, two, three].map(({ sessions }) => sessions.map(({ sessionId }) => sessionId))).toEqual([['e', 'd'], ['c', 'b'], ['a']])
    expect(three.nextCursor).toBe(undefined)
  })

  it('tells directory, title and time, and leaves out what cannot be loaded', () => {
    expect(pageOf([summary('x', 0, { title: '' }), summary('y', 1000, { cwd: undefined as never })], undefined, 10)).toEqual({ sessions: [{ sessionId: 'x', cwd: '/w', updatedAt: '1970-01-01T00:00:00.000Z' }] })
  })

  it.each(['', 'x', Buffer.from('no number').toString('base64url')])('refuses the cursor %j', cursor => {
    expect(() => pageOf(ALL, cursor, 2)).toThrow(expect.objectContaining({ rpcCode: -32602 }))
  })
})
