import { harness, reply } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'
import { limitTurns, TOO_MANY_TURNS } from '../src/index.ts'

it('stops a turn too many before the model is asked; turns that only take in context do not count', async () => {
  await using host = await harness({ model: [reply('One.'), reply('Two.')] })
  const limit = limitTurns(host.ctx, host.agent, 2)
  await host.run('first')
  host.agent.inject('by the way', { source: { kind: 'plugin', plugin: 'test' } })
  await host.run('second')
  expect(limit.isExceeded).toBe(false)
  await host.run('third')
  const reasons = host.session.events.flatMap(({ type, data }) => (type === 'turn/end' ? [data.reason] : []))
  expect([limit.isExceeded, reasons.at(-1), host.script.requests.length]).toEqual([true, { kind: 'aborted', reason: TOO_MANY_TURNS }, 2])
})
