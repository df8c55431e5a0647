/** The door for scripts from outside: whatever happens, every line is of the schema and the last one is the result. */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { answer, callAnswer, delta, errorReply, textAnswer, type MockReply } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox, type RunOptions, type Sandbox, type Started } from './program.ts'
import { linesOf, resultOf, type ScriptLine } from './script-lines.ts'

const FORMATS = ['jsonl', 'stream-json', 'json'] as const
const HALF = { pieces: [delta({ content: 'Half an ' }), delta({ content: 'answer' })], end: 'hang' } as const
const ONE_ATTEMPT = ['--set', 'agent-core.agentLoop.maxAttempts=1']

interface Case {
  replies: readonly MockReply[] | (() => MockReply)
  args?: readonly string[]
  options?: RunOptions
  code: number
  result: object
  /** In the format of other people's readers. */
  subtype: string
}

const CASES: Readonly<Record<string, Case>> = {
  'a success': { replies: [callAnswer({ name: 'glob', arguments: { pattern: '*' } }), textAnswer('Done.')], code: 0, result: { subtype: 'success', is_error: false, result: 'Done.', num_turns: 1, num_steps: 2 }, subtype: 'success' },
  'a refused request': { replies: [errorReply(400, 'no such thing')], code: 1, result: { subtype: 'error_during_execution', error: { code: 'INVALID_REQUEST' } }, subtype: 'error_during_execution' },
  'a provider that fails': { replies: () => errorReply(503, 'overloaded'), args: ONE_ATTEMPT, code: 75, result: { subtype: 'error_provider' }, subtype: 'error_during_execution' },
  'a tool that crashes': { replies: [callAnswer({ name: 'read', arguments: { file_path: 'not-there' } }), textAnswer('It is not there.')], code: 0, result: { subtype: 'success' }, subtype: 'success' },
  'a budget of steps': { replies: () => answer({ text: 'Once more.', calls: [{ name: 'glob', arguments: { pattern: '*' } }] }), args: ['--max-steps', '2'], code: 6, result: { subtype: 'error_max_steps', result: 'Once more.' }, subtype: 'error_max_turns' },
  'a denial': { replies: [callAnswer({ name: 'bash', arguments: { command: 'touch made' } }), textAnswer('I could not.')], code: 5, result: { subtype: 'success', is_error: false, permission_denials: [{}], exit_code: 5 }, subtype: 'success' },
  'a time-out': { replies: [HALF], args: ['--timeout', '1s'], code: 3, result: { subtype: 'error_timeout', result: 'Half an answer' }, subtype: 'error_during_execution' },
  'an answer that is cut off': { replies: [answer({ text: 'It begins', finish: 'length' })], code: 1, result: { subtype: 'error_max_output_tokens', result: 'It begins' }, subtype: 'error_during_execution' },
  'something left in the background': { replies: [callAnswer({ name: 'bash', arguments: { command: 'sleep 300 & sleep 0.2 & echo started' } }), textAnswer('It runs.')], args: ['--permission', 'auto'], code: 1, result: { subtype: 'error_background', is_error: true, result: 'It runs.', error: { code: 'BACKGROUND_UNFINISHED', message: expect.stringMatching(/^1 process .* sleep \(\d+\)$/) as string } }, subtype: 'error_during_execution' },
  'a session that is not there': { replies: [], args: ['-r', 'nowhere'], code: 4, result: { subtype: 'error_session', session_id: null }, subtype: 'error_during_execution' },
  'an unknown option': { replies: [], args: ['--nonsense'], code: 2, result: { subtype: 'error_usage', error: { code: 'USAGE' } }, subtype: 'error_during_execution' },
  'a composition that does not boot': { replies: [], args: ['--set', 'agent-core.nonsense=1'], code: 2, result: { subtype: 'error_usage' }, subtype: 'error_during_execution' },
}

it.each(FORMATS.flatMap(format => Object.keys(CASES).map(name => [format, name] as const)))('ends a %s run with the result after %s', async (format, name) => {
  const { replies, args = [], code, result, subtype } = CASES[name] as Case
  await using server = await provider(replies)
  await using box = await sandbox({}, server)

  const run = await box.run(['-p', '--output-format', format, ...args, 'go'])

  expect({ code: run.code, stderr: run.code === 0 ? '' : 'whatever' }).toEqual({ code, stderr: code === 0 ? '' : 'whatever' })
  expect(await resultOf(run.stdout, format)).toMatchObject(format === 'stream-json' ? { subtype } : { ...result, exit_code: code })
  server.assertStrict()
}, 60_000)

it.each(FORMATS.flatMap(format => ([['SIGINT', 130], ['SIGTERM', 143]] as const).map(([signal, code]) => [format, signal, code] as const)))('ends a %s run with the result after %s', async (format, signal, code) => {
  await using server = await provider([HALF])
  await using box = await sandbox({}, server)
  const program = box.start(['-p', '--output-format', format, 'go'])
  await until(() => server.requests.length === 1)
  await new Promise(resolve => setTimeout(resolve, 150))
  program.child.kill(signal)
  const run = await program.ended
  expect(run.code).toBe(code)
  expect(await resultOf(run.stdout, format)).toMatchObject({ is_error: true, result: 'Half an answer' })
})

it.each([['SIGINT', 130], ['SIGTERM', 143]] as const)('ends with the result also when %s comes while it starts', async (signal, code) => {
  await using box = await sandbox()
  // It waits for the rest of its input, which is before anything is composed to answer it.
  const program = box.start(['-p', '--output-format', 'jsonl', '-m', 'offline'], { stdin: 'pipe' })
  program.child.stdin?.write('half a prompt')
  await new Promise(resolve => setTimeout(resolve, 1000))
  program.child.kill(signal)
  const run = await program.ended
  expect(run.code).toBe(code)
  expect(await linesOf(run.stdout)).toMatchObject([{ type: 'result', subtype: 'cancelled', exit_code: code }])
})

it('ends with a result when a plugin breaks the process while it is loaded', async () => {
  await using box = await sandbox({ 'broken.js': `setImmediate(() => { throw new Error('boom') })
    await new Promise(resolve => setTimeout(resolve, 1000))
    export function apply() {}` })
  await box.home.write('.config/dsh/settings.yml', `plugins: [{ id: broken, name: ${box.workspace.resolve('broken.js')} }]\n`)
  const run = await box.run(['-p', '--output-format', 'jsonl', '-m', 'offline', 'go'])
  expect(run.code).toBe(1)
  expect(await linesOf(run.stdout)).toMatchObject([{ type: 'result', is_error: true, error: { message: 'internal error: boom' } }])
})

it('ends at once on the second signal', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: "trap '' INT TERM; while :; do sleep 0.1; done" } })])
  await using box = await sandbox({}, server)
  const program = box.start(['-p', '--permission', 'auto', '--output-format', 'jsonl', 'go'])
  await program.said('"tool/call"')
  program.child.kill('SIGINT')
  await new Promise(resolve => setTimeout(resolve, 50))
  program.child.kill('SIGINT')
  expect((await program.ended).code).toBe(130)
})

it('keeps stdout for lines, whatever plugins write there, and tells of a crash by a result', async () => {
  await using server = await provider([HALF])
  await using box = await sandbox({
    'loud.js': `console.log('at import')
      export const name = 'loud'
      export function apply(ctx) {
        console.log('at start'); process.stdout.write('raw')
        ctx.on('session/event', (session, event) => { if (event.type === 'assistant/chunk' && event.data.chunk.text) setTimeout(() => { throw new Error('boom') }, 100) })
      }`,
  }, server)
  await box.home.write('.config/dsh/settings.yml', `plugins: [{ id: loud, name: ${box.workspace.resolve('loud.js')} }]\n`)
  const run = await box.run(['-p', '--output-format', 'jsonl', 'go'])
  expect(run.code).toBe(1)
  expect(run.stderr).toContain('at import\nat start\nraw')
  expect(await resultOf(run.stdout)).toMatchObject({ subtype: 'error_during_execution', is_error: true, error: { message: 'internal error: boom' } })
})

it('stops quietly when its reader goes, and leaves nothing running', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'echo $$ > shell.pid; sleep 300' } })])
  await using box = await sandbox({}, server)
  const run = await box.shell('$DSH -p --permission auto --output-format jsonl go | head -c 100; echo "${PIPESTATUS[0]}" >&2')
  expect(run.stderr).toBe('141\n')
  expect(run.stdout).toHaveLength(100)
})

it('says in the exit code that nothing could be written', async () => {
  await using server = await provider([textAnswer('Done.')])
  await using box = await sandbox({}, server)
  const run = await box.shell('$DSH -p --output-format json go > /dev/full')
  expect(run.code).toBe(1)
  expect(run.stderr).toMatch(/^dsh: the output could not be written: .*ENOSPC/m)
})

it('never waits for an input pipe that nobody writes to, nor asks on it', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'touch made' } }), textAnswer('No.')])
  await using box = await sandbox({}, server)
  const program = box.start(['-p', '--output-format', 'jsonl', 'go'], { stdin: 'pipe' })
  const run = await program.ended
  expect(run.code).toBe(5)
  expect(await resultOf(run.stdout)).toMatchObject({ permission_denials: [{ tool: 'bash', code: 'PERMISSION_REQUIRED' }] })
  expect(exists(box, 'made')).toBe(false)
}, 60_000)

it.each([['closed', '<&-'], ['/dev/null', '</dev/null'], ['a file', '<notes.txt']])('refuses at once what asks, with stdin %s: a command, a mixed pipeline, a path outside', async (_what, stdin) => {
  const asking = [
    callAnswer({ name: 'bash', arguments: { command: 'touch made' } }),
    callAnswer({ name: 'bash', arguments: { command: 'ls | tee made' } }),
    callAnswer({ name: 'write', arguments: { file_path: '../made', content: 'x' } }),
  ]
  await using server = await provider([...asking, textAnswer('I could do nothing.')])
  await using box = await sandbox({ 'notes.txt': 'some notes' }, server)
  const run = await box.shell(`timeout 20 $DSH -p --output-format jsonl go ${stdin}`)
  expect(run.code).toBe(5)
  const lines = await linesOf(run.stdout)
  expect(lines.filter(({ type }) => type === 'approval/decided').map(({ data }) => data.answer.kind)).toEqual(['unavailable', 'unavailable', 'unavailable'])
  expect(lines.at(-1)?.['permission_denials'].map(({ code }: { code: string }) => code)).toEqual(['PERMISSION_REQUIRED', 'PERMISSION_REQUIRED', 'PERMISSION_REQUIRED'])
  expect([exists(box, 'made'), exists(box, '../made')]).toEqual([false, false])
})

it('runs what a script allows, and refuses what is open when the input ends', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'touch made' } }), callAnswer({ name: 'bash', arguments: { command: 'touch more' } }), textAnswer('Done.')])
  await using box = await sandbox({}, server)
  const program = box.start(['-p', '--output-format', 'jsonl', '--input-format', 'jsonl'], { stdin: 'pipe' })
  const say = (line: object): void => void program.child.stdin?.write(`${JSON.stringify(line)}\n`)
  const asked = firstLine(program, 'approval_request')
  say({ type: 'user', text: 'go' })
  say({ type: 'approval', id: (await asked)['id'], decision: 'allow' })
  await program.said('"arguments":{"command":"touch more"}')
  program.child.stdin?.end()
  const run = await program.ended
  expect(run.code).toBe(5)
  expect((await linesOf(run.stdout)).filter(({ type }) => type === 'approval/decided').map(({ data }) => data.answer.kind)).toEqual(['allow', 'unavailable'])
  expect([exists(box, 'made'), exists(box, 'more')]).toEqual([true, false])
})

it('puts the questions of the model to a script, and does without where there is none', async () => {
  const replies = [callAnswer({ name: 'ask_user', arguments: { questions: [{ question: 'Which colour?', options: ['red', 'blue'] }] } }), textAnswer('Blue it is.')]
  await using server = await provider([...replies, textAnswer('I decide.')])
  await using box = await sandbox({}, server)
  const program = box.start(['-p', '--output-format', 'jsonl', '--input-format', 'jsonl', 'paint it'], { stdin: 'pipe' })
  const { id, questions } = await firstLine(program, 'inquiry_request')
  expect(questions).toEqual([{ question: 'Which colour?', options: ['red', 'blue'] }])
  program.child.stdin?.end(`${JSON.stringify({ type: 'answer', id, answers: [['blue']] })}\n`)
  const answered = await program.ended
  expect(answered.code).toBe(0)
  expect((await linesOf(answered.stdout)).find(({ type }) => type === 'tool/result')?.['data'].content[0].text).toContain('blue')
  const alone = await box.run(['-p', '--output-format', 'jsonl', 'paint it'])
  expect((await linesOf(alone.stdout))[0]?.['tools']).not.toContain('ask_user')
})

it('refuses a line of more than 20 MB, takes the next, and stays small', async () => {
  await using server = await provider([textAnswer('Done.')])
  await using box = await sandbox({}, server)
  const program = box.start(['-p', '--output-format', 'jsonl', '--input-format', 'jsonl'], { stdin: 'pipe' })
  const piece = 'x'.repeat(1024 * 1024)
  program.child.stdin?.write('{"type":"user","text":"')
  for (let i = 0; i < 120; i++) if (!program.child.stdin?.write(piece)) await new Promise(resolve => program.child.stdin?.once('drain', resolve))
  program.child.stdin?.write('"}\n')
  const peak = peakOf(program.child.pid)
  program.child.stdin?.end('{"type":"user","text":"go"}')
  const run = await program.ended
  expect(run.code).toBe(0)
  const lines = await linesOf(run.stdout)
  expect(lines.filter(({ type }) => type === 'error')).toMatchObject([{ code: 'LINE_TOO_LONG', line: 1 }])
  expect(lines.at(-1)).toMatchObject({ result: 'Done.' })
  if (peak !== undefined) expect(peak).toBeLessThan(250)
}, 60_000)

it('holds the work up for a slow reader, and loses no line', async () => {
  const lines50KB = `${'y'.repeat(100)}\n`.repeat(500)
  const steps = 100
  let step = 0
  await using server = await provider(() => (++step > steps ? textAnswer('Done.') : callAnswer({ name: 'read', arguments: { file_path: 'big.txt' } })))
  await using box = await sandbox({ 'big.txt': lines50KB }, server)
  const program = box.start(['-p', '--output-format', 'jsonl', 'go'])
  program.child.stdout?.pause()
  await new Promise(resolve => setTimeout(resolve, 4000))
  const before = server.requests.length
  expect(before).toBeLessThan(steps)
  await new Promise(resolve => setTimeout(resolve, 1000))
  expect(server.requests.length).toBe(before)
  const peak = peakOf(program.child.pid)
  if (peak !== undefined) expect(peak).toBeLessThan(180)
  program.child.stdout?.resume()
  const run = await program.ended
  const lines = await linesOf(run.stdout)
  expect(run.code).toBe(0)
  const seqs = lines.flatMap(({ seq }) => seq ?? [])
  expect(seqs).toEqual(seqs.map((_, index) => index))
}, 90_000)

it('writes the last message into a file, and JSON of a schema to stdout, as text too', async () => {
  await using server = await provider([textAnswer('One.'), textAnswer('```json\n{"n": 1}\n```')])
  await using box = await sandbox({ 'schema.json': '{"type":"object","properties":{"n":{"type":"integer"}},"required":["n"]}' }, server)
  const run = await box.run(['-p', '--json-schema', 'schema.json', '-o', 'answer.json', 'go'])
  expect(run).toEqual({ code: 0, stdout: '{"n":1}\n', stderr: '' })
  expect(await box.workspace.read('answer.json')).toBe('{"n":1}\n')
  server.assertStrict()
})

it('ends with 2 for a schema that is none, and names the file', async () => {
  await using box = await sandbox({ 'schema.json': '{"type":"strng"}' })
  const run = await box.run(['-p', '-m', 'offline', '--json-schema', 'schema.json', 'go'])
  expect([run.code, run.stdout]).toEqual([2, ''])
  expect(run.stderr).toMatch(/^dsh: --json-schema: .*schema\.json is not a usable JSON Schema: .*type/m)
})

// Only root may mount the small disk that this needs.
it.runIf(process.platform === 'linux' && process.getuid?.() === 0).each(['session', 'file'] as const)('says in the result that there was no room for the %s', async what => {
  await using server = await provider([textAnswer('z'.repeat(200_000))])
  await using box = await sandbox({}, server)
  const disk = box.home.resolve('disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk])
  try {
    const run = what === 'file' ? await box.run(['-p', '--output-format', 'jsonl', '-o', `${disk}/out.txt`, 'go']) : await box.run(['-p', '--output-format', 'jsonl', 'go'], { env: { DSH_HOME: disk } })
    expect(run.code).toBe(1)
    expect(await resultOf(run.stdout)).toMatchObject({ is_error: true, error: { code: what === 'file' ? 'OUTPUT_FILE' : 'STORE_FULL' } })
  } finally {
    execFileSync('umount', ['-l', disk])
  }
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 10))
}

function exists(box: Sandbox, file: string): boolean {
  return existsSync(box.workspace.resolve(file))
}

/** The first line of that type, when it is there. */
function firstLine({ child }: Started, type: string): Promise<ScriptLine> {
  let text = ''
  return new Promise(resolve => {
    child.stdout?.on('data', chunk => {
      text += String(chunk)
      const found = text.split('\n').slice(0, -1).find(line => line.startsWith(`{"type":"${type}"`))
      if (found !== undefined) resolve(JSON.parse(found))
    })
  })
}

/** The most memory that a process has used, in MiB, where the system tells. */
function peakOf(pid: number | undefined): number | undefined {
  const status = `/proc/${pid}/status`
  if (!existsSync(status)) return undefined
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(status, 'utf8'))?.[1]) / 1024
}
