/** `dsh` and `dsh -p`: composes, boots, lets the front door work, and takes everything down again. */

import { TURN_FAILED } from '@deepseek-ai/dsh-agent'
import { boot, logToStderr, watch, type Running, type WatchOptions } from '@deepseek-ai/dsh-composition'
import { formatPosition } from '@deepseek-ai/dsh-composition-yaml'
import { EXIT, FrontDoor, type ExitCode, type Interrupt, type RunRequest, type Terminal } from '@deepseek-ai/dsh-front-door'
import { stripControls } from '@deepseek-ai/dsh-text'
import { appCommands } from './app-commands.ts'
import { builtinPlugins } from './builtin-plugins.ts'
import { chooseRunSession } from './choose-run-session.ts'
import { chooseModel, DEFAULT_MODEL, OFFLINE_MODEL } from './choose-model.ts'
import { UsageError, type CommandLine } from '@deepseek-ai/dsh-command-line'
import { holdsKey } from '@deepseek-ai/dsh-credentials'
import { compose, type Composed } from './compose.ts'
import { guardOwnFiles } from './guard-own-files.ts'
import { hostModules } from './host-modules.ts'
import { EarlyLines } from './early-lines.ts'
import { forwardSignals } from './forward-signals.ts'
import type { Output } from './process-end.ts'
import { userPaths } from './paths.ts'
import { isInputPiped, readPipedInput, type PipedStream } from './read-piped-input.ts'
import { budgetOf, frontDoorRow, modeOf, outputRequest } from './run-request.ts'
import { untilCalm } from './until-calm.ts'
import { useStoredKey } from './use-stored-key.ts'
import { version } from './version.ts'

/** How long a pipe that may be merely inherited can stay silent when there is a prompt already. */
const PIPE_PATIENCE_MS = 3000

/** How long it may fall silent in between; whoever wrote something is likely to write the rest. */
const PIPE_IDLE_MS = 60_000

/** Whoever leaves in the middle of an edit is gone soon, too. */
const LEAVING_MS = 500

/** The front door with a screen of its own. */
const SCREEN = 'ui-repl'

/** The longest that a timer can take. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** A command that stands alone in its line, or with one word behind it: a key has no blanks, and a sentence is none. */
const MAY_HOLD_SECRET = /^\s*\/\S+(?:[^\S\n]*(?:\n|$)|\s+\S+\s*$)/

/** The framework counts errors as 0, information as 1, warnings as 2, debugging as 3. */
const LOG_LEVELS = { quiet: 0, normal: 2, verbose: 3 } as const

export async function runCommand(line: CommandLine, terminal: Terminal, output: Output): Promise<ExitCode> {
  const mode = modeOf(line, terminal)
  const door = frontDoorRow(line, mode, terminal)
  using early = new EarlyLines(terminal.stderr, door.id === SCREEN)
  const storedKeys = useStoredKey(process.env, text => early.tell(text))
  const chosen = line.session && (await chooseRunSession(line, terminal))
  if (line.session && !chosen) return EXIT.interrupted
  const scripted = outputRequest(line.output)
  const composing = compose(chosen ? { ...line, cwd: chosen.cwd } : line, door, process.env)
  // Both wait for something outside; a mistake in the files is told even while input is awaited.
  const [composed, prompt] = await Promise.all([composing, mode === 'print' && isTextRead(line) ? readPrompt(line, terminal) : line.prompt])
  if (prompt !== undefined && holdsKey(prompt, process.env)) throw new UsageError('the prompt holds the API key that is in use, and was not sent')
  const { model, isDefault, notice } = chooseModel(line.model, composed.plan, process.env, mode)
  if (notice !== undefined && line.verbosity !== 'quiet') early.tell(`dsh: ${notice}\n`)
  tellHeldBack(composed, line, text => early.tell(text))
  const request: RunRequest = {
    ...(prompt?.trim() && { prompt }),
    cwd: composed.cwd,
    ...(chosen && { session: chosen.request }),
    storedKeys,
    ...(line.permission !== undefined && { permission: line.permission }),
    verbosity: line.verbosity,
    ...(line.maxTurns !== undefined && { maxTurns: line.maxTurns }),
    ...scripted,
    version,
    agentOptions: { model, budget: budgetOf(line) },
    ...(isDefault && { defaultModels: { withKey: DEFAULT_MODEL, withoutKey: OFFLINE_MODEL } }),
  }
  return await openAndWait(composed, request, line, { terminal, output, early, hasScreen: door.id === SCREEN })
}

/** The prompt of one shot: piped input, then the words. Throws `UsageError` when there is neither. */
async function readPrompt(line: CommandLine, terminal: Terminal): Promise<string | undefined> {
  const { prompt } = line
  const { stderr } = terminal
  const piped = !isInputPiped() ? undefined : await readPipedInput(terminal.stdin as PipedStream, {
    optional: prompt !== undefined,
    patienceMs: PIPE_PATIENCE_MS,
    idleMs: PIPE_IDLE_MS,
    onGivenUp: hasSome => void stderr.write(hasSome
      ? `dsh: nothing more came through the input pipe within ${PIPE_IDLE_MS / 1000} s; going on with what has come\n`
      : `dsh: nothing came through the input pipe within ${PIPE_PATIENCE_MS / 1000} s; going on without it (use </dev/null to avoid the wait)\n`),
  })
  const parts = [piped, prompt].filter(part => part !== undefined && part.trim() !== '')
  if (parts.length === 0) throw new UsageError('there is no prompt: give one as an argument or pipe it in')
  return parts.join('\n\n')
}

/** Lines of JSON on stdin are read by the front door. */
function isTextRead({ output }: CommandLine): boolean {
  return output === undefined || output.inputFormat === 'text'
}

interface Surroundings {
  terminal: Terminal
  output: Output
  early: EarlyLines
  /** The front door draws a screen of its own. */
  hasScreen: boolean
}

async function openAndWait(composed: Composed, request: RunRequest, line: CommandLine, { terminal, output, early, hasScreen }: Surroundings): Promise<ExitCode> {
  const running = await boot(composed.plan, {
    builtins: builtinPlugins,
    ...(await hostModules()),
    approve: composed.approve,
    prepare(root) {
      logToStderr(root, { level: LOG_LEVELS[line.verbosity], write: text => tell(root, early, text), clean: stripControls, skip: ({ args }) => args[0] === TURN_FAILED && args[3] !== 0 && line.verbosity !== 'verbose' })
      root.plugin(FrontDoor, { terminal, request, holdsLines: hasScreen })
    },
  })
  try {
    guardOwnFiles(running, [userPaths(process.env).trust])
    const { frontDoor } = running.root
    early.passTo(text => frontDoor.tell(text))
    tellProblems(running, line, text => frontDoor.tell(text))
    output.tell = text => frontDoor.tell(text)
    output.lastWords = (error, message) => frontDoor.sayLastWords(error, message)
    const pass = (signal: Interrupt): void => frontDoor.interrupt(signal)
    const isConversation = modeOf(line, terminal) === 'conversation'
    if (!isConversation) refuseSecret(running.root, request)
    if (isConversation) running.root.plugin(appCommands(line, running))
    using _awake = stayAwake()
    using _signals = forwardSignals({ pass, ...(isConversation ? { tolerated: 2, withinMs: 3000 } : { tolerated: 1, withinMs: Infinity }) })
    // A conversation without anybody who reads it is over; one shot has nothing left to write.
    if (isConversation) terminal.stdout.once('error', () => pass('SIGHUP'))
    // Only a conversation lives long enough for its files to change under it.
    const watching = isConversation ? await watch(running, watchOptions(composed, running, line)) : undefined
    frontDoor.open()
    const code = await frontDoor.finished
    // An edit that is just being carried out is not waited for.
    if (watching) await Promise.race([watching.close(), new Promise(resolve => setTimeout(resolve, LEAVING_MS))])
    return code
  } finally {
    delete output.tell
    await running.dispose()
  }
}

/** What stands behind a command that asks for a secret may be one: it must not be sent, and where nobody is asked there is no other use for it. */
function refuseSecret(root: Running['root'], { prompt }: RunRequest): void {
  if (prompt === undefined || !MAY_HOLD_SECRET.test(prompt) || !root.get('commands')?.asksSecret(prompt)) return
  throw new UsageError('the prompt begins with a command that asks for a key, for which there has to be a conversation in a terminal; dsh auth takes a key from a pipe, too')
}

/** Waiting for a promise does not keep Node running: a tool that hangs without a handle of its own would end the process in silence. */
function stayAwake(): Disposable {
  const timer = setInterval(() => undefined, LONGEST_TIMER_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

/** The log begins before the front door is there. */
function tell(root: Running['root'], early: EarlyLines, text: string): void {
  const frontDoor = root.get('frontDoor')
  if (frontDoor) frontDoor.tell(text)
  else early.tell(text)
}

function tellProblems(running: Running, line: CommandLine, write: (text: string) => void): void {
  if (line.verbosity === 'quiet' || running.isWell()) return
  for (const { problem } of running.status()) {
    if (problem) write(`dsh: going on without ${problem.row}: ${stripControls(`${formatPosition(problem.position)}: ${problem.message}`)}\n`)
  }
}

function tellHeldBack(composed: Composed, line: CommandLine, write: (text: string) => void): void {
  const heldBack = composed.heldBack(composed.plan)
  if (heldBack !== undefined && line.verbosity !== 'quiet') write(`dsh: ${stripControls(heldBack)}\n`)
}

function watchOptions(composed: Composed, running: Running, line: CommandLine): WatchOptions {
  let hasWaited = false
  const tellAnew = tellHeldBackAnew(composed, running, line)
  return {
    readPlan: composed.reread,
    beforeApply: async (rows, signal) => {
      hasWaited = await untilCalm(running.root, rows, signal)
    },
    onReload: ({ kind }) => {
      if (hasWaited && kind === 'applied') running.root.frontDoor.tell('dsh: the edit of the settings is applied\n')
      hasWaited = false
      tellAnew()
    },
  }
}

/** Settings that appear while a conversation lives are not withheld in silence. */
function tellHeldBackAnew(composed: Composed, running: Running, line: CommandLine): () => void {
  let told = composed.heldBack(composed.plan)
  return () => {
    const { plan } = running
    const now = composed.heldBack(plan)
    if (now !== told) tellHeldBack({ ...composed, plan }, line, text => running.root.frontDoor.tell(text))
    told = now
  }
}
