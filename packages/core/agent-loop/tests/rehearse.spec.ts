import { expect, it } from 'vitest'
import { harness, reply, transcript } from '@deepseek-ai/dsh-testkit'

it('goes through a whole turn of which no plugin hears, and which asks no model', async () => {
  await using h = await harness({ model: [reply('hello')] })
  const heard: string[] = []
  for (const name of ['session/created', 'session/event', 'session/closed', 'session/flush', 'agent/created', 'agent/status', 'agent/disposed', 'agent/pre-step'] as const) h.ctx.on(name, () => void heard.push(name))
  const events = await h.ctx.agents.rehearse()

  expect(events.map(({ type }) => type).filter(type => type !== 'assistant/chunk')).toEqual(['inbox/queued', 'turn/start', 'inbox/claimed', 'user/message', 'step/start', 'request/header', 'assistant/message', 'step/end', 'turn/end'])
  expect(events.at(-1)?.data).toEqual({ turn: 1, reason: { kind: 'completed' } })
  expect([heard, h.ctx.agents.list(), h.ctx.sessions.list()]).toEqual([[], [h.agent], [h.session]])
  expect(await h.run('hi')).toBe(transcript(h.agent))
  expect(h.session.turns).toBe(1)
})
