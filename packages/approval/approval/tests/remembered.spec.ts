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
