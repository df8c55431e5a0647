import type { ApprovalQuestion } from '@deepseek-ai/dsh-approval'
import { describe, expect, it } from 'vitest'
import { answerByLine, parseAnswer, renderQuestion } from '../src/answer-approvals.ts'

const QUESTION = { id: 'c#1', callId: 'c', tool: 'bash', arguments: { command: 'rm -r build\nls', timeoutMs: 5 }, rememberable: true } as unknown as ApprovalQuestion

describe('a typed answer', () => {
  const once = { kind: 'allow', scope: 'once' }
  it.each([
    ['y', once], ['Yes', once], ['  y  ', once],
    ['a', { kind: 'allow', scope: 'session' }], ['ALWAYS', { kind: 'allow', scope: 'session' }],
    ['n', { kind: 'deny' }], ['No', { kind: 'deny' }], ['n ', { kind: 'deny' }],
    ['n use the other file', { kind: 'deny', reason: 'use the other file' }],
    ['no, not that one', { kind: 'deny', reason: 'not that one' }],
    ['', undefined], ['yep', undefined], ['maybe', undefined], ['nothing', undefined], ['y please', undefined], ['always yes', undefined],
  ])('%j means %j', (line, answer) => {
    expect(parseAnswer(line, true)).toEqual(answer)
  })

  it.each(['a', 'always'])('%j means nothing where the answer must not be remembered', line => {
    expect(parseAnswer(line, false)).toBe(undefined)
  })
})

describe('a question', () => {
  it('shows the exact call, the reason, and what can be answered', () => {
    expect(renderQuestion({ ...QUESTION, reason: 'outside the workspace' })).toBe(`
? allow bash (outside the workspace)
    command: rm -r build
      ls
    timeoutMs: 5
  [y]es, [a]lways bash in this session, [n]o, or no with a reason: `)
  })

  it('does not offer to remember what must not be remembered', () => {
    expect(renderQuestion({ ...QUESTION, rememberable: false })).toContain('\n  [y]es, [n]o, or no with a reason: ')
  })

  it('cannot be painted over by what it shows', () => {
    expect(renderQuestion({ ...QUESTION, tool: 'ba\rsh', arguments: { command: '\u001b[2J\u001b]0;x\u0007ls' }, reason: '\u009b1A' })).toBe(`
? allow bash ()
    command: ls
  [y]es, [a]lways bash in this session, [n]o, or no with a reason: `)
  })

  it('is asked again until the line says yes or no', async () => {
    const lines = ['what?', '', 'y']
    const asked: string[] = []
    const answerer = answerByLine(async prompt => {
      asked.push(prompt)
      return lines.shift() ?? ''
    })

    expect(await answerer(QUESTION, new AbortController().signal)).toEqual({ kind: 'allow', scope: 'once' })
    expect(asked).toEqual(Array.from({ length: 3 }, () => renderQuestion(QUESTION)))
  })
})
