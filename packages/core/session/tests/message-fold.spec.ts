import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NOT_STARTED, OUTCOME_UNKNOWN, Session, type SessionEvent } from '@deepseek-ai/dsh-session'
import type { Message } from '@deepseek-ai/dsh-llm'
import { moves, RandomLog } from './random-log.ts'

const user = { kind: 'user' as const }
const plugin = { kind: 'plugin' as const, plugin: 'notes' }
const append = { surfaceOp: 'append' as const }

function text(value: string): { type: 'text'; text: string } {
  return { type: 'text', text: value }
}

function newSession(seed: readonly SessionEvent[] = []): Session {
  return new Session({ version: 1, id: 's', createdAt: 0 }, seed)
}

/** A session in which the assistant has just asked for the calls. */
function askedFor(...ids: string[]): Session {
  const session = newSession()
  session.append('user/message', { content: [text('go')], source: user }, append)
  const content = ids.map(id => ({ type: 'tool-call' as const, id, name: 't', arguments: '{}' }))
  session.append('assistant/message', { turn: 1, step: 1, content, finish: { kind: 'tool-calls' }, model: 'm' }, append)
  return session
}

function start(session: Session, callId: string): void {
  session.append('tool/call', { turn: 1, step: 1, callId, name: 't', arguments: '{}' })
}

function answer(session: Session, callId: string): void {
  session.append('tool/result', { turn: 1, step: 1, callId, content: [text(`of ${callId}`)], isError: false }, append)
}

/** One short line a message. */
function shown(messages: readonly Message[]): string[] {
  return messages.map(({ role, content }) => {
    const parts = content.map(block => {
      if (block.type === 'text') return block.text
      if (block.type === 'tool-call') return `call ${block.id}`
      return block.type === 'tool-result' ? `result ${block.toolCallId}${block.isError ? '!' : ''} ${block.content.map(inner => (inner.type === 'text' ? inner.text : '')).join('')}` : block.type
    })
    return `${role}: ${parts.join(' ')}`
  })
}

/** What a strict provider would refuse; undefined when nothing. */
function findMalformed(messages: readonly Message[]): string | undefined {
  let pending: string[] = []
  for (const [index, { role, content }] of messages.entries()) {
    if (content.length === 0) return `message ${index} is empty`
    const results = content.filter(block => block.type === 'tool-result').map(block => block.toolCallId)
    if (pending.length > 0 && (role !== 'user' || results.length === 0)) return `message ${index} stands between calls and results: ${pending.join()}`
    for (const id of results) {
      if (!pending.includes(id)) return `message ${index} answers ${id}, which nobody asked for`
      pending = pending.filter(other => other !== id)
    }
    if (role === 'assistant' && content.every(block => block.type === 'reasoning')) return `message ${index} says nothing`
    if (role === 'assistant') pending = content.filter(block => block.type === 'tool-call').map(block => block.id)
  }
  return pending.length > 0 ? `unanswered: ${pending.join()}` : undefined
}

describe('any log', () => {
  it('derives to messages that a strict provider takes', () => {
    fc.assert(
      fc.property(moves, list => {
        const log = new RandomLog()
        for (const move of list) log.play(move)
        expect(findMalformed(log.session.deriveMessages())).toBeUndefined()
      }),
      { numRuns: 400 },
    )
  })

  it('derives the same step by step and from scratch, messages and repairs', () => {
    fc.assert(
      fc.property(moves, fc.array(fc.boolean(), { maxLength: 40 }), (list, looks) => {
        const log = new RandomLog()
        for (const [index, move] of list.entries()) {
          log.play(move)
          // Looking or not looking in between must not change what comes out.
          if (looks[index] === false) continue
          const fresh = newSession(log.session.events)
          expect(log.session.deriveMessages()).toEqual(fresh.deriveMessages())
          expect(log.session.repairs()).toEqual(fresh.repairs())
        }
      }),
      { numRuns: 200 },
    )
  })

  it('keeps every message before the first change the same object', () => {
    fc.assert(
      fc.property(moves, list => {
        const log = new RandomLog()
        let before = log.session.deriveMessages()
        for (const move of list.filter(({ kind }) => !kind.startsWith('replace'))) {
          log.play(move)
          const after = log.session.deriveMessages()
          const kept = before.filter((message, index) => after[index] === message).length
          // Only a group of calls that was open then may have been derived anew.
          const firstNew = before.findIndex((message, index) => after[index] !== message)
          if (firstNew >= 0) expect(before.slice(firstNew).every(({ role }) => role === 'user')).toBe(true)
          expect(kept).toBeLessThanOrEqual(after.length)
          before = after
        }
      }),
      { numRuns: 200 },
    )
  })
})

describe('pairing', () => {
  it('makes up results that tell calls that never started from those that were lost', () => {
    const session = askedFor('a', 'b', 'c')
    start(session, 'a')
    answer(session, 'a')
    start(session, 'b')
    session.append('user/message', { content: [text('next')], source: user }, append)

    expect(shown(session.deriveMessages())).toEqual([
      'user: go',
      'assistant: call a call b call c',
      'user: result a of a',
      `user: result b! ${OUTCOME_UNKNOWN}`,
      `user: result c! ${NOT_STARTED}`,
      'user: next',
    ])
    expect(session.repairs()).toEqual([
      { kind: 'missing-result', callId: 'b', state: 'outcome-unknown' },
      { kind: 'missing-result', callId: 'c', state: 'not-started' },
    ])
  })

  it('says what is unknown as soon as a call has started, without anything new on the surface', () => {
    const session = askedFor('a')
    expect(shown(session.deriveMessages()).at(-1)).toBe(`user: result a! ${NOT_STARTED}`)

    start(session, 'a')

    expect(shown(session.deriveMessages()).at(-1)).toBe(`user: result a! ${OUTCOME_UNKNOWN}`)
  })

  it('does not change its mind about a closed group when a later call bears the same id', () => {
    const session = askedFor('a')
    session.append('user/message', { content: [text('next')], source: user }, append)
    const before = session.deriveMessages()

    start(session, 'a')
    session.append('tool/call', { turn: 2, step: 1, callId: 'a', name: 't', arguments: '{}' })

    expect(session.deriveMessages()).toEqual(before)
    expect(newSession(session.events).deriveMessages()).toEqual(before)
  })

  it('leaves out a result that nobody asked for, and a second one', () => {
    const session = askedFor('a')
    start(session, 'a')
    answer(session, 'a')
    answer(session, 'a')
    answer(session, 'z')

    expect(shown(session.deriveMessages())).toEqual(['user: go', 'assistant: call a', 'user: result a of a'])
    expect(session.repairs()).toEqual([
      { kind: 'orphan-result', callId: 'a', seq: 4 },
      { kind: 'orphan-result', callId: 'z', seq: 5 },
    ])
  })

  it('puts context that comes between calls and results after the last result', () => {
    const session = askedFor('a', 'b')
    start(session, 'a')
    answer(session, 'a')
    session.append('context/message', { content: [text('by the way')], source: plugin }, append)
    start(session, 'b')
    answer(session, 'b')

    expect(shown(session.deriveMessages())).toEqual([
      'user: go',
      'assistant: call a call b',
      'user: result a of a',
      'user: result b of b',
      'user: <context source="notes"> by the way </context>',
    ])
  })

  it('goes back into the middle of a group when what came after is replaced', () => {
    const session = askedFor('a', 'b')
    start(session, 'a')
    answer(session, 'a')
    session.append('context/message', { content: [text('note')], source: plugin }, append)
    session.deriveMessages()
    const [, , result, note] = session.surfaceEvents
    session.append('context/message', { content: [text('instead')], source: plugin }, { surfaceOp: { op: 'replace', start: result?.seq ?? -1, end: note?.seq ?? -1 } })

    expect(shown(session.deriveMessages())).toEqual([
      'user: go',
      'assistant: call a call b',
      `user: result a! ${OUTCOME_UNKNOWN}`,
      `user: result b! ${NOT_STARTED}`,
      'user: <context source="notes"> instead </context>',
    ])
  })

  it('drops the results of calls that a summary has replaced', () => {
    const session = askedFor('a')
    start(session, 'a')
    answer(session, 'a')
    session.append('user/message', { content: [text('summary')], source: plugin }, { surfaceOp: { op: 'replace', start: 0, end: 1 } })

    expect(shown(session.deriveMessages())).toEqual(['user: summary'])
  })
})

describe('messages', () => {
  it('wraps context and steering with the name of their source', () => {
    const session = newSession()
    session.append('context/message', { content: [text('c')], source: plugin }, append)
    session.append('steering/message', { turn: 1, content: [text('s')], source: { kind: 'agent', agentId: 'x' } }, append)
    session.append('steering/message', { turn: 1, content: [text('u')], source: user }, append)

    expect(shown(session.deriveMessages())).toEqual([
      'user: <context source="notes"> c </context>',
      'user: <steering source="agent:x"> s </steering>',
      'user: <steering source="user"> u </steering>',
    ])
  })

  it('leaves out answers without substance', () => {
    const session = newSession()
    const rest = { turn: 1, step: 1, finish: { kind: 'stop' as const }, model: 'm' }
    session.append('assistant/message', { ...rest, content: [], usage: { inputTokens: 1, outputTokens: 0 } }, append)
    session.append('assistant/message', { ...rest, content: [{ type: 'reasoning', text: 'hm' }] }, append)
    session.append('assistant/message', { ...rest, content: [text(' \n')] }, append)
    session.append('user/message', { content: [], source: user }, append)
    session.append('assistant/message', { ...rest, content: [{ type: 'reasoning', text: 'hm' }, text('yes')] }, append)

    expect(session.deriveMessages()).toEqual([{ role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, text('yes')] }])
  })

  it('are frozen, and a derived list does not grow with the log', () => {
    const session = newSession()
    session.append('user/message', { content: [text('one')], source: user }, append)
    const first = session.deriveMessages()
    session.append('user/message', { content: [text('two')], source: user }, append)

    expect(shown(first)).toEqual(['user: one'])
    expect(session.deriveMessages()[0]).toBe(first[0])
    expect(Object.isFrozen(first[0]?.content[0])).toBe(true)
  })
})
