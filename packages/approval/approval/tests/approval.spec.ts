import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { deferred, eventsOf, hang, harness, type Harness } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import { ApprovalService, type ApprovalAnswer, type ApprovalQuestion, type ApprovalRequest } from '../src/index.ts'
import { foldAnswers } from '../src/fold-answers.ts'

const NEVER = new AbortController().signal
const ONCE: ApprovalAnswer = { kind: 'allow', scope: 'once' }
const ALWAYS: ApprovalAnswer = { kind: 'allow', scope: 'session' }

function request(agent: Agent, more: Partial<ApprovalRequest> = {}): ApprovalRequest {
  return { agent, callId: 'call-1', tool: 'bash', arguments: { command: 'ls' }, rememberable: true, ...more }
}

/** An agent in the middle of a turn, as every question is asked; the model says nothing. */
async function inTurn(): Promise<Harness> {
  const h = await harness({ model: [hang(), hang()], plugins: [ApprovalService] })
  await begin(h.agent, h)
  return h
}

async function begin(agent: Agent, { script }: Harness): Promise<Agent> {
  const before = script.requests.length
  agent.send('go')
  while (script.requests.length === before) await tick()
  return agent
}

/** A front door whose answers the test gives by hand. */
function answering({ ctx }: Harness) {
  const open: { question: ApprovalQuestion; signal: AbortSignal; answer(answer: ApprovalAnswer): void; fail(error: Error): void }[] = []
  const fiber = ctx.plugin({
    name: 'front-door',
    inject: ['approval'],
    apply: (inner: Context) => void inner.approval.setAnswerer((question, signal) => {
      const { promise, resolve, reject } = deferred<ApprovalAnswer>()
      open.push({ question, signal, answer: resolve, fail: reject })
      return promise
    }),
  })
  return { open, fiber }
}

const tick = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

describe('a question', () => {
  it('reaches the front door whole, and is in the log with its answer', async () => {
    await using h = await inTurn()
    const { open, fiber } = answering(h)
    await fiber

    const asked = h.ctx.approval.ask(request(h.agent, { reason: 'it writes' }), NEVER)
    await tick()
    expect(open[0]?.question).toEqual({ ...request(h.agent, { reason: 'it writes' }), id: 'call-1#1' })
    expect(eventsOf(h, 'approval/decided')).toEqual([])
    open[0]?.answer({ kind: 'deny', reason: 'not now' })

    expect(await asked).toEqual({ kind: 'deny', reason: 'not now' })
    expect(eventsOf(h, 'approval/asked', 'approval/decided').map(({ data }) => data)).toEqual([
      { id: 'call-1#1', callId: 'call-1', tool: 'bash', arguments: { command: 'ls' }, reason: 'it writes' },
      { id: 'call-1#1', answer: { kind: 'deny', reason: 'not now' } },
    ])
  })

  it('waits for the one before it in the same session, and not for one in another', async () => {
    await using h = await inTurn()
    const { open, fiber } = answering(h)
    await fiber
    const other = await begin(h.create().agent, h)

    const asked = [h.agent, h.agent, other].map((agent, i) => h.ctx.approval.ask(request(agent, { callId: `call-${i}` }), NEVER))
    await tick()
    expect(open.map(({ question }) => question.callId)).toEqual(['call-0', 'call-2'])
    open[0]?.answer(ONCE)
    await asked[0]
    await tick()
    expect(open.map(({ question }) => question.callId)).toEqual(['call-0', 'call-2', 'call-1'])
    open[1]?.answer(ONCE)
    open[2]?.answer({ kind: 'deny' })

    expect(await Promise.all(asked)).toEqual([ONCE, { kind: 'deny' }, ONCE])
  })

  it('comes up after one that failed or was given up', async () => {
    await using h = await inTurn()
    const { open, fiber } = answering(h)
    await fiber
    const stop = new AbortController()

    const first = h.ctx.approval.ask(request(h.agent), stop.signal)
    const second = h.ctx.approval.ask(request(h.agent), NEVER)
    await tick()
    stop.abort(new Error('stopped'))
    await expect(first).rejects.toThrow('stopped')
    await tick()
    open[1]?.answer(ONCE)

    expect(await second).toEqual(ONCE)
    expect(open[0]?.signal.aborted).toBe(true)
    expect(eventsOf(h, 'approval/decided').map(({ data }) => data.answer)).toEqual([{ kind: 'unavailable' }, ONCE])
  })

  it('that is given up while it waits for its turn is never put', async () => {
    await using h = await inTurn()
    const { open, fiber } = answering(h)
    await fiber
    const stop = new AbortController()

    const first = h.ctx.approval.ask(request(h.agent), NEVER)
    const second = h.ctx.approval.ask(request(h.agent), stop.signal)
    const third = h.ctx.approval.ask(request(h.agent, { callId: 'call-3' }), NEVER)
    await tick()
    stop.abort(new Error('stopped'))
    await expect(second).rejects.toThrow('stopped')
    await tick()
    expect(open).toHaveLength(1)
    open[0]?.answer(ONCE)
    await first
    await tick()
    open[1]?.answer(ONCE)

    expect(await third).toEqual(ONCE)
    expect(eventsOf(h, 'approval/asked').map(({ data }) => data.callId)).toEqual(['call-1', 'call-3'])
  })

  it('is not put when its signal is aborted already', async () => {
    await using h = await inTurn()
    await expect(h.ctx.approval.ask(request(h.agent), AbortSignal.abort(new Error('too late')))).rejects.toThrow('too late')
    expect(eventsOf(h, 'approval/asked', 'approval/decided')).toEqual([])
  })
})

describe('without anybody who answers', () => {
  it('a question is unavailable, and stands in the log', async () => {
    await using h = await inTurn()

    expect(await h.ctx.approval.ask(request(h.agent), NEVER)).toEqual({ kind: 'unavailable' })
    expect(eventsOf(h, 'approval/decided').map(({ data }) => data)).toEqual([{ id: 'call-1#1', answer: { kind: 'unavailable' } }])
  })

  it('a question is unavailable when the front door fails, and that is told', async () => {
    await using h = await inTurn()
    const { open, fiber } = answering(h)
    await fiber
    const asked = h.ctx.approval.ask(request(h.agent), NEVER)
    await tick()
    open[0]?.fail(new Error('the terminal is gone'))

    expect(await asked).toEqual({ kind: 'unavailable' })
    expect(h.log).toEqual([{ type: 'error', text: 'nobody could be asked about bash: the terminal is gone' }])
  })

  it('an open question is unavailable as soon as the front door is unloaded, and another front door may come', async () => {
    await using h = await inTurn()
    const first = answering(h)
    await first.fiber
    expect(() => h.ctx.approval.setAnswerer(async () => ONCE)).toThrow(expect.objectContaining({ code: 'DUPLICATE_ANSWERER' }))
    const asked = h.ctx.approval.ask(request(h.agent), NEVER)
    await tick()
    await first.fiber.dispose()
    expect(await asked).toEqual({ kind: 'unavailable' })

    const second = answering(h)
    await second.fiber
    const again = h.ctx.approval.ask(request(h.agent), NEVER)
    await tick()
    second.open[0]?.answer(ONCE)
    expect(await again).toEqual(ONCE)
    expect(h.log).toEqual([])
  })
})

describe('an answer for the whole session', () => {
  it('holds for further calls of the same tool in the same session, without a question', async () => {
    await using h = await inTurn()
    const { open, fiber } = answering(h)
    await fiber
    const other = await begin(h.create().agent, h)
    const first = h.ctx.approval.ask(request(h.agent), NEVER)
    await tick()
    open[0]?.answer(ALWAYS)
    await first

    expect(await h.ctx.approval.ask(request(h.agent, { callId: 'call-2' }), NEVER)).toEqual(ALWAYS)
    const rest = [request(h.agent, { tool: 'write' }), request(other)].map(each => h.ctx.approval.ask(each, NEVER))
    await tick()
    expect(open.slice(1).map(({ question }) => [question.tool, question.agent.id])).toEqual([['write', h.agent.id], ['bash', other.id]])
    for (const { answer } of open) answer(ONCE)
    await Promise.all(rest)
  })

  it('holds only once where it must not be remembered, and does not answer for such a call', async () => {
    await using h = await inTurn()
    const { open, fiber } = answering(h)
    await fiber
    const answers: ApprovalAnswer[] = []
    for (const rememberable of [false, true, false]) {
      const asked = h.ctx.approval.ask(request(h.agent, { rememberable }), NEVER)
      await tick()
      open.at(-1)?.answer(ALWAYS)
      answers.push(await asked)
    }

    expect(answers).toEqual([ONCE, ALWAYS, ONCE])
    expect(open).toHaveLength(3)
  })

  it('is a fold of the log: a session that begins with it needs no question', async () => {
    await using h = await inTurn()
    const { open, fiber } = answering(h)
    await fiber
    const asked = h.ctx.approval.ask(request(h.agent), NEVER)
    await tick()
    open[0]?.answer(ALWAYS)
    await asked
    const seeded = await begin(h.create({ seed: h.session.events }).agent, h)

    expect(foldAnswers(h.session.events)).toEqual({ asked: 1, allowed: new Set(['bash']) })
    expect(await h.ctx.approval.ask(request(seeded), NEVER)).toEqual(ALWAYS)
  })
})
