/** One prompt followed once: the order of events that docs/architecture.md draws. */

import { call, harness, logTypes, reply, textTool } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'

it('logs "Fix the failing test" with one bash call in the drawn order', async () => {
  await using h = await harness({
    model: [call('bash', { command: 'npm test' }, { text: 'Let me see.' }), reply('Fixed.')],
    tools: [textTool('bash', ({ command }) => `ran ${String(command)}`)],
  })

  const shown = await h.run('Fix the failing test')

  expect(logTypes(h)).toEqual([
    'inbox/queued',
    'turn/start',
    'inbox/claimed',
    'user/message',
    'step/start',
    'request/header',
    'assistant/chunk',
    'assistant/message',
    'tool/call',
    'tool/result',
    'step/end',
    'step/start',
    'assistant/chunk',
    'assistant/message',
    'step/end',
    'turn/end',
  ])
  expect(shown).toBe(
    [
      'turn/start',
      'user       Fix the failing test',
      'assistant  Let me see. bash {"command":"npm test"}',
      'tool       ran npm test',
      'assistant  Fixed.',
      'turn/end   completed',
    ].join('\n'),
  )
  expect(h.invariants.requestsChecked).toBe(2)
  expect(h.log).toEqual([])
})
