/**
 * The input of the native format.
 *
 *     {"type":"user", "text": … | "content": [blocks]}                       for the next turn
 *     {"type":"steer", "text": … | "content": [blocks]}                      for the next step
 *     {"type":"cancel"}                                                      stops the turn
 *     {"type":"approval", "id", "decision": "allow"|"deny", "scope"?, "reason"?}
 *     {"type":"answer", "id", "answers": [["…"], …]} or {…, "declined": true, "reason"?}
 *     {"type":"set", "model"?, "permission"?}
 */

import type { Answerer, ApprovalAnswer, ApprovalQuestion, ApprovalScope, Inquiry, InquiryAnswer } from '@deepseek-ai/dsh-approval'
import type { JsonObject } from '@deepseek-ai/dsh-json'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import { InputError } from './input-error.ts'
import { OpenQuestions } from './open-questions.ts'
import { readBlocks } from './read-blocks.ts'
import type { InputProtocol, ScriptHost } from './types.ts'

const KNOWN = 'user, steer, cancel, approval, answer, set'

export class NativeInput implements InputProtocol {
  readonly #questions = new OpenQuestions()

  take(line: JsonObject, host: ScriptHost): void {
    switch (line['type']) {
      case 'user':
        return host.send(contentOf(line))
      case 'steer':
        return host.steer(contentOf(line))
      case 'cancel':
        return host.cancel('cancelled by the script')
      case 'approval':
        return this.#questions.answer(idOf(line), 'approval', line)
      case 'answer':
        return this.#questions.answer(idOf(line), 'inquiry', line)
      case 'set':
        return set(line, host)
      default:
        throw new InputError('BAD_LINE', `"type" has to be one of ${KNOWN}`)
    }
  }

  answerer(host: Pick<ScriptHost, 'write'>): Answerer {
    return {
      approve: (question, signal) => this.#approve(question, host, signal),
      inquire: (inquiry, signal) => this.#inquire(inquiry, host, signal),
    }
  }

  end(): void {
    this.#questions.end()
  }

  #approve({ agent, id, tool, arguments: args, reason, remember, scopes, parts }: ApprovalQuestion, host: Pick<ScriptHost, 'write'>, signal: AbortSignal): Promise<ApprovalAnswer> {
    if (!this.#questions.hasEnded) {
      host.write({ type: 'approval_request', id, tool, arguments: args, ...(reason !== undefined && { reason }), remember, scopes, ...(parts && { parts }), session_id: agent.session.id })
    }
    return this.#questions.put<ApprovalAnswer>({
      id,
      kind: 'approval',
      read: given => readDecision(given as JsonObject, scopes),
      refused: { kind: 'deny', reason: 'the answer was not understood' },
      abandoned: { kind: 'unavailable', reason: 'the input has ended' },
      signal,
    })
  }

  #inquire({ agent, id, questions }: Inquiry, host: Pick<ScriptHost, 'write'>, signal: AbortSignal): Promise<InquiryAnswer> {
    if (!this.#questions.hasEnded) host.write({ type: 'inquiry_request', id, questions, session_id: agent.session.id })
    return this.#questions.put<InquiryAnswer>({
      id,
      kind: 'inquiry',
      read: given => readAnswers(given as JsonObject, questions.length),
      refused: { kind: 'declined', reason: 'the answer was not understood' },
      abandoned: { kind: 'unavailable', reason: 'the input has ended' },
      signal,
    })
  }
}

function contentOf({ text, content }: JsonObject): ContentBlock[] {
  if (text !== undefined && content !== undefined) throw new InputError('BAD_LINE', 'a message has either "text" or "content"')
  return readBlocks(text ?? content)
}

function idOf({ id }: JsonObject): string {
  if (typeof id === 'string') return id
  throw new InputError('BAD_LINE', '"id" has to be the text that the question came with')
}

function set({ model, permission }: JsonObject, host: ScriptHost): void {
  if (model === undefined && permission === undefined) throw new InputError('BAD_LINE', '"set" sets "model" or "permission"')
  if (![model, permission].every(value => value === undefined || (typeof value === 'string' && value !== ''))) throw new InputError('BAD_LINE', '"model" and "permission" are names')
  if (typeof permission === 'string') host.setMode(permission)
  if (typeof model === 'string') host.setModel(model)
}

function readDecision({ decision, scope, reason }: JsonObject, scopes: readonly ApprovalScope[]): ApprovalAnswer {
  if (reason !== undefined && typeof reason !== 'string') throw refusedAs('"reason" is text')
  if (decision === 'deny') return { kind: 'deny', ...(reason !== undefined && { reason }) }
  if (decision !== 'allow') throw refusedAs('"decision" has to be "allow" or "deny"')
  const wanted = scopes.find(each => each === (scope ?? 'once'))
  if (wanted === undefined) throw refusedAs(`"scope" has to be one of ${scopes.join(', ')}`)
  return { kind: 'allow', scope: wanted }
}

function readAnswers({ answers, declined, reason }: JsonObject, count: number): InquiryAnswer {
  if (declined === true) return { kind: 'declined', ...(typeof reason === 'string' && { reason }) }
  if (!Array.isArray(answers) || answers.length !== count) throw refusedAs(`"answers" has to hold ${count} lists, one for each question`)
  return { kind: 'answered', answers: answers.map(readAnswer) }
}

function readAnswer(answer: unknown): string[] {
  if (typeof answer === 'string') return [answer]
  if (Array.isArray(answer) && answer.every(each => typeof each === 'string')) return answer
  throw refusedAs('each of "answers" is text, or a list of texts')
}

/** Fail closed: what is no clear yes is a no. */
function refusedAs(message: string): InputError {
  return new InputError('BAD_ANSWER', `${message}; taken as a refusal`)
}
