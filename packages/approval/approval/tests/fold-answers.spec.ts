import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { foldAnswers } from '../src/fold-answers.ts'

const asked = (id: string, tool: string): SessionEvent => ({ type: 'approval/asked', seq: 0, time: 0, data: { id, callId: 'c', tool, arguments: {} } })
const decided = (id: string, answer: SessionEvent<'approval/decided'>['data']['answer']): SessionEvent => ({ type: 'approval/decided', seq: 1, time: 0, data: { id, answer } })

describe('what a log says about approvals', () => {
  it.each<[string, SessionEvent[], number, string[]]>([
    ['nothing was asked', [{ type: 'turn/start', seq: 0, time: 0, data: { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } } }], 0, []],
    ['a question is open', [asked('1', 'bash')], 1, []],
    ['a call was allowed once', [asked('1', 'bash'), decided('1', { kind: 'allow', scope: 'once' })], 1, []],
    ['a tool was allowed for the session, others were not', [asked('1', 'bash'), decided('1', { kind: 'deny' }), asked('2', 'write'), decided('2', { kind: 'allow', scope: 'session' })], 2, ['write']],
    ['an answer has lost its question', [decided('9', { kind: 'allow', scope: 'session' })], 0, []],
  ])('when %s is folded', (_when, events, count, tools) => {
    expect(foldAnswers(events)).toEqual({ asked: count, allowed: new Set(tools) })
  })
})
