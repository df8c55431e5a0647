import { describe, expect, it } from 'vitest'
import { closeInterrupted, Session, visibleAnswer } from '@deepseek-ai/dsh-session'
import type { StreamChunk } from '@deepseek-ai/dsh-llm'

/** A session in the middle of its first step. */
function inStep(...chunks: StreamChunk[]): Session {
  const session = new Session({ version: 1, id: 's', createdAt: 0 })
  session.append('turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } })
  session.append('step/start', { turn: 1, step: 1 })
  for (const chunk of chunks) session.append('assistant/chunk', { turn: 1, step: 1, chunk })
  return session
}

function added(session: Session): unknown[] {
  const before = session.seq
  closeInterrupted(session)
  return session.events.slice(before).map(({ type, data }) => [type, data])
}

const said = (text: string): StreamChunk => ({ type: 'text-delta', index: 0, text })

describe('closeInterrupted', () => {
  it('closes step and turn and keeps what was visible, without the unfinished call', () => {
    const session = inStep(said('Hello '), said('wor'), { type: 'tool-call-delta', index: 1, id: 'a', name: 't', argumentsDelta: '{"x":' }, { type: 'block-start', index: 2, blockType: 'image' })

    expect(added(session)).toEqual([
      ['assistant/message', { turn: 1, step: 1, content: [{ type: 'text', text: 'Hello wor' }], finish: { kind: 'aborted' }, model: 'unknown', interrupted: true }],
      ['step/end', { turn: 1, step: 1 }],
      ['turn/end', { turn: 1, reason: { kind: 'interrupted' } }],
    ])
    expect([session.openTurn, session.openStep]).toEqual([undefined, undefined])
  })

  it('closes a turn between steps with its end alone', () => {
    const session = inStep()
    session.append('step/end', { turn: 1, step: 1 })

    expect(added(session)).toEqual([['turn/end', { turn: 1, reason: { kind: 'interrupted' } }]])
  })

  it('queues input again whose message is not in the log', () => {
    const source = { kind: 'user' as const }
    const session = new Session({ version: 1, id: 's', createdAt: 0 })
    for (const id of ['a', 'b', 'c']) session.append('inbox/queued', { id, target: 'step', content: [{ type: 'text', text: id }], source })
    session.append('turn/start', { turn: 1, trigger: { kind: 'message', source } })
    session.append('inbox/claimed', { ids: ['a', 'b', 'c'], turn: 1, step: 1 })
    session.append('steering/message', { turn: 1, content: [{ type: 'text', text: 'a' }], source }, { surfaceOp: 'append' })

    expect(added(session)).toEqual([
      ['turn/end', { turn: 1, reason: { kind: 'interrupted' } }],
      ['inbox/queued', { id: 'in-7', target: 'step', content: [{ type: 'text', text: 'b' }], source }],
      ['inbox/queued', { id: 'in-8', target: 'step', content: [{ type: 'text', text: 'c' }], source }],
    ])
  })

  it('adds nothing when no turn is open', () => {
    const session = inStep()
    closeInterrupted(session)

    expect(added(session)).toEqual([])
  })

  it('does not repeat an answer that is complete', () => {
    const session = inStep(said('done'))
    session.append('assistant/message', { turn: 1, step: 1, content: [{ type: 'text', text: 'done' }], finish: { kind: 'stop' }, model: 'm' }, { surfaceOp: 'append' })

    expect(added(session)).toEqual([
      ['step/end', { turn: 1, step: 1 }],
      ['turn/end', { turn: 1, reason: { kind: 'interrupted' } }],
    ])
  })
})

describe('visibleAnswer', () => {
  it('does not count the chunks of a failed attempt, nor thoughts alone', () => {
    const session = inStep(said('first try'))
    session.append('llm/attempt', { turn: 1, step: 1, attempt: 1, error: { name: 'LlmError', code: 'SERVER', message: 'x' }, retryInMs: 1 })
    expect(visibleAnswer(session)).toEqual([])

    session.append('assistant/chunk', { turn: 1, step: 1, chunk: { type: 'reasoning-delta', index: 0, text: 'hm' } })
    expect(visibleAnswer(session)).toEqual([])

    session.append('assistant/chunk', { turn: 1, step: 1, chunk: { type: 'text-delta', index: 1, text: 'second' } })
    expect(visibleAnswer(session)).toEqual([
      { type: 'reasoning', text: 'hm' },
      { type: 'text', text: 'second' },
    ])
  })
})
