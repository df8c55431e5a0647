/** One shot: runs the prompt, prints the final answer on stdout and everything else on stderr. */

import type { Context } from 'cordis'
import type {} from '@deepseek-ai/dsh-agent'
import type { TurnEndReason } from '@deepseek-ai/dsh-session'
import { describeEnd, EXIT, exitCodeOf, exitCodeOfSignal, finalAnswer, type ExitCode, type Interrupt, openForRun, renderDamage, renderFarewell } from '@deepseek-ai/dsh-front-door'
import { plural, stripControls } from '@deepseek-ai/dsh-text'
import { renderProgress } from './progress.ts'
import { write } from './write.ts'

/** Resolves with the exit code when the answer has been written. */
export async function printRun(ctx: Context): Promise<ExitCode> {
  const { request, terminal } = ctx.frontDoor
  const { verbosity } = request
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
  let stoppedBy: Interrupt | undefined
  ctx.on('front-door/interrupt', signal => {
    stoppedBy ??= signal
    agent.cancel(signal)
  })

  agent.send(ctx.frontDoor.takePrompt() ?? '')
  await agent.whenIdle()

  const events = session.events.slice(from)
  const reason = lastReason(events)
  // Without a reason it was cancelled before a turn had begun.
  if (!reason) return exitCodeOfSignal(stoppedBy ?? 'SIGINT')
  const code = exitCodeOf(reason, events)
  // Also where stdout is a pipe: at its other end there is often a terminal all the same.
  const answer = stripControls(finalAnswer(events))
  await write(terminal.stdout, answer === '' || answer.endsWith('\n') ? answer : `${answer}\n`)
  await write(terminal.stderr, renderEnding(reason, code, countRefusals(events)))
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

function renderEnding(reason: TurnEndReason, code: ExitCode, refusals: number): string {
  const end = describeEnd(reason)
  const lines = end === undefined ? [] : [`dsh: ${end}`]
  if (refusals > 0) lines.push(`dsh: ${plural(refusals, 'call')} needed a permission that nobody could give; allow with --permission auto`)
  if (code === EXIT.retry) lines.push('dsh: the same command may succeed later')
  return lines.map(line => `${stripControls(line)}\n`).join('')
}
