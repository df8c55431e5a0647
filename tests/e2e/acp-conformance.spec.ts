/** The twenty behaviours of the conformance profile `acp-core-v1` of acpx 0.3.0, by its names. Where its mock agent obeys words, our model is scripted to. */

import { existsSync } from 'node:fs'
import type { ContentBlock } from '@agentclientprotocol/sdk'
import { callAnswer, delta, textAnswer, type MockReply } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { cards, editor, methods, said, type Editor, type EditorOptions } from './acp-client.ts'
import { provider, sandbox, type Sandbox } from './program.ts'

const { session } = methods.agent
const DENY: EditorOptions['permission'] = ({ options }) => ({ outcome: { outcome: 'selected', optionId: options.find(({ kind }) => kind === 'reject_once')?.optionId ?? '' } })

interface Scene {
  zed: Editor
  box: Sandbox
  sessionId: string
}

/** A model that answers by the last words of the user, and the files that it is asked about. */
async function scene(options: EditorOptions, work: (scene: Scene) => Promise<void>): Promise<void> {
  const reply = (last: string, isResult: boolean): MockReply => {
    if (isResult) return textAnswer('finished')
    if (last.startsWith('read ')) return callAnswer({ id: 'c1', name: 'bash', arguments: { command: `cat ${last.slice(5)}; touch marker` } })
    if (last.startsWith('write ')) return callAnswer({ id: 'c1', name: 'write', arguments: { file_path: 'out.txt', content: last.slice(6) } })
    if (last.startsWith('sleep')) return { pieces: [delta({ content: 'sleeping' })], end: 'hang' }
    return textAnswer(`echo: ${last}`)
  }
  await using server = await provider(({ body }) => {
    const last = body.messages.at(-1)
    return reply(typeof last?.['content'] === 'string' ? last['content'] : JSON.stringify(last?.['content']), last?.role === 'tool')
  })
  await using box = await sandbox({ 'README.md': 'read me\n' }, server)
  await using zed = await editor(box, options)
  const { sessionId } = await zed.open()
  await work({ zed, box, sessionId })
  server.assertStrict()
}

const CASES: readonly [string, EditorOptions, (scene: Scene) => Promise<void>][] = [
  ['initialize.handshake', {}, async ({ zed }) => expect([zed.initialized.protocolVersion, typeof zed.initialized.agentCapabilities]).toEqual([1, 'object'])],
  ['session.new.basic', {}, async ({ sessionId }) => expect(sessionId).toMatch(/\S+/)],
  ['session.prompt.single_turn', {}, async ({ zed, sessionId }) => {
    expect((await zed.prompt(sessionId, 'hello')).stopReason).toBe('end_turn')
    expect(zed.updates(sessionId).length).toBeGreaterThan(0)
  }],
  ['session.update.termination', {}, async ({ zed, sessionId }) => {
    await zed.prompt(sessionId, 'hello')
    const count = zed.seen.length
    await new Promise(resolve => setTimeout(resolve, 200))
    expect([zed.seen.length, zed.seen.every(each => each.kind !== 'update' || each.sessionId === sessionId)]).toEqual([count, true])
  }],
  ['session.cancel.in_flight', {}, async ({ zed, sessionId }) => {
    const prompt = zed.prompt(sessionId, 'sleep 5000')
    await zed.until(() => said(zed.updates()) === 'sleeping')
    await zed.agent.notify(session.cancel, { sessionId })
    expect((await prompt).stopReason).toBe('cancelled')
  }],
  ['session.cancel.idle', {}, async ({ zed, sessionId }) => {
    await zed.agent.notify(session.cancel, { sessionId })
    expect((await zed.prompt(sessionId, 'hello')).stopReason).toBe('end_turn')
  }],
  ['session.prompt.multi_turn', {}, async ({ zed, sessionId }) => {
    expect([(await zed.prompt(sessionId, 'one')).stopReason, (await zed.prompt(sessionId, 'two')).stopReason, said(zed.updates())]).toEqual(['end_turn', 'end_turn', 'echo: oneecho: two'])
  }],
  ['errors.invalid_params', {}, async ({ zed }) => await expect(zed.agent.request<unknown, unknown>('session/prompt', { prompt: 'hello' })).rejects.toMatchObject({ code: -32602 })],
  ['errors.invalid_prompt_session_type', {}, async ({ zed }) => await expect(zed.agent.request<unknown, unknown>('session/prompt', { sessionId: 42, prompt: [{ type: 'text', text: 'x' }] })).rejects.toMatchObject({ code: -32602 })],
  ['errors.permission_denied', { permission: DENY }, async ({ zed, box, sessionId }) => {
    expect((await zed.prompt(sessionId, 'read README.md')).stopReason).toBe('end_turn')
    expect([cards(zed.updates())['c1']?.['status'], existsSync(box.workspace.resolve('marker'))]).toEqual(['failed', false])
  }],
  ['errors.permission_denied.write', { permission: DENY }, async ({ zed, box, sessionId }) => {
    expect((await zed.prompt(sessionId, 'write blocked')).stopReason).toBe('end_turn')
    expect([cards(zed.updates())['c1']?.['status'], existsSync(box.workspace.resolve('out.txt'))]).toEqual(['failed', false])
  }],
  ['errors.unknown_session', {}, async ({ zed }) => await expect(zed.prompt('no-such-session', 'hello')).rejects.toMatchObject({ code: -32002, data: { sessionId: 'no-such-session' } })],
  ['session.prompt.echo_empty', {}, async ({ zed, sessionId }) => {
    await expect(zed.agent.request(session.prompt, { sessionId, prompt: [{ type: 'text', text: '' }] })).rejects.toMatchObject({ code: -32602 })
    expect((await zed.prompt(sessionId, 'hello')).stopReason).toBe('end_turn')
  }],
  ['session.prompt.unrecognized', {}, async ({ zed, sessionId }) => {
    expect((await zed.prompt(sessionId, 'frobnicate the gizmo')).stopReason).toBe('end_turn')
    await expect(zed.agent.request<unknown, unknown>('session/prompt', { sessionId, prompt: [{ type: 'hologram', data: 'x' }] })).rejects.toMatchObject({ code: -32602 })
  }],
  ['errors.invalid_params.cwd_null', {}, async ({ zed }) => await expect(zed.agent.request<unknown, unknown>('session/new', { cwd: null, mcpServers: [] })).rejects.toMatchObject({ code: -32602 })],
  ['session.prompt.structured_blocks', {}, async ({ zed, sessionId }) => {
    const prompt: ContentBlock[] = [{ type: 'text', text: 'see ' }, { type: 'resource_link', name: 'a.ts', uri: 'file:///a.ts' }]
    expect((await zed.agent.request(session.prompt, { sessionId, prompt })).stopReason).toBe('end_turn')
    expect(said(zed.updates())).toBe('echo: see [@a.ts](file:///a.ts)')
  }],
  ['permissions.read.approved', {}, async ({ zed, sessionId }) => {
    await zed.prompt(sessionId, 'read README.md')
    expect(cards(zed.updates())['c1']).toMatchObject({ status: 'completed', rawOutput: { output: 'read me' } })
  }],
  ['permissions.write.approved', {}, async ({ zed, box, sessionId }) => {
    await zed.prompt(sessionId, 'write approved')
    expect([cards(zed.updates())['c1']?.['status'], await box.workspace.read('out.txt')]).toEqual(['completed', 'approved'])
  }],
  ['session.prompt.background_completion', {}, async ({ zed, sessionId }) => {
    const background = zed.prompt(sessionId, 'hello')
    const list = await zed.agent.request(session.list, {})
    expect([Array.isArray(list.sessions), (await background).stopReason]).toEqual([true, 'end_turn'])
  }],
  ['session.cancel.followup_prompt', {}, async ({ zed, sessionId }) => {
    const prompt = zed.prompt(sessionId, 'sleep 5000')
    await zed.until(() => said(zed.updates()) === 'sleeping')
    await zed.agent.notify(session.cancel, { sessionId })
    const next = zed.prompt(sessionId, 'hello again')
    expect([(await prompt).stopReason, (await next).stopReason]).toEqual(['cancelled', 'end_turn'])
    expect(said(zed.updates())).toMatch(/echo: hello again$/)
  }],
]

it.each(CASES)('acp.v1.%s', async (_name, options, work) => await scene(options, work))

it('covers the whole profile', () => {
  expect(CASES.length).toBe(20)
})
