/** What is piped in becomes part of the prompt, and no pipe can make a run hang that has a prompt already. */

import { textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox, type RunOptions } from './program.ts'

/** The prompt that reaches the model, with how the run ended. */
async function promptOf(args: readonly string[], options: RunOptions = {}) {
  await using server = await provider(() => textAnswer('ok'))
  await using box = await sandbox({}, server)
  const { code, stderr } = await box.run(args, options)
  return { prompt: server.requests[0]?.body.messages.findLast(({ role }) => role === 'user')?.['content'], code, stderr }
}

/** The same through a shell, where stdin is whatever the script makes it. */
async function promptOfShell(script: string) {
  await using server = await provider(() => textAnswer('ok'))
  await using box = await sandbox({}, server)
  const { stdout, stderr } = await box.shell(script)
  return { prompt: server.requests[0]?.body.messages.findLast(({ role }) => role === 'user')?.['content'], stdout, stderr }
}

it('takes piped input alone as the prompt', async () => {
  expect(await promptOf(['-p'], { input: 'explain this\n' })).toEqual({ prompt: 'explain this\n', code: 0, stderr: '' })
})

it('needs no flag when stdin is not a terminal', async () => {
  expect(await promptOf([], { input: 'explain this' })).toEqual({ prompt: 'explain this', code: 0, stderr: '' })
})

it('puts piped input before the words of the command line', async () => {
  expect(await promptOf(['-p', 'why', 'so?'], { input: 'Error: no\n  at x:1\n' })).toEqual({ prompt: 'Error: no\n  at x:1\n\n\nwhy so?', code: 0, stderr: '' })
})

it.each([
  ['/dev/null', '$DSH -p go < /dev/null; echo $?'],
  ['a closed descriptor', '$DSH -p go <&-; echo $?'],
  ['an empty pipe', ': | $DSH -p go; echo $?'],
  ['a pipe of blanks', 'echo "  " | $DSH -p go; echo $?'],
  ['an empty file', '> empty; $DSH -p go < empty; echo $?'],
  ['a folder', '$DSH -p go < .; echo $?'],
])('takes %s for no input', async (_what, script) => {
  expect(await promptOfShell(script)).toEqual({ prompt: 'go', stdout: 'ok\n0\n', stderr: '' })
})

it.each([['$DSH -p < /dev/null; echo $?'], ['$DSH <&-; echo $?'], [': | $DSH; echo $?']])('says that there is no prompt for %s', async script => {
  expect(await promptOfShell(script)).toEqual({ prompt: undefined, stdout: '2\n', stderr: 'dsh: there is no prompt: give one as an argument or pipe it in\nTry dsh --help.\n' })
})

it('reads a file and a late writer to the end', async () => {
  expect((await promptOfShell('seq 3 > numbers; $DSH -p add < numbers')).prompt).toBe('1\n2\n3\n\n\nadd')
  expect((await promptOfShell('(echo one; sleep 0.7; echo two) | $DSH -p add')).prompt).toBe('one\ntwo\n\n\nadd')
})

it('goes on without a pipe that was only inherited, and says so', async () => {
  await using server = await provider(() => textAnswer('ok'))
  await using box = await sandbox({}, server)
  const program = box.start(['-p', 'go'], { stdin: 'pipe' })

  const { code, stdout, stderr } = await program.ended

  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'ok\n', stderr: 'dsh: nothing came through the input pipe within 3 s; going on without it (use </dev/null to avoid the wait)\n' })
  expect(server.requests[0]?.conversation).toBe('go')
})

it('keeps characters whole that the pipe cuts, and leaves out the byte-order mark', async () => {
  expect((await promptOfShell("(printf '\\xef\\xbb\\xbfgr\\xc3'; sleep 0.3; printf '\\xbcn') | $DSH -p")).prompt).toBe('grün')
})

it.each([
  ['bytes that are not UTF-8', new Uint8Array([0x66, 0xff, 0xfe, 0x00]), 'dsh: the piped input is not UTF-8 text\nTry dsh --help.\n'],
  ['eleven megabytes', 'x'.repeat(11 * 1024 * 1024), 'dsh: the piped input is larger than 10 MiB; put it into a file and name the file in the prompt\nTry dsh --help.\n'],
])('refuses %s', async (_what, input, stderr) => {
  expect(await promptOf(['-p', 'go'], { input })).toEqual({ prompt: undefined, code: 2, stderr })
})

it('takes five megabytes', async () => {
  const { prompt, code } = await promptOf(['-p'], { input: 'line\n'.repeat(1024 * 1024) })

  expect({ code, length: String(prompt).length }).toEqual({ code: 0, length: 5 * 1024 * 1024 })
})

it('tells of a mistake in the composition without waiting for a pipe that stays open', async () => {
  await using box = await sandbox({ 'broken.yml': '- id: [' })
  const program = box.start(['-p', '--config', 'broken.yml'], { stdin: 'pipe' })

  expect(await program.ended).toEqual({ code: 2, stdout: '', stderr: expect.stringContaining('broken.yml:1:') })
})
