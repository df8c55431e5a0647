/** Questions in place of the editor, answered by keys as a terminal sends them. */

import { createTheme } from '@deepseek-ai/dsh-terminal-view'
import type { ApprovalAnswer, ApprovalQuestion, UserQuestion } from '@deepseek-ai/dsh-approval'
import { describe, expect, it } from 'vitest'
import { approvalPanel, questionPanel } from '../src/index.ts'

const theme = createTheme({ color: false })
const DOWN = '\u001b[B'
const ESC = '\u001b'
const ENTER = '\r'

function approval(more: Partial<ApprovalQuestion> = {}, rows = 40) {
  const answers: ApprovalAnswer[] = []
  const overflow: string[][] = []
  const question = { id: '1', callId: 'c', tool: 'bash', arguments: { command: 'touch x' }, remember: ['bash(touch x)'], scopes: ['once', 'turn', 'session', 'project'], ...more } as unknown as ApprovalQuestion
  const panel = approvalPanel(question, { theme, fit: { rows: () => rows, overflow: lines => void overflow.push([...lines]) }, toolOf: () => undefined, onAnswer: answer => void answers.push(answer) })
  panel.focused = true
  return { panel, answers, overflow, press: (...keys: string[]) => keys.forEach(key => panel.handleInput(key)) }
}

describe('an approval', () => {
  it('shows the exact call and what each answer would be remembered as', () => {
    expect(approval({ reason: 'it writes x' }).panel.render(80)).toEqual([
      '', '? allow bash? it writes x', '  command: touch x', '',
      '→ [y] yes, this once', '  [t] yes, and allow it for the rest of this turn', '  [s] yes, and allow it in this session', '  [p] yes, and allow it in this project from now on', '  [n] no', '  [w] no, and tell the model why',
      't, s, p allow from then on: bash(touch x)',
      '↑ ↓ and Enter, or the key in brackets · Esc refuses',
    ])
  })

  it.each<[string, string[], ApprovalAnswer]>([
    ['y', ['y'], { kind: 'allow', scope: 'once' }],
    ['t', ['t'], { kind: 'allow', scope: 'turn' }],
    ['s', ['s'], { kind: 'allow', scope: 'session' }],
    ['p', ['p'], { kind: 'allow', scope: 'project' }],
    ['n', ['n'], { kind: 'deny' }],
    ['Enter', [ENTER], { kind: 'allow', scope: 'once' }],
    ['down and Enter', [DOWN, DOWN, ENTER], { kind: 'allow', scope: 'session' }],
    ['Esc', [ESC], { kind: 'deny' }],
    ['Ctrl-C', ['\u0003'], { kind: 'deny' }],
    ['Ctrl-C among words', ['w', 'a', '\u0003'], { kind: 'deny' }],
    ['words', ['w', 'n', 'o', ' ', 'i', 't', ENTER], { kind: 'deny', reason: 'no it' }],
    ['no words', ['w', ENTER], { kind: 'deny' }],
    ['words that were thought better of', ['w', 'a', ESC, 'y'], { kind: 'allow', scope: 'once' }],
  ])('is answered by %s', (_, keys, answer) => {
    const { press, answers } = approval()
    press(...keys)
    expect(answers).toEqual([answer])
  })

  it('is not answered by keys that mean nothing, and offers no more than may be answered', () => {
    const { press, answers, panel } = approval({ scopes: ['once'] })
    press('t', 's', 'p', 'x', ' ', 'Y')
    expect(answers).toEqual([])
    expect(panel.render(60).filter(line => line.includes('['))).toEqual(['→ [y] yes, this once', '  [n] no', '  [w] no, and tell the model why'])
  })

  it('writes out what a terminal would swallow, and judges a line part by part', () => {
    const { panel } = approval({ tool: 'ba\u001b[2Jsh', arguments: { command: 'ls\u001b]0;x\u0007\nrm y' }, parts: [{ text: 'ls\u0007', verdict: 'allow', reason: 'it reads' }, { text: 'rm y', verdict: 'ask', reason: 'it removes' }] })
    expect(panel.render(60).slice(1, 7)).toEqual(['? allow ba\\x1b[2Jsh?', '  command: ls\\x1b]0;x\\x07', '  rm y', '  ✓ ls\\x07 it reads', '  ? rm y it removes', ''])
  })

  it('hands up what is too long for the window, whole and once', () => {
    const lines = Array.from({ length: 50 }, (_, i) => `line ${i}`)
    const { panel, overflow } = approval({ arguments: { command: lines.join('\n') } }, 24)
    const shown = panel.render(60)
    panel.render(60)
    expect(shown.length).toBeLessThanOrEqual(24)
    expect(shown[1]).toBe('? allow bash?')
    expect(shown).toContain('… 42 more lines; all of it stands above')
    expect(overflow).toHaveLength(1)
    expect(overflow[0]?.slice(1, 51)).toEqual(['  command: line 0', ...lines.slice(1).map(line => `  ${line}`)])
  })

  it.each([1, 2, 5, 12])('can be drawn in %i columns', width => {
    expect(approval({ reason: 'some reason' }, 3).panel.render(width).length).toBeGreaterThan(4)
  })
})

function ask(question: UserQuestion) {
  const settled: unknown[] = []
  const panel = questionPanel(question, { theme, fit: {}, place: [1, 2], onAnswer: answer => void settled.push(answer), onDecline: () => void settled.push('declined') })
  panel.focused = true
  return { panel, settled, press: (...keys: string[]) => keys.forEach(key => panel.handleInput(key)) }
}

describe('a question', () => {
  it('says which of how many it is, and numbers the options', () => {
    expect(ask({ question: 'Which?', options: ['a', 'b'] }).panel.render(60).slice(1, 7)).toEqual(['? Which? (1 of 2)', '', '→ [1] a', '  [2] b', '  in my own words', '  leave it open'])
  })

  it.each<[string, UserQuestion, string[], unknown]>([
    ['a number', { question: '?', options: ['a', 'b'] }, ['2'], ['b']],
    ['Enter', { question: '?', options: ['a', 'b'] }, [DOWN, ENTER], ['b']],
    ['words', { question: '?', options: ['a'] }, [DOWN, ENTER, 'm', 'e', ENTER], ['me']],
    ['words alone', { question: '?' }, [ENTER, 'm', 'e', ENTER], ['me']],
    ['nothing', { question: '?', options: ['a'] }, [DOWN, DOWN, ENTER], []],
    ['Esc', { question: '?', options: ['a'] }, [ESC], 'declined'],
    ['marks', { question: '?', options: ['a', 'b', 'c'], multiple: true }, [' ', DOWN, DOWN, ' ', ENTER], ['a', 'c']],
    ['a mark taken back', { question: '?', options: ['a', 'b'], multiple: true }, [' ', ' ', DOWN, ' ', ENTER], ['b']],
    ['Enter without a mark', { question: '?', options: ['a', 'b'], multiple: true }, [DOWN, ENTER], ['b']],
  ])('is answered by %s', (_, question, keys, answer) => {
    const { press, settled } = ask(question)
    press(...keys)
    expect(settled).toEqual([answer])
  })
})
