import type { Context } from 'cordis'
import type { Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import type { ApprovalAnswer } from '../src/index.ts'
import { AnswerFold } from '../src/fold-answers.ts'
import { answering, askAndAnswer, begin, inTurn, request } from './front-door.ts'

const allow = (scope: 'once' | 'turn' | 'session' | 'project'): ApprovalAnswer => ({ kind: 'allow', scope })

describe('what an answer leaves', () => {
  it('ends with the turn, stays in the session, or is nothing, as its scope says', async () => {
    await using h = await inTurn()
    const door = answering(h)
    await door.fiber
    for (const scope of ['once', 'turn', 'session', 'project'] as const) await askAndAnswer(h, door, request(h.agent, { remember: [`bash(${scope})`] }), allow(scope))
    await askAndAnswer(h, door, request(h.agent, { remember: ['bash(refused)'] }), { kind: 'deny' })

    expect(h.ctx.approval.remembered(h.session)).toEqual(['bash(session)', 'bash(project)', 'bash(turn)'])
    h.agent.cancel('next')
    await h.agent.whenIdle()
    expect(h.ctx.approval.remembered(h.session)).toEqual(['bash(session)', 'bash(project)'])
    await begin(h.agent, h)
    expect(h.ctx.approval.remembered(h.session)).toEqual(['bash(session)', 'bash(project)'])
  })

  it('belongs to its session only', async () => {
    await using h = await inTurn()
    const door = answering(h)
    await door.fiber
    await askAndAnswer(h, door, request(h.agent), allow('session'))

    expect(h.ctx.approval.remembered(h.create().agent.session)).toEqual([])
  })

  it('is there again when the session is resumed, but for what held in a turn', async () => {
    await using h = await inTurn()
    const door = answering(h)
    await door.fiber
    await askAndAnswer(h, door, request(h.agent, { remember: ['write(a)', 'write(b)'] }), allow('session'))
    await askAndAnswer(h, door, request(h.agent, { remember: ['bash(ls)'] }), allow('turn'))
    const { agent: resumed } = h.create({ seed: h.session.events })
    await begin(resumed, h)

    expect(h.ctx.approval.remembered(resumed.session)).toEqual(['write(a)', 'write(b)'])
  })

  it('is not copied by a fork, whose questions go on counting', async () => {
    await using h = await inTurn()
    const door = answering(h)
    await door.fiber
    await askAndAnswer(h, door, request(h.agent), allow('session'))
    const seed = [...h.session.events]
    const fork = h.create({ seed, meta: { cwd: process.cwd(), parentSession: h.session.id, seedLength: seed.length } })
    await begin(fork.agent, h)

    expect(h.ctx.approval.remembered(fork.agent.session)).toEqual([])
    await askAndAnswer(h, door, request(fork.agent, { remember: ['bash(own)'] }), allow('session'))
    expect(door.open.at(-1)?.question.id).toBe('call-1#2')
    expect(h.ctx.approval.remembered(fork.agent.session)).toEqual(['bash(own)'])
  })
})

describe('what is taken back', () => {
  it('holds no more, in whatever scope it was allowed, and is asked about again', async () => {
    await using h = await inTurn()
    const door = answering(h)
    await door.fiber
    for (const scope of ['turn', 'session', 'project'] as const) await askAndAnswer(h, door, request(h.agent, { remember: [`bash(${scope})`, 'bash(stays)'] }), allow(scope))
    for (const scope of ['turn', 'session', 'project'] as const) expect(await h.ctx.approval.revoke(h.session, `bash(${scope})`, AbortSignal.timeout(1000))).toBe(true)

    expect(h.ctx.approval.remembered(h.session)).toEqual(['bash(stays)'])
    await askAndAnswer(h, door, request(h.agent, { remember: ['bash(turn)'] }), allow('session'))
    expect(h.ctx.approval.remembered(h.session)).toEqual(['bash(stays)', 'bash(turn)'])
  })

  it('stays so when the session is resumed, and may be taken back between turns', async () => {
    await using h = await inTurn()
    const door = answering(h)
    await door.fiber
    await askAndAnswer(h, door, request(h.agent, { remember: ['write(a)', 'write(b)'] }), allow('session'))
    h.agent.cancel('enough')
    await h.agent.whenIdle()
    await h.ctx.approval.revoke(h.session, 'write(a)', AbortSignal.timeout(1000))
    const { agent: resumed } = h.create({ seed: h.session.events })

    expect(h.ctx.approval.remembered(resumed.session)).toEqual(['write(b)'])
    expect(h.session.events.at(-1)).toMatchObject({ type: 'approval/revoked', data: { rules: ['write(a)'] } })
  })

  it('is not logged when it was never allowed', async () => {
    await using h = await inTurn()
    const before = h.session.seq
    expect(await h.ctx.approval.revoke(h.session, 'bash(ls)', AbortSignal.timeout(1000))).toBe(false)
    expect(h.session.seq).toBe(before)
  })

  it('is taken out of what the policy keeps first, and holds on when that fails', async () => {
    await using h = await inTurn()
    const door = answering(h)
    await door.fiber
    await h.ctx.plugin({ name: 'keeps', inject: ['approval'], apply: (ctx: Context) => void ctx.approval.setPolicy({
      defaultMode: 'ask', judge: async () => ({ verdict: 'ask', reason: '', remember: [] }), rules: async () => [],
      forget: async (_cwd, rule) => {
        if (rule === 'bash(ls)') throw new Error('the disk is full')
        return true
      },
    }) })
    await askAndAnswer(h, door, request(h.agent), allow('project'))
    await expect(h.ctx.approval.revoke(h.session, 'bash(ls)', AbortSignal.timeout(1000))).rejects.toThrow('the disk is full')
    expect(h.ctx.approval.remembered(h.session)).toEqual(['bash(ls)'])
    expect(await h.ctx.approval.revoke(h.session, 'bash(of another session)', AbortSignal.timeout(1000))).toBe(true)
  })
})

const event = (type: string, data: unknown): SessionEvent => ({ type, seq: 0, time: 0, data }) as SessionEvent
const asked = (id: string, remember?: string[]): SessionEvent => event('approval/asked', { id, callId: 'c', tool: 'bash', arguments: {}, remember })
const decided = (id: string, answer: unknown): SessionEvent => event('approval/decided', { id, answer })

describe('a log', () => {
  it.each<[string, SessionEvent[], number, string[]]>([
    ['nothing was asked', [event('turn/start', { turn: 1 })], 0, []],
    ['a question is open', [asked('1', ['a'])], 1, []],
    ['the same was allowed twice', [asked('1', ['a', 'b']), decided('1', allow('turn')), asked('2', ['b']), decided('2', allow('session'))], 2, ['b', 'a']],
    ['a crash took the end of the turn', [asked('1', ['a']), decided('1', allow('turn')), event('turn/start', { turn: 2 })], 1, []],
    ['an answer has lost its question', [decided('9', allow('session'))], 0, []],
    ['an answer comes twice', [asked('1', ['a']), decided('1', { kind: 'deny' }), decided('1', allow('session'))], 1, []],
    ['a question of an older version names nothing to remember', [asked('1'), decided('1', allow('session'))], 1, []],
    ['an allowance is taken back', [asked('1', ['a', 'b']), decided('1', allow('session')), event('approval/revoked', { rules: ['a', 'never'] })], 1, ['b']],
    ['an allowance is taken back and given again', [asked('1', ['a']), decided('1', allow('session')), event('approval/revoked', { rules: ['a'] }), asked('2', ['a']), decided('2', allow('turn'))], 2, ['a']],
    ['nothing says what is taken back', [asked('1', ['a']), decided('1', allow('session')), event('approval/revoked', {})], 1, ['a']],
    ['an answer is missing', [asked('1', ['a']), decided('1', undefined)], 1, []],
    ['an inquiry counts', [event('approval/inquired', { id: '1', callId: 'c', questions: [] })], 1, []],
  ])('in which %s is folded', (_what, events, count, rules) => {
    const fold = new AnswerFold({ settledEvents: events, header: {} } as unknown as Session).advance()
    expect([fold.asked, fold.remembered()]).toEqual([count, rules])
  })

  it('is folded as it grows, each event once', () => {
    const events = [asked('1', ['a'])]
    const fold = new AnswerFold({ settledEvents: events, header: {} } as unknown as Session)
    expect(fold.advance().asked).toBe(1)
    events.push(decided('1', allow('session')), asked('2', ['b']))
    expect([fold.advance().asked, fold.remembered()]).toEqual([2, ['a']])
    expect(fold.advance().asked).toBe(2)
  })
})
