/** The vocabulary of permissions: questions and answers, modes, and what a policy says. Types only. */

import type { Agent } from '@deepseek-ai/dsh-agent'
import type { JsonObject } from '@deepseek-ai/dsh-json'
import type { CallId } from '@deepseek-ai/dsh-llm'
import type { Session } from '@deepseek-ai/dsh-session'
import type { ToolKind } from '@deepseek-ai/dsh-tools'

/** How long an allowance holds: this call, until the turn ends, in this session, in every session of this project. */
export type ApprovalScope = 'once' | 'turn' | 'session' | 'project'

/** What a human is asked to allow: the exact call, never a paraphrase of it. */
export interface ApprovalRequest {
  agent: Agent
  callId: CallId
  tool: string
  arguments: JsonObject
  /** Why it needs asking. */
  reason?: string
  /** The rules that an allowance beyond this call would add, as they would be written; empty when it must not outlive the call, and then only `once` is offered. */
  remember: readonly string[]
  /** How a command line was understood, part by part. */
  parts?: readonly JudgedPart[]
  /** Called when the question's turn comes: an answer to an earlier one may have settled it. */
  settled?(): Promise<ApprovalAnswer | undefined>
}

/** A request with the id under which it is answered. */
export interface ApprovalQuestion extends Omit<ApprovalRequest, 'settled'> {
  id: string
  /** What may be answered, narrowest first. */
  scopes: readonly ApprovalScope[]
}

/** `reason` of a refusal is for the model; of `unavailable`, why nobody answered. */
export type ApprovalAnswer = { kind: 'allow'; scope: ApprovalScope } | { kind: 'deny'; reason?: string } | { kind: 'unavailable'; reason?: string }

/** One question of `ask_user`. */
export interface UserQuestion {
  question: string
  /** What to choose from; words of one's own are possible too. */
  options?: string[]
  /** Whether more than one option may be chosen. */
  multiple?: boolean
}

/** Questions that a model puts to the user. */
export interface InquiryRequest {
  agent: Agent
  callId: CallId
  questions: readonly UserQuestion[]
}

/** An inquiry with the id under which it is answered. */
export interface Inquiry extends InquiryRequest {
  id: string
}

/** `answers`: for each question in order, the options chosen or the user's own words; an empty list where one was left open. */
export type InquiryAnswer = { kind: 'answered'; answers: string[][] } | { kind: 'declined'; reason?: string } | { kind: 'unavailable'; reason?: string }

/** The human behind a front door. Each method must settle when its signal is aborted; a rejection counts as `unavailable`. */
export interface Answerer {
  approve(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer>
  /** Absent where there is no way to put questions. */
  inquire?(inquiry: Inquiry, signal: AbortSignal): Promise<InquiryAnswer>
}

/** A way to treat what no rule decides. */
export interface PermissionMode {
  name: string
  /** A few words for a list. */
  description: string
  /** The mode of the policy whose verdicts apply; absent for the policy's own. */
  base?: string
}

export type Verdict = 'allow' | 'ask' | 'deny'

/** The answer by which a rule came to hold, and with which it can be taken back (`ctx.approval.revoke`). */
export interface Allowance {
  scope: Exclude<ApprovalScope, 'once'>
  /** When it was given, in milliseconds since 1970, where that is known. */
  time?: number
  /** The tool that was asked about, where that is known. */
  tool?: string
  /** The session that it was given in, of what may come from another one. */
  session?: string
}

/** A rule that an answer left in a session. */
export interface RememberedRule extends Allowance {
  rule: string
}

/** A rule, and where it stands: `file:line`, or in words. */
export interface RuleReference {
  action: Verdict
  /** As it is written: `bash(git diff *)`. */
  text: string
  source: string
  /** Why it can never hold, where that is so. */
  idle?: string
  /** Of one that an answer left. */
  allowed?: Allowance
}

/** One command of a line, and what is said of it. */
export interface JudgedPart {
  /** As it stands in the line. */
  text: string
  verdict: Verdict
  reason: string
  rule?: RuleReference
}

/** What a policy says of a call. */
export interface Judgement {
  verdict: Verdict
  reason: string
  /** The rule that decided. */
  rule?: RuleReference
  /** Of a command line: its commands. */
  parts?: readonly JudgedPart[]
  /** What to remember when it is allowed for longer; empty when it must be asked each time. */
  remember: readonly string[]
}

/** A call that may never be made. */
export interface PolicyCall {
  tool: string
  kind?: ToolKind
  arguments: JsonObject
  /** Absolute: where relative paths start. */
  cwd: string
  /** Whose remembered answers count, and whose mode; without it those of a new session. */
  session?: Session
  /** In place of the session's mode. */
  mode?: string
}

/** Decides about calls; the implementation's part. */
export interface PermissionPolicy {
  /** The mode of a session that says nothing else. */
  readonly defaultMode: string
  judge(call: PolicyCall, signal: AbortSignal): Promise<Judgement>
  /** Every rule in force in a directory, in the order in which they are tried. */
  rules(cwd: string, session: Session | undefined, signal: AbortSignal): Promise<readonly RuleReference[]>
  /**
   * Takes a rule out of what is kept for the project in a directory; false when it is not there.
   * Rejects when it cannot, and then it still holds. Absent where nothing is kept beside sessions.
   */
  forget?(cwd: string, rule: string, signal: AbortSignal): Promise<boolean>
}
