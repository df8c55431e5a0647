import type { ApprovalQuestion, ApprovalScope } from '@deepseek-ai/dsh-approval'
import { describe, expect, it } from 'vitest'
import { approveByLine, parseApproval } from '../src/answer-approvals.ts'
import { renderApproval, renderChoices } from '../src/render-approval.ts'

const ALL: readonly ApprovalScope[] = ['once', 'turn', 'session', 'project']
const QUESTION = { id: 'c#1', callId: 'c', tool: 'bash', arguments: { command: 'rm -r build\nls', timeoutMs: 5 }, remember: ['bash(rm -r build)', 'bash(ls)'], scopes: ALL } as unknown as ApprovalQuestion

describe('a typed answer', () => {
  const allow = (scope: ApprovalScope) => ({ kind: 'allow', scope })
  it.each([
    ['y', allow('once')], ['Yes', allow('once')], ['  y  ', allow('once')], ['once', allow('once')],
    ['t', allow('turn')], ['turn', allow('turn')], ['S', allow('session')], ['session', allow('session')], ['p', allow('project')], ['Project', allow('project')],
    ['n', { kind: 'deny' }], ['No', { kind: 'deny' }], ['n ', { kind: 'deny' }],
    ['n use the other file', { kind: 'deny', reason: 'use the other file' }],
    ['no, not that one', { kind: 'deny', reason: 'not that one' }],
    ['', undefined], ['yep', undefined], ['maybe', undefined], ['nothing', undefined], ['y please', undefined], ['o', undefined], ['a', undefined], ['session please', undefined],
  ])('%j means %j', (line, answer) => {
    expect(parseApproval(line, ALL)).toEqual(answer)
  })

  it.each(['t', 's', 'p', 'turn', 'session', 'project'])('%j means nothing where the answer must not be remembered', line => {
    expect(parseApproval(line, ['once'])).toBe(undefined)
  })
})

describe('a question', () => {
  it('shows the exact call, the reason, what would be remembered, and what can be answered', async () => {
    expect(await renderApproval({ ...QUESTION, reason: 'outside the workspace' })).toBe(`
? allow bash (outside the workspace)
    command: rm -r build
      ls
    timeoutMs: 5
  to remember: bash(rm -r build)
               bash(ls)
  [y]es once, remember for this [t]urn, [s]ession, [p]roject, [n]o, or no with a reason: `)
  })

  it('shows each command of a line with its verdict, and the rule where the reason does not name it', async () => {
    const parts: ApprovalQuestion['parts'] = [
      { text: 'rm -r build', verdict: 'ask', reason: 'no rule allows it' },
      { text: "echo 'a\nb'", verdict: 'allow', reason: 'a rule', rule: { action: 'allow', text: 'bash(echo *)', source: 'settings.yml:4' } },
      { text: 'curl x', verdict: 'deny', reason: 'bash(curl *) in settings.yml:5', rule: { action: 'deny', text: 'bash(curl *)', source: 'settings.yml:5' } },
    ]
    expect(await renderApproval({ ...QUESTION, arguments: { command: 'x' }, remember: [], scopes: ['once'], parts })).toBe(`
? allow bash
    command: x
  of which
    ask   rm -r build  (no rule allows it)
    allow echo 'a
          b'  (a rule: bash(echo *), settings.yml:4)
    deny  curl x  (bash(curl *) in settings.yml:5)
  [y]es once, [n]o, or no with a reason: `)
  })

  it('shows an edit as the lines that go and come, and beside them the arguments that these do not show', async () => {
    const args = { file_path: 'a.ts', edits: [{ old_string: 'one\ntwo\nthree\n', new_string: 'one\n2\nthree\n' }], replace_all: true }
    const diffs = [{ path: 'a.ts', oldText: 'one\ntwo\nthree\n', newText: 'one\n2\nthree\n' }]
    expect(await renderApproval({ ...QUESTION, tool: 'edit', arguments: args, scopes: ['once'] }, diffs)).toBe(`
? allow edit
    replace_all: true
    a.ts
      one
    - two
    + 2
      three
  [y]es once, [n]o, or no with a reason: `)
  })

  it('shows the whole of what is written, however long', async () => {
    const content = Array.from({ length: 3000 }, (_, i) => `line ${i} ${'x'.repeat(200)}`).join('\n')
    const shown = await renderApproval({ ...QUESTION, tool: 'write', arguments: { file_path: 'a', content } }, [{ path: 'a', oldText: null, newText: content }])
    expect(shown.split('\n').filter(line => line.startsWith('    + '))).toEqual(content.split('\n').map(line => `    + ${line}`))
    expect(shown).not.toContain('content:')

    const command = `echo ${'y'.repeat(50_000)}; ls`
    expect(await renderApproval({ ...QUESTION, arguments: { command } })).toContain(`\n    command: ${command}\n`)
  })

  it('cannot be painted over by what it shows, nor hide anything of it', async () => {
    const evil = 'ls \u001b]0; rm -rf ~\u0007 \u202e\u200b\u{e0041}\rok'
    expect(await renderApproval({ ...QUESTION, tool: 'ba\rsh', arguments: { command: evil, 'a\nb': '\r\nnext' }, reason: '\u009b1A\n? allow', remember: ['bash(\nls)'] })).toBe(`
? allow ba\\x0dsh (\\x9b1A ? allow)
    command: ls \\x1b]0; rm -rf ~\\x07 \\u{202e}\\u{200b}\\u{e0041}\\x0dok
    a\\nb:${' '}
      next
  to remember: bash(\\nls)
  [y]es once, remember for this [t]urn, [s]ession, [p]roject, [n]o, or no with a reason: `)
  })

  it('is asked again on one line until the answer is one', async () => {
    const lines = ['what?', '', 's']
    const asked: string[] = []
    const askLine = async (prompt: string): Promise<string> => {
      asked.push(prompt)
      return lines.shift() ?? ''
    }

    expect(await approveByLine(askLine, QUESTION, [], new AbortController().signal)).toEqual({ kind: 'allow', scope: 'session' })
    expect(asked).toEqual([await renderApproval(QUESTION), renderChoices(ALL), renderChoices(ALL)])
  })
})
