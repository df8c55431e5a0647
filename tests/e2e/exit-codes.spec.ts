/** Every way in which one shot can end: its exit code, what stands on stdout, and the words that explain it. */

import { answer, bodyReply, callAnswer, delta, errorReply, textAnswer, type MockReply } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox, type Run } from './program.ts'

/** Runs `dsh -p … go` against these replies. */
async function runAgainst(replies: readonly MockReply[] | (() => MockReply), args: readonly string[] = []): Promise<Run> {
  await using server = await provider(replies)
  await using box = await sandbox({}, server)
  const { code, stdout, stderr } = await box.run(['-p', ...args, 'go'])
  server.assertStrict()
  return { code, stdout, stderr: stderr.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST').replaceAll(/in \d+\.\d s/g, 'in N s') }
}

const ONCE = ['--set', 'agent-core.agentLoop.maxAttempts=1']

it('ends with 1 when the provider refuses the request as such', async () => {
  const { code, stdout, stderr } = await runAgainst([errorReply(400, 'no such thing')])

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr.split('\n').filter(line => line.startsWith('dsh: '))).toEqual([expect.stringMatching(/^dsh: the turn failed in step 1: .*HTTP 400.*no such thing.*\[INVALID_REQUEST\]$/)])
})

it('ends with 1 and names the key when it is refused', async () => {
  await using server = await provider([], { apiKey: 'another' })
  await using box = await sandbox({}, server)

  const { code, stdout, stderr } = await box.run(['-p', 'go'])

  expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  expect(stderr).toMatch(/\[AUTH\]/)
  expect(stderr).toContain('DEEPSEEK_API_KEY')
  expect(stderr).not.toContain('sk-test-0123456789')
  expect(server.requests).toHaveLength(1)
})

it('ends with 1 when the answer is cut off at the output limit, and keeps what there is', async () => {
  const { code, stdout, stderr } = await runAgainst([answer({ text: 'It begins', finish: 'length' })])

  expect({ code, stdout }).toEqual({ code: 1, stdout: 'It begins\n' })
  expect(stderr).toBe("dsh: the answer was cut off at the model's output limit; ask it to go on\n")
})

it('ends with 3 when the time is up', async () => {
  const { code, stdout, stderr } = await runAgainst([{ pieces: [delta({ content: 'I begin' })], end: 'hang' }], ['--timeout', '1s'])

  expect(code).toBe(3)
  expect(stdout).toBe('I begin\n')
  expect(stderr).toBe('dsh: the turn ran out of its budget of time (--timeout)\n')
})

it('ends with 5 when a permission was needed, after the model has been told', async () => {
  const { code, stdout, stderr } = await runAgainst([callAnswer({ name: 'bash', arguments: { command: 'touch made' } }), textAnswer('I could not.')])

  expect({ code, stdout }).toEqual({ code: 5, stdout: 'I could not.\n' })
  expect(stderr).toBe(`● bash touch made
  ✗ Error: this call needs a permission that nobody here can give: it is not one of the commands that a…
dsh: 1 call needed a permission that nobody could give; allow with --permission auto
`)
})

it('ends with 5 when something would change in a read-only session', async () => {
  const { code, stderr } = await runAgainst([callAnswer({ name: 'write', arguments: { file_path: 'new.txt', content: 'x' } }), textAnswer('No.')], ['--permission', 'read-only'])

  expect(code).toBe(5)
  expect(stderr).toContain('write may change something, and this session is read-only')
})

it('ends with 6 when the steps run out, with the last words that there were', async () => {
  const { code, stdout, stderr } = await runAgainst(() => answer({ text: 'Once more.', calls: [{ name: 'glob', arguments: { pattern: '*' } }] }), ['--max-steps', '2'])

  expect({ code, stdout }).toEqual({ code: 6, stdout: 'Once more.\n' })
  expect(stderr).toBe('● glob *\n● glob *\ndsh: the turn ran out of its budget of steps (--max-steps)\n')
})

it('ends with 75 when the provider fails and goes on failing, and tells of every attempt', async () => {
  const { code, stdout, stderr } = await runAgainst(() => errorReply(503, 'overloaded'), ['--set', 'llm-retry.maxAttempts=2', '--set', 'llm-retry.baseDelayMs=1'])

  expect({ code, stdout }).toEqual({ code: 75, stdout: '' })
  expect(stderr).toMatch(/! request attempt 1 failed: .*503.*; trying again in N s/)
  expect(stderr).toMatch(/dsh: the turn failed in step 1: .*\[SERVER\]\ndsh: the same command may succeed later\n$/)
})

it.each([
  ['a connection that breaks', (): MockReply => ({ ...textAnswer('half'), end: 'reset', pieces: textAnswer('half').pieces?.slice(0, 2) }), 'STREAM_CLOSED'],
  ['a page in place of a stream', (): MockReply => bodyReply(200, 'text/html', '<html><title>Sign in</title></html>'), 'MALFORMED_RESPONSE'],
  ['an empty answer', (): MockReply => answer({ text: '' }), 'EMPTY_RESPONSE'],
])('ends with 75 after %s', async (_what, reply, code) => {
  const run = await runAgainst(reply, ONCE)

  expect(run.code).toBe(75)
  expect(run.stderr).toContain(`[${code}]`)
})

it('ends with 75 when nobody listens at the address', async () => {
  await using box = await sandbox()
  const run = await box.run(['-p', ...ONCE, 'go'], { env: { DEEPSEEK_API_KEY: 'sk-x', DEEPSEEK_BASE_URL: 'http://127.0.0.1:9' } })

  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 75, stdout: '' })
  expect(run.stderr).toContain('[UNREACHABLE]')
})

it('ends with 2 when nobody serves the model, and names the one that was meant', async () => {
  await using box = await sandbox()
  const run = await box.run(['-p', '--set', 'llm-deepseek.anyModel=false', '-m', 'ofline', 'go'])

  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: '' })
  expect(run.stderr).toContain('no adapter serves the model "ofline"; did you mean "offline"? [NO_ADAPTER]')
})

it.each([
  [['--bogus'], /there is no option --bogus/],
  [['-p', '--modle', 'x', 'go'], /there is no option --modle; did you mean --model\?/],
  [['-p', '--permission', 'raed-only', 'go'], /--permission is one of ask, auto, read-only, not "raed-only"; did you mean read-only\?/],
  [['-p', '--max-steps', '0', 'go'], /--max-steps takes a whole number from 1, not "0"/],
  [['-p', '--timeout', 'soon', 'go'], /--timeout takes a duration such as 90/],
  [['-p', '--quiet', '--verbose', 'go'], /--quiet and --verbose exclude each other/],
  [['-p', '--cwd', 'nowhere', 'go'], /--cwd: .*nowhere does not exist/],
  [['-p', '--config', 'nowhere.yml', 'go'], /--config: .*nowhere\.yml does not exist/],
  [['-p', '--set', 'nonsense', 'go'], /nonsense/],
  [['-p', '--set', 'llm-retri.x=1', 'go'], /llm-retri.*did you mean "llm-retry"/],
  [['-p', '--set', 'permission-rules.mode=never', 'go'], /mode/],
  [['-p'], /there is no prompt/],
  [['-p', ''], /there is no prompt/],
  [['-p', '  '], /there is no prompt/],
  [['-p', '--json', 'go'], /--json belongs to/],
  [['-p', '-m', '', 'go'], /--model takes a value that is not empty/],
  [['explain', 'this'], /dsh explain takes no argument "this"/],
])('ends with 2 for %j and says why', async (args, message) => {
  await using box = await sandbox()
  const run = await box.run(args)

  expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: '' })
  expect(run.stderr).toMatch(message)
})

it('answers --version and --help with 0 and loads nothing of the user', async () => {
  await using box = await sandbox()
  await box.home.write('.config/dsh/settings.yml', 'rows: [broken')

  expect(await box.run(['--version'])).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/), stderr: '' })
  expect(await box.run(['--help'])).toEqual({ code: 0, stdout: expect.stringContaining('dsh -p, --print'), stderr: '' })
})
