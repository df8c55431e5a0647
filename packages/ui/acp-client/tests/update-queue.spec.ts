import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { describe, expect, it } from 'vitest'
import { UpdateQueue } from '../src/update-queue.ts'

function piece(text: string, messageId = 'm'): SessionUpdate {
  return { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text }, messageId }
}

describe('a queue of updates', () => {
  it('sends the first piece at once and lets the others grow together while it waits', async () => {
    const sent: SessionUpdate[] = []
    const gate = Promise.withResolvers<void>()
    const queue = new UpdateQueue(async (_id, update) => {
      sent.push(update)
      if (sent.length === 1) await gate.promise
    })

    queue.push('s', [piece('a')])
    await Promise.resolve()
    for (const text of ['b', 'c', 'd']) queue.push('s', [piece(text)])
    queue.push('s', [piece('x', 'other'), { sessionUpdate: 'plan', entries: [] }, piece('y', 'other')])
    queue.push('t', [piece('z', 'other')])
    gate.resolve()
    await queue.flush()

    expect(sent).toEqual([piece('a'), piece('bcd'), piece('x', 'other'), { sessionUpdate: 'plan', entries: [] }, piece('y', 'other'), piece('z', 'other')])
  })

  it('keeps one change of a call while it waits, however often its output grows', async () => {
    const sent: SessionUpdate[] = []
    const gate = Promise.withResolvers<void>()
    const queue = new UpdateQueue(async (_id, update) => {
      sent.push(update)
      await gate.promise
    })
    const change = (more: object): SessionUpdate => ({ sessionUpdate: 'tool_call_update', toolCallId: 'c1', ...more }) as SessionUpdate

    queue.push('s', [piece('first')])
    await Promise.resolve()
    await Promise.resolve()
    for (let i = 0; i < 1000; i++) queue.push('s', [change({ content: [{ type: 'content', content: { type: 'text', text: `${i}` } }] })])
    queue.push('s', [change({ status: 'completed' }), { ...change({ status: 'failed' }), toolCallId: 'c2' } as SessionUpdate])
    gate.resolve()
    await queue.flush()

    expect(sent).toEqual([piece('first'), change({ status: 'completed', content: [{ type: 'content', content: { type: 'text', text: '999' } }] }), { ...change({ status: 'failed' }), toolCallId: 'c2' }])
  })

  it('is flushed when nothing is on its way', async () => {
    await new UpdateQueue(async () => undefined).flush()
  })

  it('drops everything once the client has gone', async () => {
    let calls = 0
    const queue = new UpdateQueue(async () => {
      calls++
      throw new Error('closed')
    })

    queue.push('s', [piece('a'), { sessionUpdate: 'plan', entries: [] }])
    await queue.flush()
    queue.push('s', [piece('b')])
    await queue.flush()

    expect(calls).toBe(1)
  })
})
