/** Permission in an editor: what is asked, what each answer means, and that nothing but a known allowance runs a tool. */

import { existsSync } from 'node:fs'
import { answer, callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { cards, editor, type EditorOptions } from './acp-client.ts'
import { provider, sandbox } from './program.ts'

const TOUCH = callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'touch marker', description: 'Leaves a mark' } })

/** Whoever selects an option by its kind. */
function choose(kind: string): NonNullable<EditorOptions['permission']> {
  return ({ options }) => ({ outcome: { outcome: 'selected', optionId: options.find(option => option.kind === kind)?.optionId ?? 'none' } })
}

it('asks about the exact call, under the id of its card, with options of every kind', async () => {
  await using server = await provider([TOUCH, textAnswer('done')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await zed.prompt(sessionId, 'go')

  const [asked] = zed.seen.flatMap(each => (each.kind === 'permission' ? [each.request] : []))
  expect(asked).toMatchObject({ sessionId, toolCall: { toolCallId: 'c1', title: 'touch marker', kind: 'execute', status: 'pending', rawInput: { command: 'touch marker', description: 'Leaves a mark' } } })
  expect(new Set(asked?.options.map(({ kind }) => kind))).toEqual(new Set(['allow_once', 'allow_always', 'reject_once', 'reject_always']))
  expect(zed.seen.findIndex(each => each.kind === 'update' && each.update.sessionUpdate === 'tool_call')).toBeLessThan(zed.seen.findIndex(({ kind }) => kind === 'permission'))
})

it.each<[string, NonNullable<EditorOptions['permission']>, boolean]>([
  ['an allowance', choose('allow_once'), true],
  ['an allowance for ever', choose('allow_always'), true],
  ['a refusal', choose('reject_once'), false],
  ['a refusal for ever', choose('reject_always'), false],
  ['the outcome "cancelled"', () => ({ outcome: { outcome: 'cancelled' } }), false],
  ['an option that was not offered', () => ({ outcome: { outcome: 'selected', optionId: 'allow_everything' } }), false],
  ['an error', () => { throw new Error('no dialog') }, false],
  ['something else altogether', () => ({ outcome: 'yes' }) as never, false],
])('lets the tool run only on an allowance: %s', async (_what, permission, runs) => {
  await using server = await provider([TOUCH, textAnswer('done')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { permission })
  const { sessionId } = await zed.open()

  const { stopReason } = await zed.prompt(sessionId, 'go')

  expect({ stopReason, ran: existsSync(box.workspace.resolve('marker')), status: cards(zed.updates())['c1']?.['status'] }).toEqual({ stopReason: 'end_turn', ran: runs, status: runs ? 'completed' : 'failed' })
  expect(JSON.stringify(server.requests[1]?.body.messages.at(-1))).toContain(runs ? 'no output' : 'Error: ')
  server.assertStrict()
})

it.each([['allow_always', 1, true], ['reject_always', 1, false], ['allow_once', 2, true], ['reject_once', 2, false]] as const)('remembers %s: of two like calls it asks about %d', async (kind, questions, runs) => {
  const twice = callAnswer({ id: 'c2', name: 'bash', arguments: { command: 'touch marker', description: 'Leaves a mark' } })
  await using server = await provider([TOUCH, twice, textAnswer('done')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { permission: choose(kind) })
  const { sessionId } = await zed.open()

  await zed.prompt(sessionId, 'go')

  expect(zed.seen.filter(each => each.kind === 'permission').length).toBe(questions)
  expect(Object.values(cards(zed.updates())).map(({ status }) => status)).toEqual(runs ? ['completed', 'completed'] : ['failed', 'failed'])
})

it('asks about calls of one answer one after the other', async () => {
  let open = 0
  let most = 0
  await using server = await provider([answer({ calls: [{ name: 'bash', arguments: { command: 'touch a' } }, { name: 'bash', arguments: { command: 'touch b' } }] }), textAnswer('done')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, {
    async permission() {
      most = Math.max(most, ++open)
      await new Promise(resolve => setTimeout(resolve, 30))
      open--
      return { outcome: { outcome: 'selected', optionId: 'allow-once' } }
    },
  })
  const { sessionId } = await zed.open()

  await zed.prompt(sessionId, 'go')

  expect({ most, a: existsSync(box.workspace.resolve('a')), b: existsSync(box.workspace.resolve('b')) }).toEqual({ most: 1, a: true, b: true })
})

it('gives up a question that nobody answers when the row approval says how long to wait', async () => {
  await using server = await provider([TOUCH, textAnswer('done')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { args: ['--set', 'approval.timeoutMs=300'], permission: () => new Promise(() => undefined) })
  const { sessionId } = await zed.open()

  expect(await zed.prompt(sessionId, 'go')).toMatchObject({ stopReason: 'end_turn' })

  expect(cards(zed.updates())['c1']).toMatchObject({ status: 'failed', rawOutput: { error: { code: 'PERMISSION_REQUIRED' } } })
  expect(existsSync(box.workspace.resolve('marker'))).toBe(false)
})
