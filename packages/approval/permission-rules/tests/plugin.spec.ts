import type { Context } from 'cordis'
import { ApprovalService, type ApprovalAnswer, type ApprovalQuestion } from '@deepseek-ai/dsh-approval'
import { call, eventsOf, harness, reply, runPluginContract, textTool, type Harness } from '@deepseek-ai/dsh-testkit'
import type { PreToolDecision, ToolKind } from '@deepseek-ai/dsh-tools'
import { describe, expect, it } from 'vitest'
import * as permissionRules from '../src/index.ts'
import type { PermissionMode } from '../src/index.ts'

interface Case {
  mode: PermissionMode
  kind: ToolKind
  /** What another plugin, further in, says. */
  inner?: PreToolDecision
  /** What the user answers; without it nobody is there to ask. */
  answer?: ApprovalAnswer
}

interface Outcome {
  result: string
  code?: string | undefined
  ran: unknown[]
  asked: Pick<ApprovalQuestion, 'tool' | 'arguments' | 'reason' | 'remember'>[]
}

/** One call of one tool through the gate. */
async function decide({ mode, kind, inner, answer }: Case): Promise<Outcome> {
  const ran: unknown[] = []
  const asked: Outcome['asked'] = []
  const tool = { ...textTool('act', args => {
    ran.push(args)
    return 'done'
  }), kind }
  await using h = await harness({
    model: [call('act', { on: 'a' }), reply('ok')],
    tools: [tool],
    plugins: [
      ApprovalService,
      [permissionRules, { mode, directory: '/nowhere' }],
      { name: 'inner', apply: (ctx: Context) => void (inner && ctx.on('tools/pre-execute', () => Promise.resolve(inner))) },
      { name: 'front-door', inject: ['approval'], apply: (ctx: Context) => void (answer && ctx.approval.setAnswerer({ approve: async ({ tool: name, arguments: args, reason, remember }) => {
        asked.push({ tool: name, arguments: args, reason, remember })
        return answer
      } })) },
    ],
  })
  await h.run('go')
  const [event] = eventsOf(h, 'tool/result')
  const block = event?.data.content[0]
  return { result: block?.type === 'text' ? block.text : '', code: event?.data.error?.code, ran, asked }
}

const ONCE: ApprovalAnswer = { kind: 'allow', scope: 'once' }
const ASKED = { tool: 'act', arguments: { on: 'a' }, reason: 'act may change something (mode ask)', remember: ['act'] }
const RAN = { result: 'done', code: undefined, ran: [{ on: 'a' }] }
const NOBODY = { code: 'PERMISSION_REQUIRED', ran: [], asked: [] }

describe('a call', () => {
  it.each<[string, Case, Partial<Outcome>]>([
    ['that reads runs in ask mode', { mode: 'ask', kind: 'read', answer: { kind: 'deny' } }, { ...RAN, asked: [] }],
    ['that edits runs in ask mode once it is allowed', { mode: 'ask', kind: 'edit', answer: ONCE }, { ...RAN, asked: [ASKED] }],
    ['that is refused does not run', { mode: 'ask', kind: 'edit', answer: { kind: 'deny' } }, { result: 'Error: the user refused this call', code: 'DENIED', ran: [], asked: [ASKED] }],
    ['that is refused with a reason tells the model why', { mode: 'ask', kind: 'edit', answer: { kind: 'deny', reason: 'later' } }, { result: 'Error: the user refused this call: later', code: 'DENIED', ran: [] }],
    ['needs a permission that nobody can give', { mode: 'ask', kind: 'edit' }, NOBODY],
    ['needs a permission when the front door has no answer', { mode: 'ask', kind: 'edit', answer: { kind: 'unavailable' } }, { code: 'PERMISSION_REQUIRED', ran: [] }],
    ['that edits runs in auto mode without a question', { mode: 'auto', kind: 'execute', answer: { kind: 'deny' } }, { ...RAN, asked: [] }],
    ['that another plugin wants asked is asked in auto mode, with its reason and without remembering', { mode: 'auto', kind: 'edit', inner: { kind: 'ask', reason: 'outside' }, answer: ONCE }, { ...RAN, asked: [{ ...ASKED, reason: 'outside', remember: [] }] }],
    ['that another plugin wants asked needs somebody in auto mode, too', { mode: 'auto', kind: 'read', inner: { kind: 'ask' } }, NOBODY],
    ['that nobody can be asked about tells the model what would have allowed it', { mode: 'ask', kind: 'edit' }, { ...NOBODY, result: 'Error: this call needs a permission that nobody here can give: act may change something (mode ask); to allow it, run with --permission auto, or add act to rows.permission-rules.allow in your settings.yml' }],
    ['that nobody can be asked about tells the model why it was asked', { mode: 'ask', kind: 'edit', inner: { kind: 'ask', reason: 'outside the workspace' } }, { ...NOBODY, result: expect.stringContaining('outside the workspace') as string }],
    ['that another plugin denies is denied in every mode', { mode: 'auto', kind: 'read', inner: { kind: 'deny', reason: 'no way', code: 'OTHER' }, answer: ONCE }, { result: 'Error: no way', code: 'OTHER', ran: [], asked: [] }],
    ['that another plugin rewrites is asked, and runs, as rewritten', { mode: 'ask', kind: 'edit', inner: { kind: 'allow', arguments: { on: 'b' } }, answer: ONCE }, { result: 'done', ran: [{ on: 'b' }], asked: [{ ...ASKED, arguments: { on: 'b' } }] }],
    ['that changes something is refused in a read-only session', { mode: 'read-only', kind: 'fetch', answer: ONCE }, { result: 'Error: act may change something, and this session is read-only', code: 'READ_ONLY', ran: [], asked: [] }],
    ['that only reads runs in a read-only session', { mode: 'read-only', kind: 'search' }, RAN],
    ['that another plugin wants asked is refused in a read-only session when it changes something', { mode: 'read-only', kind: 'edit', inner: { kind: 'ask' }, answer: ONCE }, { code: 'READ_ONLY', ran: [], asked: [] }],
  ])('%s', async (_what, given, outcome) => {
    expect(await decide(given)).toMatchObject(outcome)
  })

  it('is judged before anybody who listened earlier, so that what they say counts', async () => {
    const seen: string[] = []
    await using h = await harness({
      model: [call('act'), reply('ok')],
      tools: [{ ...textTool('act', () => 'done'), kind: 'edit' }],
      plugins: [
        ApprovalService,
        { name: 'earlier', apply: (ctx: Context) => void ctx.on('tools/pre-execute', async (_call, _tool, next) => {
          seen.push('earlier')
          return await next()
        }) },
        [permissionRules, { mode: 'read-only', directory: '/nowhere' }],
      ],
    })
    await h.run('go')

    expect(seen).toEqual(['earlier'])
    expect(eventsOf(h, 'tool/result').map(({ data }) => data.error?.code)).toEqual(['READ_ONLY'])
  })

  it('needs no second question after an answer for the whole session', async () => {
    let asked = 0
    await using h: Harness = await harness({
      model: [call('act'), call('act'), reply('ok')],
      tools: [{ ...textTool('act', () => 'done'), kind: 'edit' }],
      plugins: [ApprovalService, [permissionRules, { mode: 'ask', directory: '/nowhere' }], { name: 'front-door', inject: ['approval'], apply: (ctx: Context) => void ctx.approval.setAnswerer({ approve: async () => {
        asked++
        return { kind: 'allow', scope: 'session' }
      } }) }],
    })
    await h.run('go')

    expect(asked).toBe(1)
    expect(eventsOf(h, 'tool/result').map(({ data }) => data.isError)).toEqual([false, false])
  })
})

it('comes and goes without a trace', async () => {
  expect(await runPluginContract(permissionRules, { config: { mode: 'ask' }, harness: { plugins: [ApprovalService] }, contributions: ctx => ({ mode: ctx.approval.modes().map(mode => mode.name) }) })).toEqual({
    added: ['listener agent/created', 'listener tools/pre-execute', 'mode ask', 'mode auto', 'mode read-only'],
  })
})
