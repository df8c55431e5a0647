import { eventsOf } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import type { InquiryAnswer, UserQuestion } from '../src/index.ts'
import { answering, inTurn, NEVER, request, tick } from './front-door.ts'

const QUESTIONS: UserQuestion[] = [{ question: 'Which one?', options: ['a', 'b'] }, { question: 'And why?' }]
const ANSWER: InquiryAnswer = { kind: 'answered', answers: [['a'], []] }

describe('questions of the model', () => {
  it('reach the front door, and stand in the log with their answers', async () => {
    await using h = await inTurn()
    const { inquiries, fiber } = answering(h)
    await fiber

    const asked = h.ctx.approval.inquire({ agent: h.agent, callId: 'call-1', questions: QUESTIONS }, NEVER)
    await tick()
    expect(inquiries[0]?.question).toEqual({ agent: h.agent, callId: 'call-1', questions: QUESTIONS, id: 'call-1#1' })
    inquiries[0]?.answer(ANSWER)

    expect(await asked).toEqual(ANSWER)
    expect(eventsOf(h, 'approval/inquired', 'approval/answered').map(({ data }) => data)).toEqual([
      { id: 'call-1#1', callId: 'call-1', questions: QUESTIONS },
      { id: 'call-1#1', answer: ANSWER },
    ])
  })

  it('wait in one queue with approvals, and are counted with them', async () => {
    await using h = await inTurn()
    const { open, inquiries, fiber } = answering(h)
    await fiber

    const inquired = h.ctx.approval.inquire({ agent: h.agent, callId: 'call-1', questions: QUESTIONS }, NEVER)
    const asked = h.ctx.approval.ask(request(h.agent, { callId: 'call-2' }), NEVER)
    await tick()
    expect([inquiries.length, open.length]).toEqual([1, 0])
    inquiries[0]?.answer(ANSWER)
    await inquired
    await tick()
    expect(open[0]?.question.id).toBe('call-2#2')
    open[0]?.answer({ kind: 'deny' })

    expect(await asked).toEqual({ kind: 'deny' })
  })

  it('are unavailable at once where nobody answers, or approvals only', async () => {
    await using h = await inTurn()
    const inquire = () => h.ctx.approval.inquire({ agent: h.agent, callId: 'call-1', questions: QUESTIONS }, NEVER)
    expect(await inquire()).toEqual({ kind: 'unavailable' })

    const remove = h.ctx.approval.setAnswerer({ approve: async () => ({ kind: 'deny' }) })
    expect([h.ctx.approval.hasAnswerer, h.ctx.approval.canInquire]).toEqual([true, false])
    expect(await inquire()).toEqual({ kind: 'unavailable' })
    remove()

    expect(eventsOf(h, 'approval/answered').map(({ data }) => data)).toEqual([
      { id: 'call-1#1', answer: { kind: 'unavailable' } },
      { id: 'call-1#2', answer: { kind: 'unavailable' } },
    ])
  })

  it('are given up with their signal, and when the time is over', async () => {
    await using h = await inTurn({ timeoutMs: 40 })
    const { inquiries, fiber } = answering(h)
    await fiber
    const stop = new AbortController()

    const first = h.ctx.approval.inquire({ agent: h.agent, callId: 'call-1', questions: QUESTIONS }, stop.signal)
    await tick()
    stop.abort(new Error('stopped'))
    await expect(first).rejects.toThrow('stopped')
    const second = await h.ctx.approval.inquire({ agent: h.agent, callId: 'call-2', questions: QUESTIONS }, NEVER)

    expect(second).toEqual({ kind: 'unavailable', reason: 'nobody answered within 0.04 s' })
    expect(inquiries.map(({ signal }) => signal.aborted)).toEqual([true, true])
  })
})
