/** The native format: the session, its log as it is, and the result. `schema/lines.schema.json` describes every line. */

import type { Line } from '@deepseek-ai/dsh-json-lines'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { Complaint, LineFormat, Outcome, RunFacts, UsageSum } from './types.ts'

/** Identifies the schema of the lines; another number when a reader of the old lines could not read the new ones. */
export const LINES_SCHEMA = 'urn:deepseek-ai:dsh:lines:1'

export class NativeLines implements LineFormat {
  readonly resultPerTurn = false
  #sessionId: string | null = null

  begin({ sessionId, cwd, model, tools, mode, version }: RunFacts): Line[] {
    this.#sessionId = sessionId
    return [{ type: 'session', schema: LINES_SCHEMA, session_id: sessionId, cwd, model: model ?? null, tools, permission_mode: mode ?? null, version }]
  }

  event(event: SessionEvent): Line[] {
    return [{ ...event, session_id: this.#sessionId }]
  }

  complaint({ code, message, line }: Complaint): Line {
    return { type: 'error', code, message, ...(line !== undefined && { line }), session_id: this.#sessionId }
  }

  result(outcome: Outcome): Line {
    return nativeResult(outcome, this.#sessionId)
  }
}

/** Only the result: `--output-format json`. */
export class ResultOnly implements LineFormat {
  readonly resultPerTurn = false
  #sessionId: string | null = null

  begin({ sessionId }: RunFacts): Line[] {
    this.#sessionId = sessionId
    return []
  }

  event(): Line[] {
    return []
  }

  complaint(): undefined {
    return undefined
  }

  result(outcome: Outcome): Line {
    return nativeResult(outcome, this.#sessionId)
  }
}

function nativeResult({ subtype, isError, error, answer, structured, reason, tally, durationMs, exitCode }: Outcome, sessionId: string | null): Line {
  return {
    type: 'result',
    subtype,
    is_error: isError,
    result: answer,
    ...(structured !== undefined && { structured_output: structured }),
    ...(error && { error }),
    stop_reason: reason?.kind ?? null,
    usage: renderUsage(tally.usage),
    cost: tally.cost ?? null,
    duration_ms: Math.round(durationMs),
    num_turns: tally.turns,
    num_steps: tally.steps,
    permission_denials: tally.refusals.map(({ callId, tool, arguments: args, code }) => ({ call_id: callId, tool, arguments: args, code })),
    exit_code: exitCode,
    session_id: sessionId,
  }
}

function renderUsage({ input, output, cacheRead, cacheWrite, reasoning }: UsageSum): object {
  return { input_tokens: input, output_tokens: output, cache_read_tokens: cacheRead, cache_write_tokens: cacheWrite, reasoning_tokens: reasoning }
}
