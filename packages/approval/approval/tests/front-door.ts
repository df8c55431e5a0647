/** What the specs of approvals share: an agent in the middle of a turn, and a front door whose answers the test gives by hand. */

import type { Context, Plugin } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { deferred, hang, harness, type Harness } from '@deepseek-ai/dsh-testkit'
import { ApprovalService, type ApprovalAnswer, type ApprovalConfig, type ApprovalQuestion, type ApprovalRequest, type Inquiry, type InquiryAnswer } from '../src/index.ts'

export const NEVER = new AbortController().signal

export const tick = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

export function request(agent: Agent, more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return { agent, callId: 'call-1', tool: 'bash', arguments: { command: 'ls' }, remember: ['bash(ls)'], ...more }
}

/** As every question is asked; the model says nothing. */
export async function inTurn(config: Partial<ApprovalConfig> = {}): Promise<Harness> {
  const h = await harness({ model: Array.from({ length: 6 }, () => hang()), plugins: [[ApprovalService as Plugin, config]] })
  await begin(h.agent, h)
  return h
}

/** Starts a turn of `agent`, and resolves when its model is asked. */
export async function begin(agent: Agent, { script }: Harness): Promise<Agent> {
  const before = script.requests.length
  agent.send('go')
  while (script.requests.length === before) await tick()
  return agent
}

interface Open<Q, A> {
  question: Q
  signal: AbortSignal
  answer(answer: A): void
  fail(error: Error): void
}

/** Approvals and inquiries in the order in which they were put. */
export function answering({ ctx }: Harness) {
  const open: Open<ApprovalQuestion, ApprovalAnswer>[] = []
  const inquiries: Open<Inquiry, InquiryAnswer>[] = []
  const put = <Q, A>(list: Open<Q, A>[], question: Q, signal: AbortSignal): Promise<A> => {
    const { promise, resolve, reject } = deferred<A>()
    list.push({ question, signal, answer: resolve, fail: reject })
    return promise
  }
  const fiber = ctx.plugin({
    name: 'front-door',
    inject: ['approval'],
    apply: (inner: Context) => void inner.approval.setAnswerer({
      approve: (question, signal) => put(open, question, signal),
      inquire: (inquiry, signal) => put(inquiries, inquiry, signal),
    }),
  })
  return { open, inquiries, fiber }
}

/** Asks, answers at once, and resolves with what the asker got. */
export async function askAndAnswer({ ctx }: Harness, { open }: ReturnType<typeof answering>, asked: ApprovalRequest, answer: ApprovalAnswer): Promise<ApprovalAnswer> {
  const before = open.length
  const outcome = ctx.approval.ask(asked, NEVER)
  while (open.length === before) await tick()
  open.at(-1)?.answer(answer)
  return await outcome
}
