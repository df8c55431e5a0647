/** Requests that overlap: prompts that wait, sessions that are loaded while they work, the same directory under other names. */

import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { answer, callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { cards, editor, methods, said } from './acp-client.ts'
import { provider, sandbox } from './program.ts'

const { session } = methods.agent

it('takes back a prompt that waits, and lets the one that runs go on', async () => {
  await using server = await provider([answer({ text: 'a long answer', deltas: 10, delayMs: 40 }), textAnswer('not asked for')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()
  const running = zed.prompt(sessionId, 'one')
  await zed.until(() => said(zed.updates()) !== '')
  const stop = new AbortController()
  const waiting = zed.agent.request(session.prompt, { sessionId, prompt: [{ type: 'text', text: 'two' }] }, { cancellationSignal: stop.signal })

  stop.abort()

  expect(await waiting).toMatchObject({ stopReason: 'cancelled' })
  expect([(await running).stopReason, said(zed.updates()), server.requests.length]).toEqual(['end_turn', 'a long answer', 1])
})

it('keeps the order of prompts of which the first is a command of the project, and counts for each what it has used', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({}, server)
  await mkdir(box.workspace.resolve('.dsh/commands'), { recursive: true })
  await writeFile(box.workspace.resolve('.dsh/commands/hey.md'), 'Say hey to $ARGUMENTS')
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  const answers = await Promise.all([zed.prompt(sessionId, '/hey you'), zed.prompt(sessionId, 'second')])

  expect(server.requests.map(({ body }) => body.messages.filter(({ role }) => role === 'user').at(-1)?.content)).toEqual(['Say hey to you', 'second'])
  expect(answers).toMatchObject([{ usage: { totalTokens: 110 } }, { usage: { totalTokens: 110 } }])
})

it('shows a session that is loaded while it works as far as it has come, and goes on from there', async () => {
  await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'sleep 0.4; echo done' } }), answer({ text: '0123456789', deltas: 10, delayMs: 40 })])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { args: ['--permission', 'auto'] })
  const { sessionId } = await zed.open()
  const again = async (): Promise<number> => {
    const from = zed.updates().length
    await zed.agent.request(session.load, { sessionId, cwd: box.workspace.path, mcpServers: [] })
    return from
  }
  const prompt = zed.prompt(sessionId, 'go')
  await zed.until(() => cards(zed.updates())['c1']?.['status'] === 'in_progress')
  const first = await again()
  const duringCall = zed.updates().slice(first)
  await zed.until(() => said(zed.updates()).length > 2)
  const from = await again()
  await prompt

  expect(duringCall.flatMap(update => (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update' ? [[update.sessionUpdate, update.status]] : [])).slice(0, 2)).toEqual([['tool_call', 'pending'], ['tool_call_update', 'in_progress']])
  expect(said(zed.updates().slice(from))).toBe('0123456789')
  const costs = zed.updates().flatMap(update => (update.sessionUpdate === 'usage_update' ? [update.cost?.amount ?? 0] : []))
  expect(costs.at(-1)).toBeCloseTo((costs[0] ?? 0) * 2)
})

it('finds the directory of a session under each of its names', async () => {
  await using server = await provider([textAnswer('hello')])
  await using box = await sandbox({}, server)
  await symlink(box.workspace.path, box.home.resolve('link'))
  await using zed = await editor(box)
  const { sessionId } = await zed.open(`${box.workspace.path}/`)
  await zed.prompt(sessionId, 'hi')

  for (const cwd of [box.workspace.path, `${box.workspace.path}/./`, box.home.resolve('link')]) {
    await zed.agent.request(session.close, { sessionId })
    expect(await zed.agent.request(session.load, { sessionId, cwd, mcpServers: [] })).toMatchObject({ configOptions: expect.any(Array) })
  }
})

it('forks a session that nothing has been asked of, and tells of a model that a command has chosen', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  expect(await zed.agent.request('session/fork', { sessionId, cwd: box.workspace.path, mcpServers: [] })).toMatchObject({ sessionId: expect.not.stringMatching(sessionId) })
  await zed.prompt(sessionId, '/model deepseek-v4-pro')

  expect(zed.updates(sessionId).flatMap(update => (update.sessionUpdate === 'config_option_update' ? update.configOptions.map(({ currentValue }) => currentValue) : []))).toContain('deepseek-v4-pro')
})

it.each([
  ['is made too late', { 'terminal/create': async () => { await new Promise(resolve => setTimeout(resolve, 300)); return { terminalId: 't1' } } }, ['terminal/create', 'terminal/kill', 'terminal/release']],
  ['hands over no output', { 'terminal/create': () => ({ terminalId: 't1' }), 'terminal/wait_for_exit': () => ({ exitCode: 0 }), 'terminal/output': () => new Promise(() => undefined) }, ['terminal/create', 'terminal/wait_for_exit', 'terminal/output', 'terminal/release']],
])('cancels at once while a terminal %s, and leaves none behind', async (_what, serve, expected) => {
  await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'true' } })])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { capabilities: { terminal: true }, serve: { 'terminal/kill': () => ({}), 'terminal/release': () => ({}), ...serve }, args: ['--permission', 'auto'] })
  const { sessionId } = await zed.open()
  const asked = (): string[] => zed.seen.flatMap(each => (each.kind === 'request' ? [each.method] : []))
  const prompt = zed.prompt(sessionId, 'go')
  await zed.until(() => asked().at(-1) === expected.findLast(method => method === 'terminal/create' || method === 'terminal/output'))
  const begun = performance.now()

  await zed.agent.notify(session.cancel, { sessionId })

  expect((await prompt).stopReason).toBe('cancelled')
  expect(performance.now() - begun).toBeLessThan(2000)
  await zed.until(() => asked().at(-1) === 'terminal/release')
  expect(asked()).toEqual(expected)
})

it('takes how a command ended from whichever answer of the terminal says it', async () => {
  await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'false' } }), textAnswer('done')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { capabilities: { terminal: true }, serve: { 'terminal/create': () => ({ terminalId: 't1' }), 'terminal/wait_for_exit': () => ({ exitCode: 3 }), 'terminal/output': () => ({ output: 'x'.repeat(200_000), truncated: false }), 'terminal/release': () => ({}) }, args: ['--permission', 'auto'] })
  const { sessionId } = await zed.open()

  await zed.prompt(sessionId, 'go')

  const result = String(server.requests[1]?.body.messages.at(-1)?.content)
  expect([result.includes('[exit code: 3]'), result.length < 100_000]).toEqual([true, true])
})
