/** Sessions from outside: they are found again, go on, are copied, shown, exported and replayed, and survive what happens to processes. */

import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { callAnswer, delta, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox as plainSandbox, type Sandbox } from './program.ts'
import { terminal } from './terminal.ts'

/** One whose runs say which session they were. */
const sandbox: typeof plainSandbox = (files, server) => plainSandbox(files, server, { farewell: true })

/** The files of all sessions, the oldest first. */
function sessionFiles({ home }: Sandbox): string[] {
  const root = home.resolve('.local/share/dsh/sessions')
  if (!existsSync(root)) return []
  return readdirSync(root, { recursive: true }).map(String).filter(name => name.endsWith('.jsonl')).map(name => join(root, name)).sort()
}

interface Listed {
  id: string
  title: string
  turns: number
  cwd: string
}

async function list(box: Sandbox, ...args: string[]): Promise<Listed[]> {
  return JSON.parse((await box.run(['sessions', 'list', '--json', ...args])).stdout) as Listed[]
}

/** What `-p` says at its end. */
function idIn(stderr: string): string {
  const id = /^dsh: session (\S+); dsh -r (\S+) goes on with it$/m.exec(stderr)?.[1]
  if (id === undefined) throw new Error(`no session is named: ${stderr}`)
  return id
}

it('goes on with the latest session of the directory, or with the one that is named by the beginning of its id', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({}, server)
  const first = await box.run(['-p', 'one'])
  const second = await box.run(['-p', 'two'])

  await box.run(['-p', '-c', 'three'])
  await box.run(['-p', '-r', idIn(first.stderr).slice(0, 9), 'four'])

  expect(server.requests.map(({ body }) => body.messages.filter(({ role }) => role !== 'system').map(({ content }) => content))).toEqual([
    ['one'],
    ['two'],
    ['two', 'answer 1', 'three'],
    ['one', 'answer 0', 'four'],
  ])
  expect((await list(box)).map(({ id, title, turns, cwd }) => ({ id, title, turns, cwd }))).toEqual([
    { id: idIn(first.stderr), title: 'one', turns: 2, cwd: box.workspace.path },
    { id: idIn(second.stderr), title: 'two', turns: 2, cwd: box.workspace.path },
  ])
  server.assertStrict()
})

it('ends with the code of this run, whatever the runs before it came to', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'touch x' } }), textAnswer('I may not.'), textAnswer('ok')])
  await using box = await sandbox({}, server)
  expect((await box.run(['-p', 'go'])).code).toBe(5)
  expect(await box.run(['-p', '--quiet', '-c', 'never mind'])).toEqual({ code: 0, stdout: 'ok\n', stderr: '' })
  server.assertStrict()
})

it('keeps nothing with --no-session, and takes the id and title that it is given, once', async () => {
  await using server = await provider(() => textAnswer('ok'))
  await using box = await sandbox({}, server)

  expect(await box.run(['-p', '--no-session', 'go'])).toEqual({ code: 0, stdout: 'ok\n', stderr: '' })
  expect(sessionFiles(box)).toEqual([])
  await box.run(['-p', '--session-id', 'mine', '--title', 'My work', 'go'])
  expect(await list(box)).toMatchObject([{ id: 'mine', title: 'My work' }])
  expect(await box.run(['-p', '--session-id', 'mine', 'go'])).toEqual({ code: 4, stdout: '', stderr: 'dsh: there is a session mine already; dsh -r mine goes on with it\n' })
})

it('copies a session up to an event, and leaves the original as it is', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({}, server)
  const { stderr } = await box.run(['-p', 'one'])
  await box.run(['-p', '-c', 'two'])
  const [file = ''] = sessionFiles(box)
  const before = readFileSync(file, 'utf8')
  const end = (JSON.parse((await box.run(['sessions', 'show', '--json', idIn(stderr)])).stdout) as { events: { type: string; seq: number }[] }).events.find(({ type }) => type === 'turn/end')

  const fork = await box.run(['-p', '--fork', `${idIn(stderr).slice(0, 9)}@${end?.seq}`, 'another way'])

  expect(fork.code).toBe(0)
  expect(server.requests.at(-1)?.body.messages.slice(1).map(({ content }) => content)).toEqual(['one', 'answer 0', 'another way'])
  expect(readFileSync(file, 'utf8')).toBe(before)
  expect(await list(box)).toMatchObject([{ id: idIn(fork.stderr), parentSession: idIn(stderr), turns: 2 }, { id: idIn(stderr), turns: 2 }])
  expect((await box.run(['replay', idIn(fork.stderr)])).code).toBe(0)
  expect(await box.run(['-p', '--fork', `${idIn(stderr)}@999`, 'x'])).toMatchObject({ code: 2, stderr: expect.stringContaining('has no event 999; its last is') as string })
  server.assertStrict()
})

it('says who has a session, and lets a second process read or copy it meanwhile', async () => {
  await using server = await provider([textAnswer('first'), { end: 'hang' }, textAnswer('copied')])
  await using box = await sandbox({}, server)
  const id = idIn((await box.run(['-p', 'one'])).stderr)
  const holder = box.start(['-p', '-r', id, 'wait'])
  await expect.poll(() => server.requests.length).toBe(2)

  const second = await box.run(['-p', '-r', id, 'me too'])
  expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 4, stdout: '' })
  expect(second.stderr).toContain(`${holder.child.pid}`)
  expect(second.stderr).toContain(`dsh --fork ${id.slice(0, 9)} goes on in a copy`)
  expect((await box.run(['sessions', 'list'])).stdout).toContain(`in use by ${holder.child.pid}`)
  expect((await box.run(['sessions', 'show', id])).stdout).toContain('> wait')
  expect((await box.run(['sessions', 'delete', '--force', id])).code).toBe(4)
  expect(await box.run(['-p', '--quiet', '--fork', id, 'go'])).toEqual({ code: 0, stdout: 'copied\n', stderr: '' })

  holder.child.kill('SIGKILL')
  await holder.ended
  await using later = await provider(() => textAnswer('mine now'))
  expect(await box.run(['-p', '--quiet', '-r', id, 'go'], { env: { DEEPSEEK_BASE_URL: later.url } })).toEqual({ code: 0, stdout: 'mine now\n', stderr: '' })
  server.assertStrict()
  later.assertStrict()
})

it('answers every call once after a kill in the middle of a tool, and runs nothing again', async () => {
  await using server = await provider([
    callAnswer({ id: 'fast', name: 'bash', arguments: { command: 'echo x >> marker' } }, { id: 'slow', name: 'bash', arguments: { command: 'sleep 60' } }),
    textAnswer('I see.'),
  ])
  await using box = await sandbox({}, server)
  const run = box.start(['-p', '--permission', 'auto', 'go'])
  await run.said('● bash sleep 60')
  await new Promise(resolve => setTimeout(resolve, 150))
  run.child.kill('SIGKILL')
  await run.ended

  const resumed = await box.run(['-p', '-c', '--permission', 'auto', 'go on'])

  expect({ code: resumed.code, stdout: resumed.stdout }).toEqual({ code: 0, stdout: 'I see.\n' })
  expect(await box.workspace.read('marker')).toBe('x\n')
  const { messages } = server.requests.at(-1)?.body ?? { messages: [] }
  expect(messages.slice(1).map(({ role, tool_call_id: call, content }) => [role, call, typeof content === 'string' ? content.split('\n')[0] : content])).toEqual([
    ['user', undefined, 'go'],
    ['assistant', undefined, null],
    ['tool', 'fast', expect.not.stringContaining('Error')],
    ['tool', 'slow', expect.stringContaining('outcome')],
    ['user', undefined, 'go on'],
  ])
  expect((await box.run(['replay', idIn(resumed.stderr)])).code).toBe(0)
  server.assertStrict()
})

it('does not repeat what was done before the answer was cut', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'echo x >> log' } }), { pieces: [delta({ content: 'It is d' })], end: 'hang' }, textAnswer('Nothing is left to do.')])
  await using box = await sandbox({}, server)
  const run = box.start(['-p', '--permission', 'auto', 'go'])
  await expect.poll(() => server.requests.length).toBe(2)
  run.child.kill('SIGINT')
  expect((await run.ended).code).toBe(130)

  expect(await box.run(['-p', '--quiet', '-c', 'continue'])).toMatchObject({ code: 0, stdout: 'Nothing is left to do.\n' })
  expect(await box.workspace.read('log')).toBe('x\n')
  expect(server.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool')).toHaveLength(1)
  server.assertStrict()
})

it('works where the session began, from wherever it is resumed, and says what to do when that place is gone', async () => {
  await using server = await provider(({ body }) => (body.messages.at(-1)?.role === 'tool' ? textAnswer('there') : callAnswer({ name: 'bash', arguments: { command: 'pwd; touch mark' } })))
  await using box = await sandbox({}, server)
  await Promise.all([mkdir(box.workspace.resolve('a')), mkdir(box.workspace.resolve('b'))])
  const [a, b] = [box.workspace.resolve('a'), box.workspace.resolve('b')]
  const id = idIn((await box.run(['-p', '--permission', 'auto', 'go'], { cwd: a })).stderr)

  await box.run(['-p', '--permission', 'auto', '-r', id, 'again'], { cwd: b })
  expect(server.requests.at(-1)?.body.messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content).includes(a))).toEqual([true, true])
  expect({ a: existsSync(join(a, 'mark')), b: existsSync(join(b, 'mark')) }).toEqual({ a: true, b: false })
  const elsewhere = await box.run(['-p', '-r', id, '--cwd', b, 'x'])
  expect(elsewhere).toMatchObject({ code: 2, stderr: expect.stringContaining(`works in ${a}; to go on elsewhere, fork it: dsh --fork ${id.slice(0, 9)} --cwd ${b}`) as string })

  await rename(a, box.workspace.resolve('a2'))
  const gone = await box.run(['-p', '-r', id, 'x'], { cwd: b })
  expect(gone).toMatchObject({ code: 2, stderr: expect.stringContaining(`does not exist any more: ${a}; to go on elsewhere, fork it: dsh --fork ${id.slice(0, 9)} --cwd DIR`) as string })
  await box.run(['-p', '--permission', 'auto', '--fork', id, '--cwd', b, 'here'])
  expect(existsSync(join(b, 'mark'))).toBe(true)
})

it('takes no id for a path', async () => {
  await using box = await sandbox({ 'outside.jsonl': 'x' })
  for (const id of ['../outside', '/etc/passwd', '..%2fx', '.', '', 'CON', 'x'.repeat(5000)]) {
    expect((await box.run(['-p', `--resume=${id}`, 'x'])).code).toBe(id === '' ? 2 : 4)
    expect((await box.run(['sessions', 'delete', '--force', '--', id])).code).toBe(4)
  }
  expect(await box.run(['-p', '--session-id', '../x', 'x'])).toMatchObject({ code: 2 })
  expect(await box.workspace.read('outside.jsonl')).toBe('x')
})

it('wants an id where nobody can pick one', async () => {
  await using box = await sandbox()
  expect(await box.run(['-p', '-r'])).toMatchObject({ code: 2, stdout: '' })
  expect((await box.run(['-r', '-p', 'x'])).stderr).toBe('dsh: --resume needs the id of a session where there is no terminal to pick one in; dsh sessions list shows them\n')
})

it('exports to every format, masked and for its owner only', async () => {
  const secret = 'sk-abcdefghij0123456789'
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: `echo "<b>&amp;</b> ${secret}"` } }), textAnswer('<script>alert(1)</script> `DB_PASSWORD=hunter22`')])
  await using box = await sandbox({}, server)
  const id = idIn((await box.run(['-p', '--permission', 'auto', `use ${secret}`])).stderr)
  writeFileSync(box.workspace.resolve('page.html'), 'old', { mode: 0o644 })

  for (const [args, file] of [[['-o', 'page.html'], 'page.html'], [['-o', 'notes.md'], 'notes.md'], [['-o', 'all.json'], 'all.json'], [['--format', 'html', '-o', 'x.txt'], 'x.txt']] as const) {
    expect(await box.run(['sessions', 'export', id, ...args])).toMatchObject({ code: 0, stdout: '' })
    const text = await box.workspace.read(file)
    expect({ mode: statSync(box.workspace.resolve(file)).mode & 0o777, leaks: text.includes(secret) || text.includes('hunter22') }).toEqual({ mode: 0o600, leaks: false })
  }
  const page = await box.workspace.read('page.html')
  expect(page).toMatch(/<details class="tool"><summary><b>bash<\/b>/)
  expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;')
  expect(page).not.toMatch(/<script|https?:\/\/|src="(?!data:)|href=/)
  expect(await box.workspace.read('x.txt')).toBe(page)
  expect((await box.run(['sessions', 'export', id])).stdout).toBe(await box.workspace.read('notes.md'))
  expect(Object.keys(JSON.parse(await box.workspace.read('all.json')) as object)).toEqual(['format', 'header', 'summary', 'damage', 'events'])
})

it('lists, finds, renames and deletes', async () => {
  await using server = await provider([textAnswer('The wombat is nocturnal.'), textAnswer('ok')])
  await using box = await sandbox({}, server)
  const first = idIn((await box.run(['-p', 'tell me of wombats'])).stderr)
  const second = idIn((await box.run(['-p', 'hello'])).stderr)

  expect((await box.run(['sessions', 'rename', first.slice(0, 9), 'Marsupials', 'at', 'night'])).code).toBe(0)
  expect((await list(box)).map(({ title }) => title).sort()).toEqual(['Marsupials at night', 'hello'])
  const found = await box.run(['sessions', 'search', 'nocturnal'])
  expect({ code: found.code, stdout: found.stdout }).toEqual({ code: 0, stdout: expect.stringMatching(new RegExp(`^${first.slice(0, 9)}@\\d+ .*Marsupials at night\n.*nocturnal`)) as string })
  expect((await box.run(['sessions', 'search', 'platypus'])).code).toBe(1)
  expect(await box.run(['sessions', 'list'], { cwd: box.home.path })).toEqual({ code: 0, stdout: '', stderr: `dsh: no session of ${box.home.path}; --all lists those of other directories\n` })
  expect(await list(box, '--all')).toHaveLength(2)
  expect(await box.run(['sessions', 'delete', first])).toMatchObject({ code: 2, stderr: expect.stringContaining('needs --force') as string })
  expect(await box.run(['sessions', 'delete', '--force', first.slice(0, 9)])).toEqual({ code: 0, stdout: `deleted ${first}\n`, stderr: '' })
  expect((await list(box)).map(({ id }) => id)).toEqual([second])
  expect((await box.run(['sessions', 'show', first])).code).toBe(4)
  expect((await box.run(['sessions', 'lst'])).stderr).toContain('did you mean list?')
})

it('replays a session without a difference, and shows where a changed record differs', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'date >> ran' } }), { status: 503, headers: { 'retry-after': '0' } }, textAnswer('done', 3)])
  await using box = await sandbox({}, server)
  const id = idIn((await box.run(['-p', '--permission', 'auto', 'go'])).stderr)

  expect(await box.run(['replay', id.slice(0, 9)])).toEqual({ code: 0, stdout: '', stderr: expect.stringMatching(/^dsh: \S+ replayed: \d+ events, no difference\n$/) as string })
  expect((await box.workspace.read('ran')).split('\n')).toHaveLength(2)
  const [file = ''] = sessionFiles(box)
  writeFileSync(file, readFileSync(file, 'utf8').replace('"type":"completed"', '').replaceAll('"kind":"completed"', '"kind":"max-tokens"'))
  const { code, stdout } = await box.run(['replay', id])
  expect(code).toBe(1)
  expect(stdout).toContain('reason.kind: "max-tokens" became "completed"')
  expect((await box.run(['replay', 'nothing'])).code).toBe(4)
})

it('shows where one was when a conversation goes on, and how to come back', async () => {
  await using server = await provider([textAnswer('The capital is Oslo.'), textAnswer('About 700,000.')])
  await using box = await sandbox({}, server)
  const first = idIn((await box.run(['-p', 'What is the capital of Norway?'])).stderr)

  const screen = await terminal(box, '$DSH --plain -r')
  await screen.saw('Sessions of this directory')
  await screen.saw('Which one')
  screen.type('1\r')
  await screen.saw(`session ${first.slice(0, 9)}`)
  await screen.saw('The capital is Oslo.')
  screen.type('How many people?\r')
  await screen.saw('About 700,000.')
  screen.type('/quit\r')
  await screen.saw(`dsh -r ${first.slice(0, 9)} goes on with it`)
  expect((await screen.ended).code).toBe(0)
  expect((await list(box)).map(({ turns }) => turns)).toEqual([2])
})
