/** One shot: runs the prompt, prints the final answer on stdout and everything else on stderr. */

import type { Context } from 'cordis'
import type {} from '@deepseek-ai/dsh-agent'
import type { SessionEvent, TurnEndReason } from '@deepseek-ai/dsh-session'
import { describeError } from '@deepseek-ai/dsh-errors'
import { describeEnd, describeUnfinished, EXIT, exitCodeOf, exitCodeOfSignal, finalAnswer, limitTurns, TOO_MANY_TURNS, writeLastMessage, type ExitCode, type Interrupt, openForRun, renderDamage, renderFarewell, settleBackground } from '@deepseek-ai/dsh-front-door'
import type { StructuredAnswer } from '@deepseek-ai/dsh-front-door/structured-answer'
import { plural, stripControls } from '@deepseek-ai/dsh-text'
import { renderProgress } from './progress.ts'
import { write } from './write.ts'

/** Resolves with the exit code when the answer has been written. */
export async function printRun(ctx: Context): Promise<ExitCode> {
  const { request, terminal } = ctx.frontDoor
  const { verbosity } = request
  const { lastMessageFile, schemaFile } = request.output ?? {}
  const structured = schemaFile === undefined ? undefined : await (await import('@deepseek-ai/dsh-front-door/structured-answer')).readStructuredAnswer(schemaFile)
  const opened = await openForRun(ctx)
  if (typeof opened === 'string') return exitCodeOfSignal(opened)
  const { agent, dispose } = opened
  const { session } = agent
  const from = session.seq
  for (const line of renderDamage(opened)) terminal.stderr.write(line)
  ctx.on('session/event', (of, event) => {
    const line = of === session ? renderProgress(event, verbosity) : undefined
    if (line !== undefined) terminal.stderr.write(`${line}\n`)
  })
  const stopped = new AbortController()
  let stoppedBy: Interrupt | undefined
  ctx.on('front-door/interrupt', signal => {
    stoppedBy ??= signal
    stopped.abort()
    agent.cancel(signal)
  })

  structured?.demandOf(ctx, agent)
  if (request.maxTurns !== undefined) limitTurns(ctx, agent, request.maxTurns)
  agent.send(ctx.frontDoor.takePrompt() ?? '')
  await agent.whenIdle()

  const events = session.eventsFrom(from)
  const reason = lastReason(events)
  // Without a reason it was cancelled before a turn had begun.
  if (!reason) return exitCodeOfSignal(stoppedBy ?? 'SIGINT')
  const ending = endingOf(reason, events, structured)
  // Also where stdout is a pipe: at its other end there is often a terminal all the same.
  const answer = stripControls(ending.answer)
  await write(terminal.stdout, answer === '' || answer.endsWith('\n') ? answer : `${answer}\n`)
  const kept = lastMessageFile === undefined ? ending.code : keepAnswer(ctx, lastMessageFile, ending)
  const unfinished = describeUnfinished(await settleBackground(ctx, stopped.signal))
  if (unfinished !== undefined) await write(terminal.stderr, `dsh: ${stripControls(unfinished)}\n`)
  const code = unfinished !== undefined && kept === EXIT.completed ? EXIT.error : kept
  await write(terminal.stderr, renderEnding(ending, countRefusals(events)))
  if (verbosity !== 'quiet') await write(terminal.stderr, renderFarewell(opened))
  await dispose()
  return code
}

function lastReason(events: readonly { type: string }[]): TurnEndReason | undefined {
  const end = events.findLast((event): event is { type: 'turn/end'; data: { reason: TurnEndReason } } => event.type === 'turn/end')
  return end?.data.reason
}

function countRefusals(events: Iterable<{ type: string; data?: unknown }>): number {
  let count = 0
  for (const event of events) {
    const error = event.type === 'tool/result' ? (event.data as { error?: { code: string } }).error : undefined
    if (error?.code === 'PERMISSION_REQUIRED' || error?.code === 'READ_ONLY') count++
  }
  return count
}

interface Ending {
  answer: string
  code: ExitCode
  /** In words; undefined for a clean completion. */
  words: string | undefined
}

/** With a schema, the answer is the JSON alone, and one that does not fit is a failure. */
function endingOf(reason: TurnEndReason, events: readonly SessionEvent[], structured: StructuredAnswer | undefined): Ending {
  const answer = finalAnswer(events)
  if (reason.kind === 'aborted' && reason.reason === TOO_MANY_TURNS) return { answer, code: EXIT.budget, words: TOO_MANY_TURNS }
  const ending = { answer, code: exitCodeOf(reason, events), words: describeEnd(reason) }
  const checked = reason.kind === 'completed' ? structured?.check(answer) : undefined
  if (checked?.kind === 'valid') return { ...ending, answer: JSON.stringify(checked.value) }
  return checked ? { ...ending, code: EXIT.error, words: `the answer is not what the JSON Schema asks for: ${checked.errors.join('; ')}` } : ending
}

/** Writes the answer into the user's file too; a failed run without one leaves the file as it is. */
function keepAnswer({ frontDoor }: Context, file: string, { answer, code }: Ending): ExitCode {
  if (answer === '' && code !== EXIT.completed) return code
  try {
    writeLastMessage(file, answer)
    return code
  } catch (error) {
    frontDoor.tell(`dsh: ${stripControls(describeError(error))}\n`)
    return code === EXIT.completed ? EXIT.error : code
  }
}

function renderEnding({ words, code }: Ending, refusals: number): string {
  const lines = words === undefined ? [] : [`dsh: ${words}`]
  if (refusals > 0) lines.push(`dsh: ${plural(refusals, 'call')} needed a permission that nobody could give; allow with --permission auto`)
  if (code === EXIT.retry) lines.push('dsh: the same command may succeed later')
  return lines.map(line => `${stripControls(line)}\n`).join('')
}
