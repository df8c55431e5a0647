/** Sessions of an editor: what is offered, and how sessions begin, are found again, are copied and go away. */

import { mkdir } from 'node:fs/promises'
import { answer, callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { cards, editor, methods, said, transcript } from './acp-client.ts'
import { provider, sandbox } from './program.ts'

const { session } = methods.agent

it('offers what it is able to do, and answers with version 1 whatever is offered', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)

  expect(zed.initialized).toEqual({
    protocolVersion: 1,
    agentInfo: { name: 'dsh', title: 'dsh', version: '0.1.0' },
    agentCapabilities: {
      loadSession: true,
      promptCapabilities: { image: true, audio: false, embeddedContext: true },
      mcpCapabilities: { http: false, sse: false },
      sessionCapabilities: { list: {}, resume: {}, delete: {}, fork: {}, close: {}, additionalDirectories: {} },
      auth: { logout: {} },
    },
    authMethods: [{ id: 'deepseek-key', name: 'API key', description: 'Uses the key of DEEPSEEK_API_KEY, or the one that `dsh auth` has stored' }],
    _meta: { steering: { supported: true } },
  })
  const newer = await zed.agent.request(methods.agent.initialize, { protocolVersion: 2, clientCapabilities: { auth: { terminal: true } } })
  expect({ version: newer.protocolVersion, methods: newer.authMethods?.map(each => [each.id, 'type' in each ? each.type : 'agent', 'args' in each ? each.args : undefined]) }).toEqual({
    version: 1,
    methods: [['deepseek-key-terminal', 'terminal', ['--setup']], ['deepseek-key', 'agent', undefined]],
  })
})

it('keeps two sessions at once apart, each in its own directory', async () => {
  await using server = await provider(({ conversation, body }) => {
    const done = body.messages.some(({ role }) => role === 'tool')
    return done ? textAnswer(`${conversation} done`) : callAnswer({ name: 'read', arguments: { file_path: 'name.txt' } })
  })
  await using box = await sandbox({ 'a/name.txt': 'alpha\n', 'b/name.txt': 'beta\n' }, server)
  await using zed = await editor(box)
  const a = await zed.open(box.workspace.resolve('a'))
  const b = await zed.open(box.workspace.resolve('b'))

  const stops = await Promise.all([zed.prompt(a.sessionId, 'first'), zed.prompt(b.sessionId, 'second')])

  expect(stops.map(({ stopReason }) => stopReason)).toEqual(['end_turn', 'end_turn'])
  expect([a, b].map(({ sessionId }) => said(zed.updates(sessionId)))).toEqual(['first done', 'second done'])
  expect([a, b].map(({ sessionId }) => JSON.stringify(Object.values(cards(zed.updates(sessionId)))[0]?.['content']).match(/alpha|beta/)?.[0])).toEqual(['alpha', 'beta'])
  server.assertStrict()
})

const WORK = [
  answer({ reasoning: ['I look ', 'first.'], text: ['Reading', ' it.'], calls: [{ id: 'c1', name: 'read', arguments: { file_path: 'a.txt' } }, { id: 'c2', name: 'read', arguments: { file_path: 'missing.txt' } }] }),
  callAnswer({ id: 'c3', name: 'todo_write', arguments: { todos: [{ content: 'look', status: 'completed' }, { content: 'tell', status: 'in_progress' }] } }),
  callAnswer({ id: 'c4', name: 'edit', arguments: { file_path: 'a.txt', old_string: 'alpha', new_string: 'beta' } }),
  callAnswer({ id: 'c5', name: 'bash', arguments: { command: 'echo one; exit 3', description: 'Says one' } }),
  textAnswer('All done.', 3),
]

it('replays the whole history before it answers a load: the same messages, calls, plan and states as they were live', async () => {
  await using server = await provider(WORK, { rules: { vision: true } })
  await using box = await sandbox({ 'a.txt': 'alpha\n' }, server)
  const live = await editor(box)
  const { sessionId } = await live.open()
  await live.agent.request(session.prompt, { sessionId, prompt: [{ type: 'text', text: 'go' }, { type: 'image', data: 'aGk=', mimeType: 'image/png' }] })
  await live.quit()
  await using anew = await editor(box)

  const loaded = await anew.agent.request(session.load, { sessionId, cwd: box.workspace.path, mcpServers: [] })
  const replayed = anew.updates()
  await anew.agent.request(session.load, { sessionId, cwd: box.workspace.path, mcpServers: [] })

  expect(transcript(replayed)).toEqual(['user go(image)', ...transcript(live.updates())])
  expect(transcript(replayed)).toEqual([
    'user go(image)', 'agent_thought I look first.', 'agent Reading it.', 'call read read', 'call read read', 'call todo_write think',
    'plan completed:look, in_progress:tell', 'call edit edit', 'call bash execute', 'agent All done.',
  ])
  expect(cards(replayed)).toEqual(cards(live.updates()))
  expect(Object.values(cards(replayed)).map(({ status }) => status)).toEqual(['completed', 'failed', 'completed', 'completed', 'completed'])
  expect(transcript(anew.updates().slice(replayed.length))).toEqual(transcript(replayed))
  expect(loaded.configOptions?.map(({ id }) => id)).toEqual(['mode', 'model', 'effort'])
  expect(server.requests.length).toBe(WORK.length)
  server.assertStrict()
})

it('goes on with a resumed session without replaying it', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({}, server)
  const first = await editor(box)
  const { sessionId } = await first.open()
  await first.prompt(sessionId, 'one')
  await first.quit()
  await using anew = await editor(box)

  await anew.agent.request(session.resume, { sessionId, cwd: box.workspace.path, mcpServers: [] })
  const before = anew.updates()
  await anew.prompt(sessionId, 'two')

  expect(before).toEqual([])
  expect(server.requests[1]?.body.messages.filter(({ role }) => role !== 'system').map(({ content }) => content)).toEqual(['one', 'answer 0', 'two'])
  server.assertStrict()
})

it('lists sessions page by page, of all directories or of one, and refuses a cursor that is none', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({ 'other/x': '' }, server)
  await using zed = await editor(box, { args: ['--set', 'ui-acp.pageSize=2'] })
  const ids: string[] = []
  for (const cwd of [box.workspace.path, box.workspace.resolve('other'), box.workspace.path]) {
    const { sessionId } = await zed.open(cwd)
    await zed.prompt(sessionId, `hello ${ids.length}`)
    ids.unshift(sessionId)
  }
  await zed.open()

  const one = await zed.agent.request(session.list, {})
  const two = await zed.agent.request(session.list, { cursor: one.nextCursor })
  const here = await zed.agent.request(session.list, { cwd: box.workspace.path })

  expect([...one.sessions, ...two.sessions].map(({ sessionId, title }) => [sessionId, title])).toEqual([[ids[0], 'hello 2'], [ids[1], 'hello 1'], [ids[2], 'hello 0']])
  expect([one.sessions.length, two.nextCursor, one.sessions[1]?.cwd]).toEqual([2, undefined, box.workspace.resolve('other')])
  expect(here.sessions.map(({ sessionId }) => sessionId)).toEqual([ids[0], ids[2]])
  await expect(zed.agent.request(session.list, { cursor: 'nonsense' })).rejects.toMatchObject({ code: -32602 })
})

it('forks a session, also while it works, and leaves the original as it was', async () => {
  await using server = await provider(({ body }) => {
    const last = body.messages.at(-1)?.['content']
    return last === 'slow' ? { pieces: [{ delayMs: 60_000 }] } : textAnswer(`to ${String(last)}`)
  })
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()
  await zed.prompt(sessionId, 'one')
  const slow = zed.prompt(sessionId, 'slow')
  await zed.until(() => server.requests.length === 2)

  const fork = await zed.agent.request<{ sessionId: string }>('session/fork', { sessionId, cwd: box.workspace.path, mcpServers: [] })
  await zed.prompt(fork.sessionId, 'two')
  await zed.agent.notify(session.cancel, { sessionId })

  expect((await slow).stopReason).toBe('cancelled')
  expect(fork.sessionId).not.toBe(sessionId)
  expect(server.requests[2]?.body.messages.filter(({ role }) => role !== 'system').map(({ content }) => content)).toEqual(['one', 'to one', 'two'])
  expect(said(zed.updates(fork.sessionId))).toBe('to two')
  await expect(zed.agent.request('session/fork', { sessionId: 'nobody', cwd: box.workspace.path })).rejects.toMatchObject({ code: -32002 })
})

it('closes a session, whose prompt is answered, and opens it again', async () => {
  await using server = await provider(({ index }) => (index === 0 ? { pieces: [{ delayMs: 60_000 }] } : textAnswer('back')))
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()
  const slow = zed.prompt(sessionId, 'slow')
  await zed.until(() => server.requests.length === 1)

  await zed.agent.request(session.close, { sessionId })

  expect((await slow).stopReason).toBe('cancelled')
  await expect(zed.prompt(sessionId, 'still there?')).rejects.toMatchObject({ code: -32002, data: { sessionId } })
  await zed.agent.request(session.load, { sessionId, cwd: box.workspace.path, mcpServers: [] })
  expect((await zed.prompt(sessionId, 'again')).stopReason).toBe('end_turn')
})

it('deletes sessions that are open, stored or unknown', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()
  await zed.prompt(sessionId, 'one')

  await zed.agent.request(session.delete, { sessionId })
  await zed.agent.request(session.delete, { sessionId })
  await zed.agent.request(session.delete, { sessionId: 'never-was' })

  expect(await zed.agent.request(session.list, {})).toEqual({ sessions: [] })
  await expect(zed.agent.request(session.load, { sessionId, cwd: box.workspace.path, mcpServers: [] })).rejects.toMatchObject({ code: -32002, data: { sessionId } })
})

it('says who has a session that another process works in', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({}, server)
  await using one = await editor(box)
  const { sessionId } = await one.open()
  await one.prompt(sessionId, 'mine')
  await using other = await editor(box)

  await expect(other.agent.request(session.load, { sessionId, cwd: box.workspace.path, mcpServers: [] })).rejects.toMatchObject({ code: -32603, message: expect.stringContaining(`process ${one.child.pid}`) })
})

it.each([
  ['relative', 'cwd must be absolute, not "relative"'],
  ['/does/not/exist', 'cwd: /does/not/exist does not exist'],
])('refuses the directory %s', async (cwd, message) => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)

  await expect(zed.open(cwd)).rejects.toMatchObject({ code: -32602, message })
})

it('refuses to load a session for another directory than its own', async () => {
  await using server = await provider([textAnswer('hello')])
  await using box = await sandbox({ 'other/x': '' }, server)
  const first = await editor(box)
  const { sessionId } = await first.open()
  await first.prompt(sessionId, 'one')
  await first.quit()
  await using anew = await editor(box)

  await expect(anew.agent.request(session.load, { sessionId, cwd: box.workspace.resolve('other'), mcpServers: [] })).rejects.toMatchObject({ code: -32602, message: `the session belongs to ${box.workspace.path}, not to ${box.workspace.resolve('other')}` })
})

it('writes into additional directories as into its own, tells the model of them, and asks about others', async () => {
  await using elsewhere = await sandbox()
  const inside = elsewhere.workspace.resolve('inside')
  const outside = elsewhere.workspace.resolve('outside.txt')
  await mkdir(inside)
  await using server = await provider([
    callAnswer({ name: 'write', arguments: { file_path: `${inside}/a.txt`, content: 'A\n' } }),
    callAnswer({ name: 'write', arguments: { file_path: outside, content: 'B\n' } }),
    textAnswer('done'),
  ])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { args: ['--permission', 'auto'] })
  const { sessionId } = await zed.agent.request(session.new, { cwd: box.workspace.path, additionalDirectories: [inside], mcpServers: [] })

  await zed.prompt(sessionId, 'go')

  const asked = zed.seen.flatMap(each => (each.kind === 'permission' ? [each.request.toolCall.locations?.[0]?.path] : []))
  expect(asked).toEqual([outside])
  expect([await elsewhere.workspace.read('inside/a.txt'), await elsewhere.workspace.read('outside.txt')]).toEqual(['A\n', 'B\n'])
  expect(String(server.requests[0]?.body.messages[0]?.['content'])).toContain(`beside the working directory: ${inside}`)
})

it('takes MCP servers, answers at once, and says that they are not connected', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { capabilities: { session: { notices: {} } } })
  const begun = performance.now()

  const opened = await zed.agent.request(session.new, { cwd: box.workspace.path, mcpServers: [{ name: 'slow', command: 'sleep', args: ['60'], env: [] }] })

  expect(performance.now() - begun).toBeLessThan(2000)
  await zed.until(() => zed.updates(opened.sessionId).some(update => update.sessionUpdate === 'notice' && update.title === 'MCP servers are not connected yet: slow'))
})

it('reads the settings of the user, and those of no project', async () => {
  await using server = await provider([textAnswer('hello')])
  await using box = await sandbox({ '.dsh/settings.yml': 'model: deepseek-v4-pro\n' }, server)
  await box.home.write('.config/dsh/settings.yml', 'model: deepseek-v4-flash\n')
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await zed.prompt(sessionId, 'hello')

  expect(server.requests[0]?.body.model).toBe('deepseek-v4-flash')
})
