import { describe, expect, it } from 'vitest'
import { describeChoice, renderPreview } from '../src/describe-choice.ts'

const NOW = Date.UTC(2030, 0, 31, 12)
const MINUTE = 60_000

describe('a session to choose', () => {
  it.each([
    [0, 'just now'],
    [5 * MINUTE, '5 min ago'],
    [3 * 60 * MINUTE, '3 h ago'],
    [25 * 60 * MINUTE, '1 day ago'],
    [8 * 24 * 60 * MINUTE, '2030-01-23 12:00 UTC'],
    [-MINUTE, '2030-01-31 12:01 UTC'],
  ])('says when it was last used: %i ms ago is %s', (ago, text) => {
    const summary = { id: '0abcdefgh-12345678', title: 'mend', lastActivity: NOW - ago, turns: 1 }
    expect(describeChoice(summary as never, NOW)).toEqual({ value: summary.id, label: 'mend', description: `${text} · 1 turn · 0abcdefgh` })
  })

  it('says what was said last', () => {
    const user = (text: string, kind = 'user') => ({ type: 'user/message', data: { content: [{ type: 'text', text }], source: { kind } } })
    const answer = (text: string) => ({ type: 'assistant/message', data: { content: [{ type: 'text', text }] } })
    expect(renderPreview([user('one'), answer('1'), user('two\nlines'), user('not his', 'plugin'), answer('2'), answer(' ')] as never)).toBe('❯ two lines\n2')
    expect(renderPreview([])).toBe('Nothing was said in it.')
  })
})
