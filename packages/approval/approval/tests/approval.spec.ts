import { eventsOf } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import type { ApprovalAnswer, ApprovalScope } from '../src/index.ts'
import { answering, askAndAnswer, begin, inTurn, NEVER, request, tick } from './front-door.ts'

const ONCE: ApprovalAnswer = { kind: 'allow', scope: 'once' }

describe('a question', () => {
  it('reaches the front door whole, and is in the log with its answer', async () => {
    await using h = await inTurn()
    const { open, fiber } = answering(h)
    await fiber
    const parts = [{ text: 'ls', verdict: 'ask' as const, reason: 'no rule' }]

    const asked = h.ctx.approval.ask(request(h.agent, { reason: 'it writes', parts }), NEVER)
    await tick()
    expect(open[0]?.question).toEqual({ ...request(h.agent, { reason: 'it writes', parts }), id: 'call-1#1', scopes: ['once', 'turn', 'session', 'project'] })
    expect(eventsOf(h, 'approval/decided')).toEqual([])
    open[0]?.answer({ kind: 'deny', reason: 'not now' })

    expect(await asked).toEqual({ kind: 'deny', reason: 'not now' })
    expect(eventsOf(h, 'approval/asked', 'approval/decided').map(({ data }) => data)).toEqual([
      { id: 'call-1#1', callId: 'call-1', tool: 'bash', arguments: { command: 'ls' }, reason: 'it writes', remember: ['bash(ls)'] },
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

  it('comes up after one that failed or was given up, whose late answer reaches nobody', async () => {
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
    open[0]?.answer({ kind: 'allow', scope: 'session' })
    await tick()
    open[1]?.answer(ONCE)

    expect(await second).toEqual(ONCE)
    expect(open[0]?.signal.aborted).toBe(true)
    expect(eventsOf(h, 'approval/decided').map(({ data }) => data.answer)).toEqual([{ kind: 'unavailable' }, ONCE])
    expect(h.ctx.approval.remembered(h.session)).toEqual([])
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

  it('that an earlier answer has settled is neither put nor logged', async () => {
    await using h = await inTurn()
    const door = answering(h)
    await door.fiber
    const settled = async (): Promise<ApprovalAnswer | undefined> => (h.ctx.approval.remembered(h.session).includes('bash(ls)') ? { kind: 'allow', scope: 'session' } : undefined)

    const first = askAndAnswer(h, door, request(h.agent, { settled }), { kind: 'allow', scope: 'session' })
    const second = h.ctx.approval.ask(request(h.agent, { callId: 'call-2', settled }), NEVER)

    expect(await Promise.all([first, second])).toEqual([{ kind: 'allow', scope: 'session' }, { kind: 'allow', scope: 'session' }])
    expect(door.open.map(({ question }) => question.callId)).toEqual(['call-1'])
    expect(eventsOf(h, 'approval/asked')).toHaveLength(1)
  })

  it('whose settling fails fails for its own asker only', async () => {
    await using h = await inTurn()
    const door = answering(h)
    await door.fiber

    const first = h.ctx.approval.ask(request(h.agent, { settled: () => Promise.reject(new Error('no rules')) }), NEVER)
    const second = askAndAnswer(h, door, request(h.agent), ONCE)

    await expect(first).rejects.toThrow('no rules')
    expect(await second).toEqual(ONCE)
  })
})

describe('an answer', () => {
  it.each<[ApprovalScope, readonly string[], readonly ApprovalScope[], ApprovalScope]>([
    ['project', ['bash(ls)'], ['once', 'turn', 'session', 'project'], 'project'],
    ['turn', ['bash(ls)'], ['once', 'turn', 'session', 'project'], 'turn'],
    ['session', [], ['once'], 'once'],
    ['turn', [], ['once'], 'once'],
    ['forever' as ApprovalScope, ['bash(ls)'], ['once', 'turn', 'session', 'project'], 'once'],
  ])('of scope %s to a question that remembers %j, which offers %j, reaches as far as %s', async (scope, remember, offered, reached) => {
    await using h = await inTurn()
    const door = answering(h)
    await door.fiber

    expect(await askAndAnswer(h, door, request(h.agent, { remember }), { kind: 'allow', scope })).toEqual({ kind: 'allow', scope: reached })
    expect(door.open[0]?.question.scopes).toEqual(offered)
    expect(eventsOf(h, 'approval/decided').map(({ data }) => data.answer)).toEqual([{ kind: 'allow', scope: reached }])
  })
})

describe('without anybody who answers', () => {
  it('a question is unavailable, and stands in the log', async () => {
    await using h = await inTurn()

    expect(await h.ctx.approval.ask(request(h.agent), NEVER)).toEqual({ kind: 'unavailable' })
    expect([h.ctx.approval.hasAnswerer, h.ctx.approval.canInquire]).toEqual([false, false])
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

  it('a question is put again to the front door that takes the place of one that was unloaded, and only logged once', async () => {
    await using h = await inTurn()
    const first = answering(h)
    await first.fiber
    expect(() => h.ctx.approval.setAnswerer({ approve: async () => ONCE })).toThrow(expect.objectContaining({ code: 'DUPLICATE_ANSWERER' }))
    const other = await begin(h.create().agent, h)
    const open = h.ctx.approval.ask(request(h.agent), NEVER)
    await tick()
    await first.fiber.dispose()
    const between = h.ctx.approval.ask(request(other), NEVER)
    const second = answering(h)
    await second.fiber
    await vi.waitFor(() => expect(second.open).toHaveLength(2))
    expect(first.open[0]?.signal.aborted).toBe(true)
    for (const each of second.open) each.answer(ONCE)

    expect(await Promise.all([open, between])).toEqual([ONCE, ONCE])
    expect(eventsOf(h, 'approval/asked', 'approval/decided').map(({ type }) => type)).toEqual(['approval/asked', 'approval/decided'])
    expect(h.log).toEqual([])
  })

  it('a question is unavailable when the front door is gone for good, and can be given up before', async () => {
    await using h = await inTurn()
    const door = answering(h)
    await door.fiber
    const other = await begin(h.create().agent, h)
    const stop = new AbortController()
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const asked = [h.ctx.approval.ask(request(h.agent), NEVER), h.ctx.approval.ask(request(other), stop.signal)]
    await vi.advanceTimersByTimeAsync(10)
    await door.fiber.dispose()
    stop.abort(new Error('stopped'))
    await expect(asked[1]).rejects.toThrow('stopped')
    await vi.advanceTimersByTimeAsync(6000)

    expect(await asked[0]).toEqual({ kind: 'unavailable' })
  })

  it('within the time that there is a question is unavailable, its answer comes too late, and the next one is put', async () => {
    await using h = await inTurn({ timeoutMs: 40 })
    const door = answering(h)
    await door.fiber

    expect(await h.ctx.approval.ask(request(h.agent), NEVER)).toEqual({ kind: 'unavailable', reason: 'nobody answered within 0.04 s' })
    expect(door.open[0]?.signal.aborted).toBe(true)
    door.open[0]?.answer({ kind: 'allow', scope: 'session' })
    expect(await askAndAnswer(h, door, request(h.agent), ONCE)).toEqual(ONCE)

    expect(eventsOf(h, 'approval/decided').map(({ data }) => data.answer)).toEqual([{ kind: 'unavailable', reason: 'nobody answered within 0.04 s' }, ONCE])
    expect(h.ctx.approval.remembered(h.session)).toEqual([])
    expect(h.log).toEqual([])
  })
})
