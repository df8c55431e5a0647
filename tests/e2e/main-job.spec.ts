/** The main job from outside: a model reads, edits and runs in a real workspace, and the answer is all of stdout. */

import { answer, callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'

const READ_EDIT_RUN = [
  answer({ text: 'I look first.', calls: [{ name: 'read', arguments: { file_path: 'sum.js' } }] }),
  callAnswer({ name: 'edit', arguments: { file_path: 'sum.js', old_string: 'a - b', new_string: 'a + b' } }),
  callAnswer({ name: 'bash', arguments: { command: 'node sum.js > result.txt && cat result.txt' } }),
  answer({ text: ['Fixed: ', 'it prints ', '5.'] }),
]

it('reads, edits and runs, changes the workspace, and prints nothing but the answer', async () => {
  await using server = await provider(READ_EDIT_RUN)
  await using box = await sandbox({ 'sum.js': 'const sum = (a, b) => a - b\nconsole.log(sum(2, 3))\n' }, server)

  const run = await box.run(['-p', '--permission', 'auto', 'Fix', 'the', 'sum'])

  expect(run).toEqual({ code: 0, stdout: 'Fixed: it prints 5.\n', stderr: '● read sum.js\n● edit sum.js\n● bash node sum.js > result.txt && cat result.txt\n' })
  expect(await box.workspace.read('sum.js')).toBe('const sum = (a, b) => a + b\nconsole.log(sum(2, 3))\n')
  expect(await box.workspace.read('result.txt')).toBe('5\n')
  expect(server.requests.map(({ body }) => body.messages.map(({ role }) => role).join(' '))).toEqual([
    'system user',
    'system user assistant tool',
    'system user assistant tool assistant tool',
    'system user assistant tool assistant tool assistant tool',
  ])
  expect(server.requests[0]?.conversation).toBe('Fix the sum')
  server.assertStrict()
})

it('says nothing on stderr when it is asked to be quiet, and names every event when it is asked to be verbose', async () => {
  await using server = await provider(() => textAnswer('done'))
  await using box = await sandbox({}, server)

  expect(await box.run(['-p', '--quiet', 'go'])).toEqual({ code: 0, stdout: 'done\n', stderr: '' })
  const { stdout, stderr } = await box.run(['-p', '--verbose', 'go'])

  expect(stdout).toBe('done\n')
  expect(stderr.match(/· \d+ \S+/g)).toEqual([
    '· 0 inbox/queued', '· 1 turn/start', '· 2 inbox/claimed', '· 3 user/message', '· 4 step/start', '· 5 request/header',
    expect.stringMatching(/· \d+ assistant\/message/), expect.stringMatching(/· \d+ step\/end/), expect.stringMatching(/· \d+ turn\/end/),
  ])
})

it('leaves no control sequence of model, tool or file on either stream', async () => {
  const evil = '\u001b]52;c;Y2F0\u0007\u001b[2J\u009b2J\u001b]8;;file:///\u001b\\x\u001b[?1049h\r'
  await using server = await provider([
    callAnswer({ name: 'bash', arguments: { command: `printf '\\033]52;c;Y2F0\\007ring\\033[2J'; exit 3`, description: `ring ${evil}` } }),
    callAnswer({ name: 'read', arguments: { file_path: `nowhere${evil}.txt` } }),
    textAnswer(`fi${evil}ne\r\n\tمرحبا 👩‍💻`),
  ])
  await using box = await sandbox({}, server)

  const { code, stdout, stderr } = await box.run(['-p', '--permission', 'auto', '--verbose', 'go'])

  expect({ code, stdout }).toEqual({ code: 0, stdout: 'fixne\n\tمرحبا 👩‍💻\n' })
  // oxlint-disable-next-line no-control-regex
  expect(stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
  expect(stderr).toContain('ring')
})

it('works without a key and without a network, by the offline model, and says so once', async () => {
  await using box = await sandbox({ 'notes.txt': 'remember the milk\n' })

  const { code, stdout, stderr } = await box.run(['-p', 'read notes.txt'])

  expect(code).toBe(0)
  expect(stdout).toContain('remember the milk')
  expect(stderr.match(/no key and no model chosen/g)).toHaveLength(1)
})

it('asks nobody outside when the offline model is chosen', async () => {
  await using server = await provider([])
  await using box = await sandbox({ 'notes.txt': 'remember the milk\n' }, server)

  const run = await box.run(['-p', '-m', 'offline', 'read notes.txt'])

  expect({ code: run.code, hasNotice: run.stderr.includes('no key'), requests: server.requests.length }).toEqual({ code: 0, hasNotice: false, requests: 0 })
  expect(run.stdout).toContain('remember the milk')
})
