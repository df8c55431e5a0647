import type { ApprovalScope } from '@deepseek-ai/dsh-approval'
import { describe, expect, it } from 'vitest'
import { StreamAnswerer } from '../src/stream-answerer.ts'
import type { ScriptHost } from '../src/types.ts'

const { signal } = new AbortController()

function open(): { answers: StreamAnswerer; host: ScriptHost; written: Record<string, any>[]; cancelled: string[]; respond(id: string, response: unknown): void } {
  const [written, cancelled]: [Record<string, any>[], string[]] = [[], []]
  const host = { write: (line: object) => void written.push(line), cancel: (reason: string) => void cancelled.push(reason) } as unknown as ScriptHost
  const answers = new StreamAnswerer()
  return { answers, host, written, cancelled, respond: (id, response) => answers.take({ subtype: 'success', request_id: id, response: response as never }, host) }
}

const question = (scopes: ApprovalScope[] = ['once', 'turn', 'session', 'project']): never => ({ id: 'q', agent: {}, callId: 'c', tool: 'bash', arguments: { command: 'ls' }, remember: ['bash(ls *)', 'todo'], scopes }) as never
const inquiry: never = { id: 'i', agent: {}, callId: 'c', questions: [{ question: 'Which of them?', options: ['a', 'b'], multiple: true }, { question: 'Why?' }] } as never

describe('an answer to a call', () => {
  it.each([
    ['for the session', [{ type: 'addRules', behavior: 'allow', destination: 'session', rules: [] }], undefined, 'session'],
    ['for the project', [{ type: 'addRules', behavior: 'allow', destination: 'localSettings' }], undefined, 'project'],
    ['for the call where no more was offered', [{ type: 'addRules', behavior: 'allow', destination: 'session' }], ['once'], 'once'],
    ['for the call when the rule denies', [{ type: 'addRules', behavior: 'deny', destination: 'session' }], undefined, 'once'],
    ['for the call when it names the user\'s settings', [{ type: 'addRules', behavior: 'allow', destination: 'userSettings' }], undefined, 'once'],
  ] as const)('counts %s', async (_what, updatedPermissions, scopes, scope) => {
    const { answers, host, respond } = open()
    const answer = answers.over(host).approve(question(scopes && [...scopes]), signal)
    respond('q', { behavior: 'allow', updatedInput: { command: 'ls' }, updatedPermissions })
    expect(await answer).toEqual({ kind: 'allow', scope })
  })

  it('suggests the rules that an allowance would leave', () => {
    const { answers, host, written } = open()
    void answers.over(host).approve(question(), signal)
    expect(written[0]?.['request'].permission_suggestions[0].rules).toEqual([{ toolName: 'bash', ruleContent: 'ls *' }, { toolName: 'todo' }])
  })

  it('refuses when the script fails, and stops the turn when it says so', async () => {
    const { answers, host, cancelled } = open()
    const failed = answers.over(host).approve(question(), signal)
    answers.take({ subtype: 'error', request_id: 'q', error: 'no callback' }, host)
    const stopped = answers.over(host).approve(question(), signal)
    answers.take({ subtype: 'success', request_id: 'q', response: { behavior: 'deny', message: 'stop', interrupt: true } }, host)
    expect(await Promise.all([failed, stopped])).toEqual([{ kind: 'deny', reason: 'no callback' }, { kind: 'deny', reason: 'stop' }])
    expect(cancelled).toEqual(['interrupted by the script'])
  })
})

describe('an answer to questions', () => {
  it('is read by their words, with several options in one text', async () => {
    const { answers, host, written, respond } = open()
    const answer = answers.over(host).inquire?.(inquiry, signal)
    expect(written[0]?.['request']).toMatchObject({ subtype: 'can_use_tool', tool_name: 'AskUserQuestion', input: { questions: [{ question: 'Which of them?', header: 'Which of the', options: [{ label: 'a', description: 'a' }, { label: 'b', description: 'b' }], multiSelect: true }, { question: 'Why?', options: [], multiSelect: false }] } })
    respond('i', { behavior: 'allow', updatedInput: { answers: { 'Which of them?': 'a, b', 'Why?': 'because, well' } } })
    expect(await answer).toEqual({ kind: 'answered', answers: [['a', 'b'], ['because, well']] })
  })

  it('may be a refusal, or nothing that can be read', async () => {
    const { answers, host, respond } = open()
    const refused = answers.over(host).inquire?.(inquiry, signal)
    respond('i', { behavior: 'deny', message: 'busy' })
    const unread = answers.over(host).inquire?.(inquiry, signal)
    expect(() => respond('i', { behavior: 'allow' })).toThrow('has no "answers"')
    expect([await refused, await unread]).toEqual([{ kind: 'declined', reason: 'busy' }, { kind: 'declined', reason: 'the answer was not understood' }])
  })
})
