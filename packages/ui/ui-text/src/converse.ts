/** A plain conversation, line by line: for dumb terminals, screen readers, and until a richer interface is mounted. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { holdsKey } from '@deepseek-ai/dsh-credentials'
import { EXIT, exitCodeOfSignal, isAtWork, type ExitCode, openForRun, renderDamage, renderFarewell, renderReturn } from '@deepseek-ai/dsh-front-door'
import { stripControls } from '@deepseek-ai/dsh-text'
import { aboutSecrets } from './about-secrets.ts'
import { InputEnded, type LineReader } from './line-reader.ts'
import { runCommand } from './run-command.ts'
import { TranscriptView } from './transcript-view.ts'

const WITHHELD = 'That holds the API key that is in use, and was neither sent nor kept. /login takes another key.\n'

/** Resolves with the exit code when the user leaves. */
export async function converse(ctx: Context, lines: LineReader): Promise<ExitCode> {
  const { request, terminal } = ctx.frontDoor
  const opened = await openForRun(ctx)
  if (typeof opened === 'string') return exitCodeOfSignal(opened)
  const { agent, dispose } = opened
  const leaving = new AbortController()
  const leave = (code: ExitCode): void => leaving.abort(code)
  const interrupts = new Interrupts(agent, lines, leave)
  const view = new TranscriptView(lines, terminal.stdout)
  ctx.on('session/event', (session, event) => {
    if (session === agent.session) view.show(event)
  })
  ctx.on('front-door/interrupt', signal => (signal === 'SIGINT' ? interrupts.next() : leave(exitCodeOfSignal(signal))))
  lines.onInterrupt(() => interrupts.next())
  if (request.verbosity !== 'quiet') lines.print(`dsh, model ${stripControls(agent.options.model ?? '(none)')}, in ${stripControls(request.cwd)}. /help for help.\n`)
  for (const line of renderDamage(opened)) lines.print(line)
  if (request.verbosity !== 'quiet') lines.print(renderReturn(opened))
  const commands = new CommandRuns()
  ctx.on('front-door/reload', signal => (leaving.signal.aborted ? untilAborted(signal) : commands.untilOver(signal)))
  const onCommand = async (line: string): Promise<void> => {
    await commands.add(runCommand(ctx, { line, agent, lines, signal: leaving.signal }))
    lines.secretOver()
  }
  const prompt = ctx.frontDoor.takePrompt()
  if (prompt !== undefined && isCommand(prompt)) await onCommand(prompt)
  else if (prompt !== undefined) agent.send(prompt)
  const code = await readInput(agent, lines, { signal: leaving.signal, ...aboutSecrets(ctx), onLine: () => interrupts.forget(), onCommand })
  // From here on no edit of the settings is applied any more.
  leave(code)
  agent.cancel('the user left')
  if (request.verbosity !== 'quiet') lines.print(renderFarewell(opened))
  await dispose()
  return code
}

/** The commands that are being carried out. */
class CommandRuns {
  private readonly running = new Set<Promise<void>>()

  async add(run: Promise<void>): Promise<void> {
    this.running.add(run)
    try {
      await run
    } finally {
      this.running.delete(run)
    }
  }

  /** Resolves, too, when `signal` is aborted. */
  async untilOver(signal: AbortSignal): Promise<void> {
    await Promise.race([Promise.allSettled(this.running), untilAborted(signal)])
  }
}

async function untilAborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await new Promise<void>(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
}

/** What Ctrl-C does: it throws away what is typed, stops what runs, and at the second time in a row leaves. */
class Interrupts {
  private readonly agent: Agent
  private readonly lines: LineReader
  private readonly leave: (code: ExitCode) => void
  private hasBeenAsked = false

  constructor(agent: Agent, lines: LineReader, leave: (code: ExitCode) => void) {
    this.agent = agent
    this.lines = lines
    this.leave = leave
  }

  /** Something was typed in between: the next Ctrl-C is the first again. */
  forget(): void {
    this.hasBeenAsked = false
  }

  next(): void {
    const { agent, lines } = this
    if (this.hasBeenAsked) return this.leave(EXIT.interrupted)
    const isRunning = isAtWork(agent)
    if (!isRunning && lines.clearTyped()) return
    this.hasBeenAsked = true
    if (isRunning) agent.cancel('stopped by the user', { queue: 'keep' })
    else lines.print('(Ctrl-C once more leaves)\n')
  }
}

interface InputOptions {
  precedesSecret(line: string): boolean
  isPrivate(line: string): boolean
  /** Aborted with the exit code when the user leaves by other means than typing. */
  signal: AbortSignal
  onLine(): void
  /** A line that begins as a command does. */
  onCommand(line: string): Promise<void>
}

async function readInput(agent: Agent, lines: LineReader, { signal, precedesSecret, isPrivate, onLine, onCommand }: InputOptions): Promise<ExitCode> {
  for (;;) {
    let line: string
    try {
      line = (await lines.ask('> ', signal, { waits: true, precedesSecret, isPrivate })).trim()
    } catch (error) {
      if (signal.aborted) return signal.reason as ExitCode
      if (!(error instanceof InputEnded)) throw error
      return await untilIdle(agent, signal)
    }
    onLine()
    if (line === '') continue
    if (line === '/quit' || line === '/exit') return EXIT.completed
    if (holdsKey(line, process.env)) {
      lines.print(WITHHELD)
      continue
    }
    // Also a misspelt one behind which a secret may stand must not be sent.
    if (isCommand(line) || precedesSecret(line) || isPrivate(line)) await onCommand(line)
    else agent.steer(line)
  }
}

/** A path is a message; a word behind a slash is a command, known or not. */
function isCommand(line: string): boolean {
  return /^\/[a-z][a-z0-9:_-]*(?:\s|$)/.test(line)
}

/** No more input will come: what runs is let finish, unless the user leaves before. */
async function untilIdle(agent: Agent, signal: AbortSignal): Promise<ExitCode> {
  const left = Promise.withResolvers<ExitCode>()
  const onAbort = (): void => left.resolve(signal.reason as ExitCode)
  signal.addEventListener('abort', onAbort, { once: true })
  return await Promise.race([agent.whenIdle().then(() => EXIT.completed), left.promise])
}
