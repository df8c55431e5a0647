/** What the formats of a script's run have in common. Types only. */

import type { Answerer } from '@deepseek-ai/dsh-approval'
import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'
import type { Line } from '@deepseek-ai/dsh-json-lines'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { SessionEvent, TurnEndReason } from '@deepseek-ai/dsh-session'

/** What is known of a run when its session is open. */
export interface RunFacts {
  sessionId: string
  cwd: string
  model: string | undefined
  tools: string[]
  /** The permission mode. */
  mode: string | undefined
  /** Of the program. */
  version: string
}

/** Something that is wrong and stops nothing. */
export interface Complaint {
  code: string
  message: string
  /** The line of the input that it is about, from 1. */
  line?: number
}

/** A call that was refused. */
export interface Refusal {
  callId: string
  tool: string
  arguments: JsonObject
  code: string
}

/** How a run, or a turn of it, came out. */
export type Subtype =
  | 'success'
  | 'cancelled'
  | 'error_during_execution'
  | 'error_max_output_tokens'
  | 'error_max_steps'
  | 'error_max_turns'
  | 'error_max_tokens'
  | 'error_max_budget'
  | 'error_timeout'
  | 'error_provider'
  | 'error_schema'
  | 'error_output'
  | 'error_background'
  | 'error_session'
  | 'error_usage'

/** What a result line says, whatever the format. */
export interface Outcome {
  subtype: Subtype
  isError: boolean
  /** In words; absent for a success. */
  error?: { code: string; message: string }
  /** The final answer. */
  answer: string
  structured?: JsonValue
  /** Why the last turn ended; undefined when there was none. */
  reason: TurnEndReason | undefined
  tally: Tally
  durationMs: number
  exitCode: number
}

/** What a run, or a turn of it, used up. */
export interface Tally {
  turns: number
  steps: number
  usage: UsageSum
  byModel: Readonly<Record<string, UsageSum>>
  /** Undefined where a price is unknown, or prices are in more than one currency. */
  cost: { amount: number; currency: string } | undefined
  refusals: readonly Refusal[]
  /** Time that requests took. */
  requestMs: number
  /** Why the last answer of the model ended: `stop`, `max-tokens`, … */
  finish: string | undefined
}

export interface UsageSum {
  input: number
  output: number
  cacheRead: number
  cacheWrite: number
  reasoning: number
}

/** Makes lines of what happens; one instance for one run, fed in order. */
export interface LineFormat {
  begin(facts: RunFacts): Line[]
  event(event: SessionEvent): Line[]
  /** Undefined where the format has no place for it: then it goes to stderr. */
  complaint(complaint: Complaint): Line | undefined
  result(outcome: Outcome): Line
  /** Whether each turn of the input has a result of its own. */
  readonly resultPerTurn: boolean
}

/** What the lines of the input act upon. */
export interface ScriptHost {
  /** Input for the next turn. */
  send(content: ContentBlock[]): void
  /** Input for the next step of the open turn. */
  steer(content: ContentBlock[]): void
  cancel(reason: string): void
  /** Without a name: the model that the run began with. */
  setModel(name: string | undefined): void
  models(): string[]
  /** Throws for a mode that there is not. */
  setMode(name: string): void
  write(line: Line): void
}

/** Reads lines of the input and answers for the human; one instance for one run. */
export interface InputProtocol {
  /** Acts upon one line. Throws `InputError` for one that means nothing. */
  take(line: JsonObject, host: ScriptHost): void
  /** Puts the questions of the run to the script. */
  answerer(host: Pick<ScriptHost, 'write'>): Answerer
  /** No more answers will come: what is open, and all that is asked later, is answered by nobody. */
  end(): void
}
