/** The table of command lines through two doors: all of it as calls of a model in a script's run, a sample through `dsh explain permission`. */

import { callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { COMMANDS, type CommandCase } from '@deepseek-ai/dsh-shell-commands/commands'
import { expect, it } from 'vitest'
import { provider, sandbox, type Sandbox } from './program.ts'
import { linesOf } from './script-lines.ts'

const MODES = ['ask', 'auto', 'read-only'] as const
type Mode = (typeof MODES)[number]

/** What is stricter than the table, which knows nothing of protected files. */
const PROTECTED: ReadonlySet<string> = new Set(['echo x > ~/.bashrc', 'echo "alias ls=rm" >> ~/.bashrc', 'echo x | tee -a .git/hooks/pre-commit'])

/** A shell that runs nothing, in place of the real one: what is allowed here would delete the machine. */
const NO_SHELL = `import { BashExecutor } from '@deepseek-ai/dsh-bash'

const nothing = { text: '', truncated: false, totalBytes: 0 }

export default class NoShell extends BashExecutor {
  shell = { program: '/bin/bash', dialect: 'bash' }
  limits = { timeoutMs: 1000, maxTimeoutMs: 1000 }
  resolve({ command, cwd }) {
    return { command, workdir: cwd, workdirPolicy: 'nearest', timeoutMs: 1000 }
  }
  async run({ workdir }) {
    return { exitCode: 0, signal: null, timedOut: false, timeoutMs: 1000, workdir, stdout: nothing, stderr: nothing, stillRunning: false, leftProcesses: [] }
  }
}
`

const CALLS_A_STEP = 50

function expected(mode: Mode, { line, verdicts }: CommandCase): string {
  return mode === 'auto' && PROTECTED.has(line) ? 'ask' : verdicts[mode]
}

async function withoutShell(box: Sandbox): Promise<void> {
  await box.home.write('no-shell.mjs', NO_SHELL)
  await box.home.write('.config/dsh/settings.yml', `disable: [bash-local]\nplugins:\n  - { id: no-shell, name: ${box.home.resolve('no-shell.mjs')} }\n`)
}

it.each(MODES)('gives every line of the table its verdict in a run for a script, mode %s', async mode => {
  const steps = Array.from({ length: Math.ceil(COMMANDS.length / CALLS_A_STEP) }, (_, step) =>
    callAnswer(...COMMANDS.slice(step * CALLS_A_STEP, (step + 1) * CALLS_A_STEP).map(({ line }, i) => ({ name: 'bash', arguments: { command: line }, id: `call_${step * CALLS_A_STEP + i}` }))))
  await using server = await provider([...steps, textAnswer('All of them.')])
  await using box = await sandbox({ 'a.txt': 'x', '.git/HEAD': 'x' }, server)
  await withoutShell(box)

  const run = await box.run(['-p', '--output-format', 'jsonl', '--permission', mode, 'go'])

  const verdicts = new Map((await linesOf(run.stdout)).flatMap(({ type, data }) => (type === 'tool/result' ? [[data.callId as string, verdictOf(data.error?.code)] as const] : [])))
  expect(COMMANDS.map(({ line }, i) => [line, verdicts.get(`call_${i}`)])).toEqual(COMMANDS.map(each => [each.line, expected(mode, each)]))
  server.assertStrict()
}, 120_000)

function verdictOf(code: string | undefined): string {
  return code === undefined ? 'allow' : code === 'PERMISSION_REQUIRED' ? 'ask' : code === 'READ_ONLY' ? 'deny' : code
}

it.each(MODES)('says the same of a sample on the command line, mode %s', async mode => {
  await using box = await sandbox({ 'a.txt': 'x', '.git/HEAD': 'x' })
  const sample = COMMANDS.filter((_, i) => i % 30 === 7)

  const said = await Promise.all(sample.map(async ({ line }) => {
    const { stdout } = await box.run(['explain', 'permission', '--permission', mode, '--json', '--', line])
    return [line, (JSON.parse(stdout) as { judgement: { verdict: string } }).judgement.verdict]
  }))

  expect(said).toEqual(sample.map(each => [each.line, expected(mode, each)]))
}, 120_000)
