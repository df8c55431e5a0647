/** What a run, or a turn of it, came to: the result line in every format and the exit code say this. Pure. */

import { describeError, isHarnessError } from '@deepseek-ai/dsh-errors'
import { describeEnd, EXIT, exitCodeOf, exitCodeOfError, exitCodeOfSignal, finalAnswer, TOO_MANY_TURNS, writeLastMessage, type Interrupt } from '@deepseek-ai/dsh-front-door'
import type { CheckedAnswer } from '@deepseek-ai/dsh-front-door/structured-answer'
import type { SessionEvent, TurnEndReason, TurnLimit } from '@deepseek-ai/dsh-session'
import { EventTally } from './tally-events.ts'
import type { Outcome, Subtype, Tally } from './types.ts'

/** What an outcome is made of. */
export interface OutcomeParts {
  reason: TurnEndReason
  /** The events of the run, or of the turn. */
  events: readonly SessionEvent[]
  tally: Tally
  durationMs: number
  /** Something outside every step failed: what was done may not be stored. */
  failure?: Error | undefined
  /** With `--json-schema`. */
  check?: ((answer: string) => CheckedAnswer) | undefined
}

const OF_LIMIT: Readonly<Record<TurnLimit, Subtype>> = { steps: 'error_max_steps', tokens: 'error_max_tokens', cost: 'error_max_budget', deadline: 'error_timeout' }

/** After one turn or more; `reason` is that of the last. */
export function outcomeOfTurns({ reason, events, tally, durationMs, check, failure }: OutcomeParts): Outcome {
  const exitCode = exitCodeOf(reason, events)
  const answer = finalAnswer(events.slice(events.findLastIndex(isPrompted)))
  const base = { answer, reason, tally, durationMs }
  if (reason.kind === 'aborted' && reason.reason === TOO_MANY_TURNS) return { ...base, subtype: 'error_max_turns', isError: true, error: { code: 'MAX_TURNS', message: TOO_MANY_TURNS }, exitCode: EXIT.budget }
  if (reason.kind !== 'completed') {
    const code = reason.kind === 'error' ? (reason.code ?? 'UNKNOWN') : reason.kind === 'limit' ? `LIMIT_${reason.which.toUpperCase()}` : reason.kind.toUpperCase().replaceAll('-', '_')
    return { ...base, subtype: subtypeOf(reason, exitCode), isError: true, error: { code, message: describeEnd(reason) ?? reason.kind }, exitCode }
  }
  if (failure) return { ...base, subtype: 'error_during_execution', isError: true, error: { code: codeOf(failure), message: describeError(failure) }, exitCode: EXIT.error }
  const checked = check?.(answer)
  if (checked?.kind === 'invalid') {
    return { ...base, subtype: 'error_schema', isError: true, error: { code: 'SCHEMA', message: `the answer is not what the JSON Schema asks for: ${checked.errors.join('; ')}` }, exitCode: EXIT.error }
  }
  if (checked) return { ...base, subtype: 'success', isError: false, answer: JSON.stringify(checked.value), structured: checked.value, exitCode }
  return { ...base, subtype: 'success', isError: false, exitCode }
}

/** When there was no turn: input was cancelled before it began, or there was none. */
export function outcomeWithout({ stoppedBy, hadInput, tally, durationMs }: { stoppedBy: Interrupt | undefined; hadInput: boolean; tally: Tally; durationMs: number }): Outcome {
  if (stoppedBy !== undefined) return outcomeOfSignal(stoppedBy, durationMs)
  const base = { isError: true, answer: '', reason: undefined, tally, durationMs }
  if (hadInput) return { ...base, subtype: 'cancelled', error: { code: 'ABORTED', message: 'cancelled before the turn began' }, exitCode: EXIT.interrupted }
  return { ...base, subtype: 'error_usage', error: { code: 'USAGE', message: 'there was no message in the input' }, exitCode: EXIT.usage }
}

/** Writes the answer into the user's file too; a failure of that is the outcome. A failed run without an answer leaves the file as it is. */
export function withLastMessage(outcome: Outcome, file: string): Outcome {
  if (outcome.isError && outcome.answer === '') return outcome
  try {
    writeLastMessage(file, outcome.answer)
    return outcome
  } catch (error) {
    const message = describeError(error)
    return { ...outcome, isError: true, ...(!outcome.isError && { subtype: 'error_output', error: { code: codeOf(error), message } }), exitCode: outcome.exitCode === EXIT.completed ? EXIT.error : outcome.exitCode }
  }
}

/** A run that ends what it had left in the background has not done all of its work. */
export function withUnfinished(outcome: Outcome, unfinished: string | undefined): Outcome {
  if (unfinished === undefined || outcome.isError) return outcome
  return { ...outcome, isError: true, subtype: 'error_background', error: { code: 'BACKGROUND_UNFINISHED', message: unfinished }, exitCode: outcome.exitCode === EXIT.completed ? EXIT.error : outcome.exitCode }
}

/** When a run never came to a turn. */
export function outcomeOfFailure(error: unknown, message: string, durationMs = 0): Outcome {
  const exitCode = exitCodeOfError(error)
  const subtype = exitCode === EXIT.usage ? 'error_usage' : exitCode === EXIT.noSession ? 'error_session' : 'error_during_execution'
  return { subtype, isError: true, error: { code: codeOf(error), message }, answer: '', reason: undefined, tally: new EventTally(), durationMs, exitCode }
}

/** When a signal came before there was a turn. */
export function outcomeOfSignal(signal: Interrupt, durationMs = 0): Outcome {
  return { subtype: 'cancelled', isError: true, error: { code: 'ABORTED', message: `stopped by ${signal}` }, answer: '', reason: undefined, tally: new EventTally(), durationMs, exitCode: exitCodeOfSignal(signal) }
}

function subtypeOf(reason: TurnEndReason, exitCode: number): Subtype {
  switch (reason.kind) {
    case 'aborted':
      return 'cancelled'
    case 'max-tokens':
      return 'error_max_output_tokens'
    case 'limit':
      return OF_LIMIT[reason.which]
    default:
      return exitCode === EXIT.retry ? 'error_provider' : 'error_during_execution'
  }
}

function isPrompted({ type, data }: SessionEvent): boolean {
  return type === 'turn/start' && data.trigger.kind === 'message'
}

function codeOf(error: unknown): string {
  return isHarnessError(error) ? error.code : 'UNKNOWN'
}
