import { harness, reply } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'
import { renderDamage, renderFarewell, renderReturn } from '../src/render-session.ts'

const summary = { id: 'x', createdAt: 0, title: 'The \u001b[2Jtitle', lastActivity: 0, events: 1, turns: 1, bytes: 1, inputTokens: 0, outputTokens: 0, models: [] }

it('tells each damage in one line, with where the rest is kept', () => {
  const damage = [{ kind: 'hole' as const, message: 'line 4\nis bad', keptAside: '/s/x.rest' }, { kind: 'torn-tail' as const, message: 'the end was cut' }]
  expect(renderDamage({ stored: { damage } } as never)).toEqual(['dsh: damaged session: line 4 is bad (kept in /s/x.rest)\n', 'dsh: damaged session: the end was cut\n'])
  expect(renderDamage({} as never)).toEqual([])
})

it('shows where one was: the last question, and the end of the last answer', async () => {
  await using h = await harness({ model: [reply('old'), reply(Array.from({ length: 20 }, (_, i) => `row ${i}`).join('\n'))], create: { sessionId: 'mine', meta: { parentSession: '0mx40mj2v-e9a2be23' } } })
  await h.run('first')
  await h.run('second\nline')
  const { agent } = h
  const stored = { header: agent.session.header, events: [], damage: [], summary }
  expect(renderReturn({ agent, stored, isStored: true })).toBe(`session mine, a copy of 0mx40mj2v, “The title”, 2 turns so far\n> second\n  line\n… 8 lines …\n${Array.from({ length: 12 }, (_, i) => `row ${i + 8}`).join('\n')}\n`)
  expect(renderReturn({ agent, isStored: true })).toBe('')
})

it('shows a question that was never answered without the answer before it', async () => {
  await using h = await harness({ model: [reply('old')], create: { sessionId: 'mine' } })
  await h.run('first')
  h.session.append('turn/start', { turn: 2, trigger: { kind: 'message', source: { kind: 'user' } } })
  h.session.append('user/message', { content: [{ type: 'text', text: 'second' }], source: { kind: 'user' } }, { surfaceOp: 'append' })
  h.session.append('turn/end', { turn: 2, reason: { kind: 'interrupted' } })
  const stored = { header: h.session.header, events: [], damage: [], summary }
  expect(renderReturn({ agent: h.agent, stored, isStored: true })).toBe('session mine, “The title”, 2 turns so far\n> second\n')
})

it('says how to come back when there is something to come back to', async () => {
  await using h = await harness({ model: [reply('ok')], create: { sessionId: '0mx40mj2v-e9a2be23' } })
  expect(renderFarewell({ agent: h.agent, isStored: true })).toBe('')
  await h.run('go')
  expect(renderFarewell({ agent: h.agent, isStored: true })).toBe('dsh: session 0mx40mj2v-e9a2be23; dsh -r 0mx40mj2v goes on with it\n')
  expect(renderFarewell({ agent: h.agent, isStored: false })).toBe('')
})
