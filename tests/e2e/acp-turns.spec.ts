/** What an editor is shown of a turn, and how its prompt is answered. */

import { answer, callAnswer, delta, errorReply, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { cards, editor, methods, said, transcript } from './acp-client.ts'
import { provider, sandbox } from './program.ts'

const { session } = methods.agent

it('streams thoughts and text as they come, each message under an id of its own', async () => {
  await using server = await provider([{ pieces: [delta({ reasoning_content: 'Hm.' }), { delayMs: 300 }, delta({ content: 'Hel' }), { delayMs: 300 }, delta({ content: 'lo' }, 'stop'), 'data: [DONE]\n\n'] }])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  const { stopReason } = await zed.prompt(sessionId, 'hi')

  const chunks = zed.seen.flatMap(each => (each.kind === 'update' && 'messageId' in each.update ? [each] : []))
  expect(chunks.map(({ update }) => update)).toEqual([
    { sessionUpdate: 'agent_thought_chunk', content: { type: 'text', text: 'Hm.' }, messageId: 'answer-1.1-thought' },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'Hel' }, messageId: 'answer-1.1' },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 'lo' }, messageId: 'answer-1.1' },
  ])
  expect((chunks[2]?.at ?? 0) - (chunks[1]?.at ?? 0)).toBeGreaterThan(150)
  expect(stopReason).toBe('end_turn')
})

it('shows calls as cards: kinds, places, raw input and output, diffs, and the output of commands', async () => {
  await using server = await provider([
    answer({ text: 'I edit.', calls: [{ id: 'c1', name: 'read', arguments: { file_path: 'a.txt', offset: 1 } }] }),
    callAnswer({ id: 'c2', name: 'edit', arguments: { file_path: 'a.txt', old_string: 'two', new_string: 'TWO' } }),
    callAnswer({ id: 'c3', name: 'write', arguments: { file_path: 'new.txt', content: 'fresh\n' } }),
    callAnswer({ id: 'c4', name: 'bash', arguments: { command: "echo 'a ``` b'; exit 3", description: 'Says something' } }),
    callAnswer({ id: 'c5', name: 'nonsense', arguments: {} }),
    callAnswer({ id: 'c6', name: 'read', arguments: '{"file_path": ' }),
    textAnswer('done'),
  ])
  await using box = await sandbox({ 'a.txt': 'one\ntwo\nthree\n' }, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await zed.prompt(sessionId, 'go')

  const path = box.workspace.resolve('a.txt')
  const shown = cards(zed.updates())
  expect(shown['c1']).toMatchObject({ title: 'Read a.txt', name: 'read', kind: 'read', status: 'completed', locations: [{ path, line: 1 }], rawInput: { file_path: 'a.txt', offset: 1 } })
  expect(JSON.stringify(shown['c1']?.['content'])).toContain('2: two')
  expect(shown['c2']).toMatchObject({ title: 'Edit a.txt', kind: 'edit', status: 'completed', locations: [{ path }], content: [{ type: 'diff', path, oldText: expect.stringContaining('two'), newText: expect.stringContaining('TWO') }], rawOutput: { output: 'Edited a.txt: 1 replacement at line 2.' } })
  expect(shown['c3']).toMatchObject({ kind: 'edit', status: 'completed', content: [{ type: 'diff', path: box.workspace.resolve('new.txt'), oldText: null, newText: 'fresh\n' }] })
  expect(shown['c4']).toMatchObject({ title: "echo 'a ``` b'; exit 3", kind: 'execute', status: 'completed', rawOutput: { meta: { exitCode: 3 } } })
  expect(shown['c4']?.['content']).toEqual([{ type: 'content', content: { type: 'text', text: '````console\na ``` b\n[exit code: 3]\n````' } }])
  expect(shown['c5']).toMatchObject({ title: 'nonsense', kind: 'other', status: 'failed', rawOutput: { error: { code: 'UNKNOWN_TOOL' } } })
  expect(shown['c6']).toMatchObject({ kind: 'read', status: 'failed', rawInput: '{"file_path": ', rawOutput: { error: { code: 'INVALID_ARGS' } } })
  server.assertStrict()
})

it('tells of a call as soon as its name is there, and of each state once', async () => {
  await using server = await provider([callAnswer({ id: 'c1', name: 'read', arguments: { file_path: 'a.txt' } }), textAnswer('done')])
  await using box = await sandbox({ 'a.txt': 'x\n' }, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await zed.prompt(sessionId, 'go')

  expect(zed.updates().flatMap(update => (update.sessionUpdate === 'tool_call' || update.sessionUpdate === 'tool_call_update' ? [[update.sessionUpdate, update.title, update.status]] : []))).toEqual([
    ['tool_call', 'read', 'pending'],
    ['tool_call_update', 'Read a.txt', 'pending'],
    ['tool_call_update', undefined, 'in_progress'],
    ['tool_call_update', undefined, 'completed'],
  ])
})

it('shows the output of a long command while it runs, and all of what is kept at its end', async () => {
  await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'for i in 1 2 3 4; do echo "line $i 🎉"; sleep 0.5; done; for i in $(seq 5 20000); do echo "L$i"; done' } }), textAnswer('done')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { args: ['--permission', 'auto'] })
  const { sessionId } = await zed.open()

  await zed.prompt(sessionId, 'go')

  const updates = zed.seen.flatMap(each => (each.kind === 'update' && each.update.sessionUpdate === 'tool_call_update' ? [{ at: each.at, text: JSON.stringify(each.update.content ?? ''), status: each.update.status }] : []))
  const progress = updates.filter(({ status, text }) => status === undefined && text.includes('line'))
  expect(progress.length).toBeGreaterThanOrEqual(3)
  expect(progress[0]?.text).toContain('line 1 🎉')
  const last = updates.at(-1)
  expect(last).toMatchObject({ status: 'completed', text: expect.stringContaining('L20000') })
  expect(last?.text).toContain('truncated')
  expect(last?.text.isWellFormed()).toBe(true)
})

it('marks output that was cut at a character, and shows the same when the session is loaded', async () => {
  await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'for i in $(seq 1 3000); do echo "L$i 🎉"; done; exit 4' } }), textAnswer('done')])
  await using box = await sandbox({}, server)
  const args = ['--permission', 'auto', '--set', 'bash-local.maxOutputBytes=4096']
  const live = await editor(box, { args })
  const { sessionId } = await live.open()
  await live.prompt(sessionId, 'go')
  await live.quit()
  await using anew = await editor(box, { args })

  await anew.agent.request(session.load, { sessionId, cwd: box.workspace.path, mcpServers: [] })

  const shown = JSON.stringify(cards(live.updates())['c1']?.['content'])
  expect(shown).toMatch(/truncated: the last \d+ of \d+ bytes follow[^]*L3000 🎉[^]*\[exit code: 4\]/)
  expect([shown.isWellFormed(), shown.includes('\ufffd')]).toEqual([true, false])
  expect(cards(anew.updates())).toEqual(cards(live.updates()))
})

it('shows the plan, the title, and how full the window is with what the session has cost', async () => {
  await using server = await provider([
    callAnswer({ name: 'todo_write', arguments: { todos: [{ content: 'look', status: 'in_progress' }, { content: 'tell', status: 'pending' }] } }),
    textAnswer('done'),
  ])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  const response = await zed.prompt(sessionId, 'Find the bug')

  const updates = zed.updates()
  expect(updates.filter(({ sessionUpdate }) => sessionUpdate === 'plan')).toEqual([{ sessionUpdate: 'plan', entries: [{ content: 'look', priority: 'medium', status: 'in_progress' }, { content: 'tell', priority: 'medium', status: 'pending' }] }])
  const usage = updates.filter(update => update.sessionUpdate === 'usage_update')
  expect(usage).toMatchObject([{ used: 110, size: 1_000_000, cost: { currency: 'USD' } }, { used: 110, size: 1_000_000, cost: { currency: 'USD' } }])
  expect((usage[1]?.cost?.amount ?? 0) / (usage[0]?.cost?.amount ?? 1)).toBeCloseTo(2)
  expect(updates.at(-1)).toEqual({ sessionUpdate: 'session_info_update', title: 'Find the bug', updatedAt: expect.stringMatching(/^\d{4}-.*Z$/) })
  expect(response).toEqual({ stopReason: 'end_turn', usage: { totalTokens: 220, inputTokens: 80, outputTokens: 20, cachedReadTokens: 120, thoughtTokens: 0 } })
})

it('hands text, links, embedded files and pictures on, and commands as they are typed', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`), { rules: { vision: true } })
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await zed.agent.request(session.prompt, {
    sessionId,
    prompt: [
      { type: 'text', text: 'look at ' },
      { type: 'resource_link', name: 'main.ts', uri: 'file:///w/main.ts' },
      { type: 'text', text: ' and ' },
      { type: 'resource', resource: { uri: 'file:///w/my%20notes.md', text: '# Notes' } },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ],
  })
  await zed.prompt(sessionId, '/review the last change')

  const user = server.requests.map(({ body }) => body.messages.filter(({ role }) => role === 'user').at(-1)?.['content'])
  expect(user).toEqual([
    [
      { type: 'text', text: 'look at [@main.ts](file:///w/main.ts) and [@my notes.md](file:///w/my%20notes.md)' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } },
      { type: 'text', text: '<context ref="file:///w/my%20notes.md">\n# Notes\n</context>' },
    ],
    '/review the last change',
  ])
  server.assertStrict()
})

it.each([
  ['nothing at all', []],
  ['blanks alone', [{ type: 'text' as const, text: '  \n' }]],
  ['sound, which was not offered', [{ type: 'audio' as const, data: 'aGk=', mimeType: 'audio/wav' }]],
])('refuses a prompt of %s, and takes the next one', async (_what, prompt) => {
  await using server = await provider([textAnswer('hello')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await expect(zed.agent.request(session.prompt, { sessionId, prompt })).rejects.toMatchObject({ code: -32602 })

  expect(await zed.prompt(sessionId, 'hi')).toMatchObject({ stopReason: 'end_turn' })
})

it('tells of a failed attempt where notices are shown, and gives the next attempt a message of its own', async () => {
  await using server = await provider([
    { pieces: [delta({ content: 'lost' })], end: 'reset' },
    textAnswer('kept'),
  ])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { capabilities: { session: { notices: {} } } })
  const { sessionId } = await zed.open()

  await zed.prompt(sessionId, 'go')

  expect(zed.updates().flatMap(update => (update.sessionUpdate === 'agent_message_chunk' ? [[update.messageId, update.content.type === 'text' && update.content.text]] : []))).toEqual([['answer-1.1', 'lost'], ['answer-1.1.1', 'kept']])
  expect(zed.updates().find(({ sessionUpdate }) => sessionUpdate === 'notice')).toMatchObject({ severity: 'warning', title: expect.stringMatching(/^The request failed; trying again in \d+\.\d s$/) })
})

it('sends no notice to a client that does not show them', async () => {
  await using server = await provider([{ pieces: [delta({ content: 'lost' })], end: 'reset' }, textAnswer('kept')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await zed.prompt(sessionId, 'go')

  expect(zed.updates().filter(({ sessionUpdate }) => sessionUpdate === 'notice')).toEqual([])
})

it.each([
  ['end_turn', answer({ text: 'done' })],
  ['max_tokens', answer({ text: 'cut', finish: 'length' })],
  ['refusal', answer({ text: '', finish: 'content_filter' })],
])('answers %s', async (stopReason, reply) => {
  await using server = await provider([reply])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  expect(await zed.prompt(sessionId, 'go')).toMatchObject({ stopReason })
})

it('answers a turn that failed with an error that says why, and takes the next prompt', async () => {
  await using server = await provider([errorReply(400, 'the schema is wrong'), textAnswer('fine')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await expect(zed.prompt(sessionId, 'go')).rejects.toMatchObject({ code: -32603, message: expect.stringContaining('the schema is wrong'), data: { code: 'TURN_FAILED', turnError: 'INVALID_REQUEST' } })

  expect(await zed.prompt(sessionId, 'again')).toMatchObject({ stopReason: 'end_turn' })
})

it('asks for authentication when the key is refused', async () => {
  await using server = await provider([], { apiKey: 'another' })
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await expect(zed.prompt(sessionId, 'go')).rejects.toMatchObject({ code: -32000 })
})

it('keeps a prompt that comes while another runs for the next turn, and answers both', async () => {
  const gate = Promise.withResolvers<void>()
  await using server = await provider([{ pieces: [delta({ content: 'first' }), { run: () => gate.promise }, delta({}, 'stop'), 'data: [DONE]\n\n'] }, textAnswer('second')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()
  const one = zed.prompt(sessionId, 'one')
  await zed.until(() => said(zed.updates()) === 'first')

  const two = zed.prompt(sessionId, 'two')
  gate.resolve()

  expect([(await one).stopReason, (await two).stopReason, said(zed.updates())]).toEqual(['end_turn', 'end_turn', 'firstsecond'])
  server.assertStrict()
})

it('lets a prompt join the turn that runs when the client says so, by the prompt or by the extension', async () => {
  await using server = await provider([
    callAnswer({ name: 'bash', arguments: { command: 'while [ ! -e go ]; do sleep 0.05; done' } }),
    textAnswer('I have heard.'),
  ])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { args: ['--permission', 'auto'] })
  const { sessionId } = await zed.open()
  const work = zed.prompt(sessionId, 'work')
  await zed.until(() => Object.values(cards(zed.updates()))[0]?.['status'] === 'in_progress')

  const joined = zed.agent.request(session.prompt, { sessionId, prompt: [{ type: 'text', text: 'hurry' }], _meta: { steering: true } })
  const injected = await zed.agent.request('_session/steering', { sessionId, prompt: [{ type: 'text', text: 'and be brief' }], idleBehavior: 'promptRequired' })
  await box.workspace.write('go', '')

  expect(injected).toEqual({ outcome: 'injected' })
  expect([await joined, await work]).toMatchObject([{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }])
  expect(JSON.stringify(server.requests[1]?.body.messages)).toMatch(/hurry.*and be brief/s)
  expect(server.requests.length).toBe(2)
  expect(await zed.agent.request('_session/steering', { sessionId, prompt: [{ type: 'text', text: 'late' }], idleBehavior: 'promptRequired' })).toEqual({ outcome: 'promptRequired', reason: 'noRunningTurn' })
  server.assertStrict()
})

it('takes terminal control sequences out of what a model and a tool say', async () => {
  await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: String.raw`printf '\033[31mred\033[0m\a'` } }), textAnswer('\u001b]0;title\u0007plain')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { args: ['--permission', 'auto'] })
  const { sessionId } = await zed.open()

  await zed.prompt(sessionId, 'go')

  expect(transcript(zed.updates()).at(-1)).toBe('agent plain')
  expect(cards(zed.updates())['c1']?.['content']).toEqual([{ type: 'content', content: { type: 'text', text: '```console\nred\n```' } }])
})

it('says nothing on stdout that is not the protocol, whatever a plugin prints', async () => {
  await using server = await provider([textAnswer('hello')])
  await using box = await sandbox({ 'loud.js': 'console.log("loading"); export const name = "loud"; export function apply(ctx) { console.log("applied"); ctx.on("session/event", () => { process.stdout.write("noise\\n") }) }' }, server)
  await box.home.write('.config/dsh/settings.yml', `plugins: [{ id: loud, name: ${box.workspace.resolve('loud.js')} }]\n`)
  const zed = await editor(box)
  const { sessionId } = await zed.open()
  await zed.prompt(sessionId, 'hi')

  const run = await zed.quit()

  expect(run.stdout.split('\n').filter(line => line !== '' && !line.startsWith('{"jsonrpc":"2.0"'))).toEqual([])
  expect(run.stderr).toMatch(/loading[\s\S]*applied[\s\S]*noise/)
})
