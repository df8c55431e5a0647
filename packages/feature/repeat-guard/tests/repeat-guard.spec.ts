import { expect, it } from 'vitest'
import { call, harness, reply, runPluginContract, textTool } from '@deepseek-ai/dsh-testkit'
import * as repeatGuard from '../src/index.ts'

const defaults = { remindAfter: 3, stopAfter: 8, remindAfterSame: 0, stopAfterSame: 0 }

const failing = textTool('broken', () => {
  throw new Error('no')
})

it('tells the model when a call keeps failing, and ends the turn when it goes on', async () => {
  const model = Array.from({ length: 30 }, () => call('broken', { a: 1 }))
  await using h = await harness({ model, tools: [failing], plugins: [[repeatGuard, { ...defaults, remindAfter: 2, stopAfter: 4 }]] })

  await h.run('go')

  expect(h.script.requests).toHaveLength(4)
  expect(h.session.events.filter(({ type }) => type === 'steering/message')).toHaveLength(2)
  expect(h.session.events.at(-1)).toMatchObject({ type: 'turn/end', data: { reason: { kind: 'error', code: 'REPEATED_CALL', message: 'the model made the same call to broken 4 times, and it failed every time' } } })
})

it('counts a tool that does not exist', async () => {
  const model = Array.from({ length: 10 }, () => call('Read_File', {}))
  await using h = await harness({ model, plugins: [[repeatGuard, { ...defaults, remindAfter: 2, stopAfter: 3 }]] })

  await h.run('go')

  expect(h.script.requests).toHaveLength(3)
})

it('lets different calls and recovering ones be', async () => {
  let runs = 0
  const flaky = textTool('flaky', () => {
    if (++runs % 2 === 1) throw new Error('not yet')
    return 'ok'
  })
  const model = [...Array.from({ length: 8 }, () => call('flaky', {})), call('broken', { a: 1 }), call('broken', { a: 2 }), reply('done')]
  await using h = await harness({ model, tools: [failing, flaky], plugins: [[repeatGuard, { ...defaults, remindAfter: 2, stopAfter: 3 }]] })

  await h.run('go')

  expect(h.session.events.at(-1)).toMatchObject({ data: { reason: { kind: 'completed' } } })
  expect(h.session.events.filter(({ type }) => type === 'steering/message')).toEqual([])
})

it('ends what succeeds and says the same for ever, but not what makes progress', async () => {
  let n = 0
  const tools = [textTool('stuck', () => 'exit code 1'), textTool('moving', () => `line ${++n}`)]
  const model = Array.from({ length: 60 }, (_, i) => call(i < 30 ? 'moving' : 'stuck', {}))
  await using h = await harness({ model, tools, plugins: [[repeatGuard, { ...defaults, remindAfterSame: 3, stopAfterSame: 5 }]] })

  await h.run('go')

  expect(h.script.requests).toHaveLength(35)
  expect(h.session.events.at(-1)).toMatchObject({ data: { reason: { kind: 'error', code: 'REPEATED_CALL', message: 'the model made the same call to stuck 5 times, and it said the same every time' } } })
})

it('lets a call be that goes on saying the same, unless it is told to count those', async () => {
  const model = [...Array.from({ length: 40 }, () => call('stuck', {})), reply('done')]
  await using h = await harness({ model, tools: [textTool('stuck', () => 'nothing yet')], plugins: [[repeatGuard, defaults]] })

  await h.run('go')

  expect(h.session.events.at(-1)).toMatchObject({ data: { reason: { kind: 'completed' } } })
})

it('comes and goes without leaving anything', async () => {
  await runPluginContract(repeatGuard)
})
