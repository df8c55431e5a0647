/** Asks the editor: permission as the protocol has it, questions as forms where it shows them. */

import type { Answerer, ApprovalAnswer, ApprovalQuestion, Inquiry, InquiryAnswer } from '@deepseek-ai/dsh-approval'
import type { Client } from '@deepseek-ai/dsh-acp-client'
import { elicitationForm, permissionOptions, readElicitation, readOutcome } from '@deepseek-ai/dsh-acp-content'
import { describeError } from '@deepseek-ai/dsh-errors'
import { clipEnd } from '@deepseek-ai/dsh-text'
import type { AcpSession } from './acp-session.ts'

export interface ApprovalRoute {
  client: Client
  /** Whether the client shows forms. */
  hasForms(): boolean
  /** The session that shows what an agent does; its own, or the one that it works for. */
  sessionOf(sessionId: string): AcpSession | undefined
}

export function answerInEditor({ client, hasForms, sessionOf }: ApprovalRoute): Answerer {
  const inquireNow: NonNullable<Answerer['inquire']> = async (inquiry, signal) => {
    const session = sessionOf(inquiry.agent.session.id)
    return session ? await inquire(client, session, inquiry, signal) : { kind: 'unavailable' }
  }
  return {
    async approve(question, signal) {
      const session = sessionOf(question.agent.session.id)
      return session ? await approve(client, session, question, signal) : { kind: 'unavailable' }
    },
    // Which client it is becomes known later than this is set.
    get inquire() {
      return hasForms() ? inquireNow : undefined
    },
  }
}

async function approve(client: Client, session: AcpSession, question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
  const { tool, callId, reason, scopes, remember, arguments: args } = question
  const rule = [tool, ...remember].join('\n')
  if (remember.length > 0 && session.refused.has(rule)) return { kind: 'deny', reason: 'the user refuses this for the rest of the session' }
  const call = session.updates.describe(callId, tool, args)
  const why = reason === undefined ? [] : [{ type: 'content' as const, content: { type: 'text' as const, text: clipEnd(reason, 2000) } }]
  const options = permissionOptions(scopes, remember)
  const toolCall = { ...call, content: [...why, ...(call.content ?? [])] }
  try {
    const response = await client.request('session/request_permission', { sessionId: session.id, toolCall, options }, signal)
    const { answer, refusesAlways } = readOutcome(response, options)
    if (refusesAlways) session.refused.add(rule)
    return answer
  } catch (error) {
    if (signal.aborted) throw signal.reason
    return { kind: 'deny', reason: `the editor could not ask: ${describeError(error)}` }
  }
}

async function inquire(client: Client, session: AcpSession, { callId, questions }: Inquiry, signal: AbortSignal): Promise<InquiryAnswer> {
  const message = questions.length === 1 ? (questions[0]?.question ?? '') : 'The agent has some questions'
  const response = await client.request('elicitation/create', { mode: 'form', sessionId: session.id, toolCallId: callId, message, requestedSchema: elicitationForm(questions) }, signal)
  return readElicitation(response, questions)
}
