import type { Context } from 'cordis'
import { ApprovalService, type PermissionPolicy, type RuleReference } from '@deepseek-ai/dsh-approval'
import { CommandRegistry, type CommandDoor } from '@deepseek-ai/dsh-commands'
import { harness, runPluginContract, type Harness } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'
import * as permissionCommand from '../src/index.ts'

const AT = new Date(2026, 11, 1, 9, 30).getTime()

const WRITTEN: RuleReference[] = [{ action: 'deny', text: 'bash(rm *)', source: '/s.yml:3' }]

const ALLOWED: RuleReference[] = [
  { action: 'allow', text: 'write(./log)', source: 'allowed in this turn', allowed: { scope: 'turn', time: AT, tool: 'write' } },
  { action: 'allow', text: 'bash(echo `x`)', source: 'allowed in this session', idle: 'the rule above holds first', allowed: { scope: 'session', time: AT, tool: 'bash' } },
  { action: 'allow', text: 'bash(npm test)', source: '/p.yml:2', allowed: { scope: 'project', time: AT, session: 's1' } },
]

/** Forgets what it is told to. */
function policyOf(rules: RuleReference[]): PermissionPolicy {
  const left = [...rules]
  return {
    defaultMode: 'ask',
    judge: async () => ({ verdict: 'ask', reason: 'never asked', remember: [] }),
    rules: async () => [...left],
    forget: async (_cwd, rule) => left.splice(left.findIndex(({ text }) => text === rule), 1).length > 0,
  }
}

const decides = (rules: RuleReference[] = [...WRITTEN, ...ALLOWED]) => ({
  name: 'decides',
  inject: ['approval'],
  apply(ctx: Context) {
    ctx.approval.setPolicy(policyOf(rules))
    ctx.approval.registerMode({ name: 'ask', description: 'asks' })
    ctx.approval.registerMode({ name: 'auto', description: 'runs' })
  },
})

async function type(h: Harness, line: string, door: CommandDoor = {}): Promise<string> {
  const result = await h.ctx.commands.run(line, { agent: h.agent, door, signal: new AbortController().signal })
  return result?.kind === 'show' ? result.markdown : 'nothing'
}

const open = (rules?: RuleReference[]): Promise<Harness> => harness({ plugins: [ApprovalService, decides(rules), CommandRegistry, permissionCommand] })

it('shows the mode, the rules with their places, and what answers allowed, the longest lived first', async () => {
  await using h = await open()
  expect((await type(h, '/permissions')).split('\n')).toEqual([
    '- **ask** (now): asks',
    '- auto: runs',
    '',
    'Rules, in the order in which they are tried:',
    '',
    '- deny `bash(rm *)`, /s.yml:3',
    '',
    'Allowed by your answers, tried after these rules:',
    '',
    '1. `bash(npm test)` in this project, since 2026-12-01 09:30, in session s1 (/p.yml:2)',
    '2. ``bash(echo `x`)`` in this session, since 2026-12-01 09:30, when bash was asked about; never holds: the rule above holds first',
    '3. `write(./log)` until this turn ends, since 2026-12-01 09:30, when write was asked about',
    '',
    '**/permissions revoke N** takes one back; the next such call asks again.',
  ])
})

it('lists what was allowed where there are no other rules', async () => {
  await using h = await open(ALLOWED.slice(2))
  expect((await type(h, '/permissions')).split('\n').slice(2)).toEqual(['', 'Allowed by your answers:', '', '1. `bash(npm test)` in this project, since 2026-12-01 09:30, in session s1 (/p.yml:2)', '', '**/permissions revoke N** takes one back; the next such call asks again.'])
})

it.each([
  ['revoke 1', 'Taken back: `bash(npm test)`. What it allowed is asked again from the next call on; 2 of what was allowed stay (**/permissions**).', ['write(./log)', 'bash(echo `x`)']],
  ['revoke  bash(npm test) ', 'Taken back: `bash(npm test)`. What it allowed is asked again from the next call on; 2 of what was allowed stay (**/permissions**).', ['write(./log)', 'bash(echo `x`)']],
  ['revoke all', 'Taken back: `bash(npm test)`, ``bash(echo `x`)``, `write(./log)`. What they allowed is asked again from the next call on.', []],
  ['revoke', 'Nothing was taken back. **/permissions** lists what was allowed, and **/permissions revoke N** takes number N of it back.', ['write(./log)', 'bash(echo `x`)', 'bash(npm test)']],
])('takes back by number, by rule or all: %s', async (args, said, left) => {
  await using h = await open()
  expect(await type(h, `/permissions ${args}`)).toBe(said)
  const rules = await h.ctx.approval.policy?.rules('/', h.session, AbortSignal.timeout(1000))
  expect(rules?.flatMap(({ text, allowed }) => (allowed ? [text] : []))).toEqual(left)
})

it('lets choose what is taken back where there is a list to choose from', async () => {
  await using h = await open()
  const seen: unknown[] = []
  const choose: CommandDoor['choose'] = async (_title, choices) => {
    seen.push(...choices.map(({ label, description }) => [label, description]))
    return choices[1]?.value
  }
  expect(await type(h, '/permissions revoke', { choose })).toContain('Taken back: ``bash(echo `x`)``.')
  expect(seen[2]).toEqual(['write(./log)', 'until this turn ends, since 2026-12-01 09:30, when write was asked about'])
})

it.each([
  ['revoke 4', 'there is no number 4: 3 things were allowed, and /permissions lists them'],
  ['revoke 0', 'there is no number 0'],
  ['revoke bash(rm *)', 'bash(rm *) is no answer of yours but a rule of /s.yml:3; take it out there'],
  ['revoke bash(npm tset)', 'no answer has allowed bash(npm tset); did you mean bash(npm test)?'],
])('refuses what cannot be taken back: %s', async (args, message) => {
  await using h = await open()
  await expect(type(h, `/permissions ${args}`)).rejects.toThrow(expect.objectContaining({ code: 'NO_ALLOWANCE', message: expect.stringContaining(message) as string }))
})

it('says so when there is nothing to take back', async () => {
  await using h = await open([])
  expect(await type(h, '/permissions revoke 1')).toBe('No answer has allowed anything for longer than its call: there is nothing to take back.')
})

it('completes modes, and what can be taken back', async () => {
  await using h = await open()
  const command = await h.ctx.commands.find('permissions', '/', AbortSignal.timeout(1000))
  const complete = async (typed: string): Promise<unknown> => (await command?.complete?.(typed, { agent: h.agent, door: {}, signal: AbortSignal.timeout(1000) }))?.map(({ value }) => value)
  expect([await complete(''), await complete('revoke ')]).toEqual([['ask', 'auto', 'revoke'], ['revoke 1', 'revoke 2', 'revoke 3', 'revoke all']])
})

it('changes the mode, and refuses an unknown one with what was meant', async () => {
  await using h = await open()
  expect(await type(h, '/permission auto')).toBe('The permission mode is now **auto**.')
  expect(h.ctx.approval.modeOf(h.session)).toBe('auto')
  await expect(type(h, '/permissions atuo')).rejects.toThrow(expect.objectContaining({ code: 'UNKNOWN_MODE', message: expect.stringContaining('did you mean auto?') as string }))
})

it('says so when nothing decides', async () => {
  await using h = await harness({ plugins: [ApprovalService, CommandRegistry, permissionCommand] })
  expect(await type(h, '/permissions')).toBe('No plugin decides about permissions: everything runs.')
})

it('comes and goes without a trace', async () => {
  await expect(runPluginContract(permissionCommand, { harness: { plugins: [ApprovalService, CommandRegistry] }, contributions: ctx => ({ command: ctx.commands.registered() }) })).resolves.toEqual({ added: ['command permissions'] })
})
