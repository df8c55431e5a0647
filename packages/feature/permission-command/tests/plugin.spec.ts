import type { Context } from 'cordis'
import { ApprovalService, type PermissionPolicy, type RuleReference } from '@deepseek-ai/dsh-approval'
import { CommandRegistry } from '@deepseek-ai/dsh-commands'
import { harness, runPluginContract, type Harness } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'
import * as permissionCommand from '../src/index.ts'

const RULES: RuleReference[] = [
  { action: 'deny', text: 'bash(rm *)', source: '/s.yml:3' },
  { action: 'allow', text: 'bash(echo `x`)', source: 'allowed in this session', idle: 'the rule above holds first' },
]

const policy: PermissionPolicy = { defaultMode: 'ask', judge: async () => ({ verdict: 'ask', reason: 'never asked', remember: [] }), rules: async () => RULES }

const decides = {
  name: 'decides',
  inject: ['approval'],
  apply(ctx: Context) {
    ctx.approval.setPolicy(policy)
    ctx.approval.registerMode({ name: 'ask', description: 'asks' })
    ctx.approval.registerMode({ name: 'auto', description: 'runs' })
  },
}

async function type(h: Harness, line: string): Promise<string> {
  const result = await h.ctx.commands.run(line, { agent: h.agent, door: {}, signal: new AbortController().signal })
  return result?.kind === 'show' ? result.markdown : 'nothing'
}

it('shows the mode and the rules with their places', async () => {
  await using h = await harness({ plugins: [ApprovalService, decides, CommandRegistry, permissionCommand] })
  expect((await type(h, '/permissions')).split('\n')).toEqual([
    '- **ask** (now): asks',
    '- auto: runs',
    '',
    'Rules, in the order in which they are tried:',
    '',
    '- deny `bash(rm *)`, /s.yml:3',
    '- allow ``bash(echo `x`)``, allowed in this session; never holds: the rule above holds first',
    '',
    'What was allowed in a turn or a session ends with it (**/clear** begins another session); a rule with a file ends when its line is taken out there.',
  ])
})

it('changes the mode, and refuses an unknown one with what was meant', async () => {
  await using h = await harness({ plugins: [ApprovalService, decides, CommandRegistry, permissionCommand] })
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
