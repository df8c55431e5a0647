import type { SessionUpdate } from '@agentclientprotocol/sdk'
import { Session, type SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { SessionUpdates, type ToolViews } from '../src/session-updates.ts'

const VIEWS: ToolViews = {
  kind: name => (name === 'bash' ? 'execute' : 'other'),
  call: (name, args) => (name === 'bash' ? { card: 'terminal', title: String(args['command']) } : undefined),
  result: (name, _args, { content }) => (name === 'bash' ? { card: 'terminal', output: content.map(block => (block.type === 'text' ? block.text : '')).join('') } : undefined),
}

function updates(hasNotices = false): SessionUpdates {
  return new SessionUpdates({ cwd: '/w', views: VIEWS, hasNotices, contextWindow: model => (model === 'known' ? 1000 : undefined) })
}

/** A log to append to. */
function log(): Session {
  return new Session({ version: 1, id: 's', createdAt: 0, cwd: '/w' })
}

function all(session: Session, take: (event: SessionEvent) => SessionUpdate[]): SessionUpdate[] {
  return session.events.flatMap(take)
}

/** One step in which an answer was lost, and another calls a tool that nobody logged the end of. */
function troubled(): Session {
  const session = log()
  session.append('turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } })
  session.append('user/message', { content: [{ type: 'text', text: 'go' }], source: { kind: 'user' } }, { surfaceOp: 'append' })
  session.append('step/start', { turn: 1, step: 1 })
  const chunk = (value: SessionEvent<'assistant/chunk'>['data']['chunk']): void => void session.append('assistant/chunk', { turn: 1, step: 1, chunk: value })
  chunk({ type: 'text-delta', index: 0, text: 'lost' })
  chunk({ type: 'tool-call-delta', index: 1, id: 'x1', name: 'bash', argumentsDelta: '' })
  session.append('llm/attempt', { turn: 1, step: 1, attempt: 1, error: { name: 'LlmError', code: 'SERVER', message: 'broke' }, retryInMs: 1500 })
  chunk({ type: 'text-delta', index: 0, text: 'kept' })
  chunk({ type: 'tool-call-delta', index: 1, id: 'c1', name: 'bash', argumentsDelta: '{"command":"ls"}' })
  session.append('assistant/message', { turn: 1, step: 1, model: 'known', finish: { kind: 'tool-calls' }, usage: { inputTokens: 5, outputTokens: 2, cacheReadTokens: 3 }, cost: { currency: 'USD', amount: 0.5 }, content: [{ type: 'text', text: 'kept' }, { type: 'tool-call', id: 'c1', name: 'bash', arguments: '{"command":"ls"}' }] }, { surfaceOp: 'append' })
  session.append('tool/call', { turn: 1, step: 1, callId: 'c1', name: 'bash', arguments: '{"command":"ls"}' })
  session.append('turn/end', { turn: 1, reason: { kind: 'interrupted' } })
  return session
}

describe('updates of a session', () => {
  it('show a lost answer as a message of its own, its calls as failed, and say that there is another attempt', () => {
    const of = updates(true)

    expect(all(troubled(), event => of.live(event))).toEqual([
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'lost' }, messageId: 'answer-1.1' },
      { sessionUpdate: 'tool_call', toolCallId: 'x1', title: 'bash', name: 'bash', kind: 'execute', status: 'pending' },
      { sessionUpdate: 'tool_call_update', toolCallId: 'x1', status: 'failed' },
      { sessionUpdate: 'notice', severity: 'warning', title: 'The request failed; trying again in 1.5 s', description: 'broke [SERVER]' },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'kept' }, messageId: 'answer-1.1.1' },
      { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'bash', name: 'bash', kind: 'execute', status: 'pending' },
      { sessionUpdate: 'usage_update', used: 10, size: 1000, cost: { currency: 'USD', amount: 0.5 } },
      { sessionUpdate: 'tool_call_update', toolCallId: 'c1', title: 'ls', name: 'bash', kind: 'execute', status: 'pending', rawInput: { command: 'ls' } },
      { sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'failed' },
    ])
  })

  it('replay what counts of it, under the same ids', () => {
    const of = updates(true)

    expect(all(troubled(), event => of.replay(event))).toEqual([
      { sessionUpdate: 'user_message_chunk', content: { type: 'text', text: 'go' }, messageId: 'user-1' },
      { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'kept' }, messageId: 'answer-1.1.1' },
      { sessionUpdate: 'usage_update', used: 10, size: 1000, cost: { currency: 'USD', amount: 0.5 } },
      { sessionUpdate: 'tool_call', toolCallId: 'c1', title: 'ls', name: 'bash', kind: 'execute', status: 'pending', rawInput: { command: 'ls' } },
      { sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'failed' },
    ])
  })

  it('replay no message that a plugin wrote', () => {
    const session = log()
    session.append('turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } })
    session.append('user/message', { content: [{ type: 'text', text: 'summary' }], source: { kind: 'plugin', plugin: 'compact' } }, { surfaceOp: 'append' })

    expect(all(session, event => updates().replay(event))).toEqual([])
  })

  it('show a plan only of what is one', () => {
    const of = updates()
    const event = (todos: unknown): SessionEvent => ({ type: 'todo/write', seq: 0, time: 0, data: { todos } }) as never

    expect([of.live(event([{ content: 'a', status: 'pending' }, { content: 'b', status: 'dreaming' }, null])), of.live(event('nonsense'))]).toEqual([[{ sessionUpdate: 'plan', entries: [{ content: 'a', priority: 'medium', status: 'pending' }] }], []])
  })

  it('keep the end of a long output, cut at a character, and say that there was more', () => {
    const of = updates()
    all(troubled(), event => (event.type === 'turn/end' ? [] : of.live(event)))

    of.addOutput('c1', `${'a'.repeat(20_000)}🎉`.repeat(2))
    const [update] = of.progress('c1')
    const shown = JSON.stringify(update)

    expect(shown).toContain('only the end is shown while it runs')
    expect(shown.isWellFormed()).toBe(true)
    expect(shown.length).toBeLessThan(17_000)
  })

  it('leave the output of a call to the client\'s own terminal', () => {
    const of = updates()
    all(troubled(), event => (event.type === 'turn/end' ? [] : of.live(event)))

    const shown = of.showTerminal('c1', 't1')
    of.addOutput('c1', 'text')

    expect([shown, of.progress('c1')]).toEqual([[{ sessionUpdate: 'tool_call_update', toolCallId: 'c1', status: 'in_progress', content: [{ type: 'terminal', terminalId: 't1' }] }], []])
  })

  it('have nothing to say of calls that are not open', () => {
    const of = updates()

    expect([of.begin('no'), of.showTerminal('no', 't'), of.progress('no'), of.closeOpen()]).toEqual([[], [], [], []])
  })
})
