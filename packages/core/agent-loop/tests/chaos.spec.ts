/** Whatever users and models do, in whatever order: the log stays well-formed, no input is lost, and the agent answers again. */

import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LlmError } from '@deepseek-ai/dsh-llm'
import { call, calls, eventsOf, fail, hang, harness, reply, textTool, type Harness } from '@deepseek-ai/dsh-testkit'

type Step = ReturnType<typeof reply>

const said = { type: 'text-delta' as const, index: 0, text: 'so far' }
const both = calls([{ name: 'quick', arguments: {}, id: 'same' }, { name: 'quick', arguments: {}, id: 'same' }, { name: 'slow', arguments: {}, id: '' }], { text: 'both' })

const STEPS: Step[] = [
  reply('done'),
  reply('cut', { finish: { kind: 'max-tokens' } }),
  reply(''),
  call('quick'),
  call('quick', '{"broken'),
  call('nothing-like-it'),
  both,
  fail(new LlmError('SERVER', 'overloaded'), [said]),
  fail(new LlmError('AUTH', 'refused')),
  hang([said]),
]

type Action = 'send' | 'steer' | 'inject' | 'cancel' | 'cancel-keep' | 'unqueue' | 'tick' | 'register'
const ACTIONS: Action[] = ['send', 'send', 'steer', 'steer', 'inject', 'cancel', 'cancel-keep', 'unqueue', 'tick', 'tick', 'tick', 'tick', 'register']

interface Plan {
  steps: Step[]
  actions: { action: Action; ticks: number }[]
}

const plans: fc.Arbitrary<Plan> = fc.record({
  steps: fc.array(fc.constantFrom(...STEPS), { minLength: 1, maxLength: 8 }),
  actions: fc.array(fc.record({ action: fc.constantFrom(...ACTIONS), ticks: fc.nat(4) }), { maxLength: 25, size: 'max' }),
})

async function start(steps: readonly Step[]): Promise<{ h: Harness; finish: () => void }> {
  let finished = false
  let asked = 0
  const next = (): Step => (finished ? reply('final') : (steps[asked++ % steps.length] ?? reply('done')))
  const slow = textTool('slow', async (_args, { signal }) => {
    await new Promise(resolve => setImmediate(resolve))
    signal.throwIfAborted()
    return 'slow'
  }, { concurrency: 'parallel' })
  const h = await harness({
    model: Array.from({ length: 500 }, () => next),
    tools: [textTool('quick', () => 'quick', { concurrency: 'parallel' }), slow],
    options: { budget: { maxSteps: 4 } },
    loop: { maxAttempts: 3, abortGraceMs: 50 },
  })
  h.ctx.on('agent/request-error', async () => ({ kind: 'retry', delayMs: 0 }))
  h.ctx.on('agent/prompt-submit', async (_agent, _content, _source, next) => {
    await new Promise(resolve => setImmediate(resolve))
    return await next()
  })
  return { h, finish: () => (finished = true) }
}

function act(h: Harness, action: Action, index: number, ids: string[]): void {
  switch (action) {
    case 'send':
      return void ids.push(h.agent.send(`send ${index}`))
    case 'steer':
      return void ids.push(h.agent.steer(`steer ${index}`))
    case 'inject':
      return h.agent.inject(`inject ${index}`, { source: { kind: 'plugin', plugin: 'p' } })
    case 'cancel':
      return h.agent.cancel()
    case 'cancel-keep':
      return h.agent.cancel('later', { queue: 'keep' })
    case 'unqueue':
      return void h.agent.unqueue(ids.at(-1) ?? '')
    case 'register':
      return void h.ctx.tools.register(textTool(`tool-${index}`, () => ''))
    case 'tick':
  }
}

it('holds for random conversations', async () => {
  await fc.assert(
    fc.asyncProperty(plans, async ({ steps, actions }) => {
      const { h, finish } = await start(steps)
      const ids: string[] = []
      for (const [index, { action, ticks }] of actions.entries()) {
        act(h, action, index, ids)
        for (let tick = 0; tick < ticks; tick++) await new Promise(resolve => setImmediate(resolve))
      }
      finish()
      h.agent.cancel('that is all', { queue: 'keep' })
      await h.agent.whenIdle()
      h.agent.send('the end')
      await h.agent.whenIdle()

      expect(eventsOf(h, 'turn/end').at(-1)?.data.reason).toEqual({ kind: 'completed' })
      const heard = eventsOf(h, 'user/message', 'steering/message', 'prompt/blocked').flatMap(({ data }) => data.content.map(block => (block.type === 'text' ? block.text : '')))
      const dropped = new Set(eventsOf(h, 'inbox/dropped').flatMap(({ data }) => data.ids))
      const expected = eventsOf(h, 'inbox/queued').filter(({ data }) => !dropped.has(data.id)).map(({ data }) => (data.content[0]?.type === 'text' ? data.content[0].text : ''))
      expect(heard.toSorted()).toEqual(expected.toSorted())
      expect(h.script.violations).toEqual([])
      await h.dispose()
    }),
    { numRuns: 80 },
  )
})
