/** `dsh acp`: composes, boots, and gives stdin and stdout to the front door for editors alone. */

import { join, resolve } from 'node:path'
import { boot, logToStderr, type Running } from '@deepseek-ai/dsh-composition'
import { formatPosition, readPlan, type ExtraRow, type Plan } from '@deepseek-ai/dsh-composition-yaml'
import type { CommandLine } from '@deepseek-ai/dsh-command-line'
import { EXIT, FrontDoor, type ExitCode, type RunRequest, type Terminal } from '@deepseek-ai/dsh-front-door'
import type {} from '@deepseek-ai/dsh-session-persistence'
import { stripControls } from '@deepseek-ai/dsh-text'
import { builtinPlugins } from './builtin-plugins.ts'
import { chooseModel } from './choose-model.ts'
import { forwardSignals } from './forward-signals.ts'
import { guardOwnFiles } from './guard-own-files.ts'
import { hostModules } from './host-modules.ts'
import { locateBuiltinComposition } from './locate-composition.ts'
import { userPaths } from './paths.ts'
import { credentialsFile } from '@deepseek-ai/dsh-credentials'
import { reserveStdout } from './reserve-stdout.ts'
import { version } from './version.ts'

/** The framework counts errors as 0, information as 1, warnings as 2, debugging as 3. */
const LOG_LEVELS = { quiet: 0, normal: 2, verbose: 3 } as const

/** From the end of input to the end of the process, whatever still runs then. */
const LONGEST_END_MS = 1_900

/** How long a recorded session is looked for. */
const FIND_TIMEOUT_MS = 10_000

/** The longest that a timer can take. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export async function acpCommand(line: CommandLine, terminal: Terminal): Promise<ExitCode> {
  if (line.acp?.setup) return await (await import('./auth-command.ts')).askForKey(terminal)
  if (terminal.stdin.isTTY === true) terminal.stderr.write('dsh: this speaks the Agent Client Protocol with an editor, which starts it (docs/editors.md says how); Ctrl-D ends it\n')
  using reserved = reserveStdout(terminal)
  const { env } = process
  const plan = await planOf(line, env)
  const { model, notice } = chooseModel(line.model, plan, env)
  if (notice !== undefined && line.verbosity !== 'quiet') terminal.stderr.write(`dsh: ${notice}\n`)
  const request: RunRequest = { cwd: process.cwd(), agentOptions: { model: line.acp?.replay === undefined ? model : 'replayed' }, verbosity: line.verbosity }
  return await serve(plan, { request, line, terminal: reserved.terminal })
}

/** Of the user's files alone: the sessions work in many directories, and none of them rules the others. */
async function planOf(line: CommandLine, env: NodeJS.ProcessEnv): Promise<Plan> {
  const { file: composition, precompiled } = line.config === undefined ? locateBuiltinComposition() : { file: resolve(line.config), precompiled: {} }
  return await readPlan({
    composition,
    precompiled,
    userSettings: join(userPaths(env).config, 'settings.yml'),
    set: [...line.set, ...(line.permission === undefined ? [] : [`permission-rules.mode=${line.permission}`])],
    extraRows: extraRows(line, credentialsFile(env)),
    knownRows: ['ui-text', 'ui-repl', 'ui-jsonl', 'ui-acp'],
    env,
  })
}

function extraRows({ acp }: CommandLine, credentials: string): ExtraRow[] {
  const door: ExtraRow = { id: 'ui-acp', name: '@deepseek-ai/dsh-ui-acp', config: { version, credentials }, required: true }
  return acp?.replay === undefined ? [door] : [{ id: 'llm-replay', name: '@deepseek-ai/dsh-llm-replay', config: { session: acp.replay }, required: true }, door]
}

interface ServeOptions {
  request: RunRequest
  line: CommandLine
  terminal: Terminal
}

async function serve(plan: Plan, { request, line: { verbosity, acp }, terminal }: ServeOptions): Promise<ExitCode> {
  const running = await boot(plan, {
    builtins: builtinPlugins,
    ...(await hostModules()),
    prepare(root) {
      logToStderr(root, { level: LOG_LEVELS[verbosity], write: text => void terminal.stderr.write(text), clean: stripControls })
      root.plugin(FrontDoor, { terminal, request })
    },
  })
  // Waiting for a promise does not keep Node running.
  const awake = setInterval(() => undefined, LONGEST_TIMER_MS)
  try {
    guardOwnFiles(running)
    if (verbosity !== 'quiet') tellProblems(running, terminal)
    const { frontDoor } = running.root
    // What is to be played has to be there, before an editor is answered.
    if (acp?.replay !== undefined) await running.root.get('sessionPersistence')?.find(acp.replay, AbortSignal.timeout(FIND_TIMEOUT_MS))
    using _signals = forwardSignals({ pass: signal => frontDoor.interrupt(signal), tolerated: 1, withinMs: Infinity })
    endInTime(terminal)
    frontDoor.open()
    return await frontDoor.finished
  } finally {
    await running.dispose()
    clearInterval(awake)
  }
}

/** A client that has closed our input waits for the end of the process; what has not ended by then is ended. */
function endInTime({ stdin }: Terminal): void {
  stdin.once('end', () => setTimeout(() => process.exit(EXIT.completed), LONGEST_END_MS).unref())
}

function tellProblems(running: Running, { stderr }: Terminal): void {
  for (const { problem } of running.status()) {
    if (problem) stderr.write(`dsh: going on without ${problem.row}: ${stripControls(`${formatPosition(problem.position)}: ${problem.message}`)}\n`)
  }
}
