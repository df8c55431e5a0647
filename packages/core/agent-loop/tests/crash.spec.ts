/** A process may end after any event. Whatever is left must run on, lose no input, and never break a request. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LlmError } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { call, calls, fail, hang, harness, reply, textTool, type Harness, type HarnessOptions } from '@deepseek-ai/dsh-testkit'

const options: HarnessOptions = {
  tools: [textTool('read', ({ id }) => `read ${String(id)}`, { concurrency: 'parallel' }), textTool('write', ({ id }) => `wrote ${String(id)}`)],
}

/** A session with a bit of everything: groups of calls, steering, context, a retry, a blocked prompt, a cancel. */
async function eventfulLog(): Promise<SessionEvent[]> {
  const h = await harness({
    ...options,
    model: [
      fail(new LlmError('SERVER', 'overloaded'), [{ type: 'text-delta', index: 0, text: 'half' }]),
      calls([{ name: 'read', arguments: { id: 1 } }, { name: 'read', arguments: { id: 2 } }, { name: 'write', arguments: { id: 3 } }], { text: 'Let me look.' }),
      call('read', '{"id": '),
      reply('done', { deltas: 2 }),
      hang([{ type: 'reasoning-delta', index: 0, text: 'hm' }, { type: 'text-delta', index: 1, text: 'On the ' }, { type: 'text-delta', index: 1, text: 'way' }]),
    ],
  })
  h.ctx.on('agent/request-error', async () => ({ kind: 'retry', delayMs: 0 }))
  h.ctx.on('agent/prompt-submit', async (_agent, content, _source, next) => (content[0]?.type === 'text' && content[0].text === 'no' ? { kind: 'block', reason: 'not that' } : await next()))
  h.ctx.on('session/event', (_session, event) => {
    if (event.type !== 'tool/result' || event.data.turn !== 1 || event.data.step !== 1) return
    h.agent.steer(`steer ${event.seq}`)
    h.agent.inject(`note ${event.seq}`, { source: { kind: 'plugin', plugin: 'p' } })
  })
  h.agent.send('one')
  h.agent.send('no')
  h.agent.send('two')
  await h.agent.whenIdle()
  h.agent.inject('between', { source: { kind: 'plugin', plugin: 'p' } })
  h.agent.send('three')
  await h.saw('assistant/chunk', { where: ({ data }) => data.chunk.type === 'text-delta' && data.chunk.text === 'way' })
  h.agent.send('four')
  h.agent.cancel('stop', { queue: 'keep' })
  await h.agent.whenIdle()
  const log = JSON.parse(JSON.stringify(h.session.events)) as SessionEvent[]
  await h.dispose()
  return log
}

/** The texts of all events of these types. */
function texts(events: readonly SessionEvent[], ...types: string[]): string[] {
  return events.filter(({ type }) => types.includes(type)).flatMap(({ data }) => (data as { content: { text?: string }[] }).content.map(({ text }) => text ?? ''))
}

describe('after a crash at any event', () => {
  let log: SessionEvent[] = []
  let h: Harness

  beforeAll(async () => {
    log = await eventfulLog()
    h = await harness(options)
  })
  afterAll(async () => await h.dispose())

  it('the session runs on, with requests that a strict provider takes', async () => {
    expect(log.length).toBeGreaterThan(60)
    for (let cut = 0; cut <= log.length; cut++) {
      h.script.push(...Array.from({ length: 3 }, () => reply('going on')))
      const { agent, dispose } = h.create({ sessionId: `cut-${cut}`, seed: log.slice(0, cut), source: 'resume' })
      await agent.whenIdle()
      agent.send('again')
      await agent.whenIdle()
      const { events } = agent.session

      const accepted = texts(events, 'inbox/queued')
      const heard = texts(events, 'user/message', 'steering/message', 'prompt/blocked')
      expect([cut, accepted.filter(text => !heard.includes(text)), heard.filter((text, i) => heard.indexOf(text) !== i)]).toEqual([cut, [], []])
      expect([cut, events.at(-1)?.data]).toEqual([cut, { turn: agent.session.turns, reason: { kind: 'completed' } }])
      expect([cut, h.script.violations, h.invariants.violations]).toEqual([cut, [], []])
      await dispose()
    }
  })

  it('what had been said to the user stays in the conversation', () => {
    const visible = log.findIndex(event => event.type === 'assistant/chunk' && event.data.chunk.type === 'text-delta' && event.data.chunk.text === 'On the ')
    const { agent } = h.create({ seed: log.slice(0, visible + 1), source: 'resume' })

    expect(agent.session.deriveMessages().at(-1)).toEqual({ role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'On the ' }] })
  })
})
