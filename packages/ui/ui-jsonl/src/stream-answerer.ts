/** Puts questions to a script as `can_use_tool` requests, and reads what it answers. */

import { isDeepStrictEqual } from 'node:util'
import type { Answerer, ApprovalAnswer, ApprovalQuestion, ApprovalScope, Inquiry, InquiryAnswer, UserQuestion } from '@deepseek-ai/dsh-approval'
import type { JsonObject } from '@deepseek-ai/dsh-json'
import { InputError } from './input-error.ts'
import { OpenQuestions, type Question } from './open-questions.ts'
import type { ScriptHost } from './types.ts'

/** How readers of the format know a question to the user. */
const ASK_USER = 'AskUserQuestion'

/** Room for a heading, which our questions do not have. */
const MOST_HEADER = 12

export class StreamAnswerer {
  readonly #questions = new OpenQuestions()

  /** Takes in `{subtype, request_id, response | error}`. Throws `InputError`. */
  take({ subtype, request_id: id, response, error }: JsonObject, host: ScriptHost): void {
    if (typeof id !== 'string') throw new InputError('BAD_LINE', 'a control response has a "request_id"')
    const given = subtype === 'success' ? response : { behavior: 'deny', message: typeof error === 'string' ? error : 'the script failed' }
    this.#questions.answer(id, 'request', given)
    if ((given as JsonObject | null)?.['interrupt'] === true) host.cancel('interrupted by the script')
  }

  over(host: Pick<ScriptHost, 'write'>): Answerer {
    return { approve: (question, signal) => this.#approve(question, host, signal), inquire: (inquiry, signal) => this.#inquire(inquiry, host, signal) }
  }

  end(): void {
    this.#questions.end()
  }

  #approve({ id, callId, tool, arguments: input, reason, remember, scopes }: ApprovalQuestion, host: Pick<ScriptHost, 'write'>, signal: AbortSignal): Promise<ApprovalAnswer> {
    const suggestions = scopes.includes('session') ? [{ type: 'addRules', rules: remember.map(ruleOf), behavior: 'allow', destination: 'session' }] : []
    return this.#ask<ApprovalAnswer>(host, { tool_name: tool, input, permission_suggestions: suggestions, tool_use_id: callId, ...(reason !== undefined && { decision_reason: reason }) }, {
      id,
      kind: 'request',
      read: given => readPermission(given, input, scopes),
      refused: { kind: 'deny', reason: 'the answer was not understood' },
      abandoned: { kind: 'unavailable', reason: 'the input has ended' },
      signal,
    })
  }

  #inquire({ id, callId, questions }: Inquiry, host: Pick<ScriptHost, 'write'>, signal: AbortSignal): Promise<InquiryAnswer> {
    return this.#ask<InquiryAnswer>(host, { tool_name: ASK_USER, input: { questions: questions.map(renderQuestion) }, permission_suggestions: [], tool_use_id: callId }, {
      id,
      kind: 'request',
      read: given => readInquiry(given, questions),
      refused: { kind: 'declined', reason: 'the answer was not understood' },
      abandoned: { kind: 'unavailable', reason: 'the input has ended' },
      signal,
    })
  }

  async #ask<A>(host: Pick<ScriptHost, 'write'>, request: object, question: Question<A>): Promise<A> {
    if (!this.#questions.hasEnded) host.write({ type: 'control_request', request_id: question.id, request: { subtype: 'can_use_tool', ...request } })
    try {
      return await this.#questions.put(question)
    } catch (error) {
      host.write({ type: 'control_cancel_request', request_id: question.id })
      throw error
    }
  }
}

function readPermission(given: unknown, input: JsonObject, scopes: readonly ApprovalScope[]): ApprovalAnswer {
  const { behavior, message, updatedInput, updatedPermissions } = (given ?? {}) as JsonObject
  if (behavior === 'deny') return { kind: 'deny', ...(typeof message === 'string' && message !== '' && { reason: message }) }
  if (behavior !== 'allow') throw new InputError('BAD_ANSWER', '"behavior" has to be "allow" or "deny"; taken as a refusal')
  // What was allowed is another call than the one that was judged: it must neither run, nor the old one in its place.
  if (updatedInput !== undefined && updatedInput !== null && !isDeepStrictEqual(updatedInput, input)) throw new InputError('BAD_ANSWER', 'other arguments than those asked about are not taken ("updatedInput"); taken as a refusal')
  return { kind: 'allow', scope: scopeOf(updatedPermissions, scopes) }
}

/** The widest that the script names and the question offers. */
function scopeOf(updates: unknown, scopes: readonly ApprovalScope[]): ApprovalScope {
  const wanted = (Array.isArray(updates) ? updates : []).flatMap(update => {
    const { type, behavior, destination } = (update ?? {}) as JsonObject
    if (type !== 'addRules' || behavior !== 'allow') return []
    return destination === 'session' ? ['session'] : ['projectSettings', 'localSettings'].includes(String(destination)) ? ['project'] : []
  })
  return (['project', 'session'] as const).find(scope => wanted.includes(scope) && scopes.includes(scope)) ?? 'once'
}

/** `bash(git diff *)` as its name and what stands in brackets. */
function ruleOf(rule: string): object {
  const [, toolName = rule, ruleContent] = /^([\w-]+)\((.*)\)$/s.exec(rule) ?? []
  return { toolName, ...(ruleContent !== undefined && { ruleContent }) }
}

function renderQuestion({ question, options = [], multiple = false }: UserQuestion): object {
  return { question, header: question.slice(0, MOST_HEADER), options: options.map(label => ({ label, description: label })), multiSelect: multiple }
}

function readInquiry(given: unknown, questions: readonly UserQuestion[]): InquiryAnswer {
  const { behavior, message, updatedInput } = (given ?? {}) as JsonObject
  if (behavior !== 'allow') return { kind: 'declined', ...(typeof message === 'string' && message !== '' && { reason: message }) }
  const answers = (updatedInput as JsonObject | undefined)?.['answers']
  if (typeof answers !== 'object' || answers === null) throw new InputError('BAD_ANSWER', '"updatedInput" has no "answers"; taken as a refusal')
  return { kind: 'answered', answers: questions.map(question => readAnswer((answers as JsonObject)[question.question], question)) }
}

/** Several options come as one text, with commas between. */
function readAnswer(answer: unknown, { options = [], multiple = false }: UserQuestion): string[] {
  if (Array.isArray(answer)) return answer.filter(each => typeof each === 'string')
  if (typeof answer !== 'string' || answer === '') return []
  const parts = answer.split(', ')
  return multiple && parts.every(part => options.includes(part)) ? parts : [answer]
}
