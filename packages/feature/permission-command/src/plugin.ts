/** `/permissions`: the mode and the rules of a session, another mode, and the way back from an answer one is sorry for. */

import type { Context } from 'cordis'
import type { ApprovalService, RuleReference } from '@deepseek-ai/dsh-approval'
import type { Choice, CommandCall, CommandResult } from '@deepseek-ai/dsh-commands'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { nearest } from '@deepseek-ai/dsh-text'
import { allowancesOf, code, describeAllowance, renderPermissions } from './render-permissions.ts'

export const name = 'permission-command'
export const inject = ['approval', 'commands']

export function apply(ctx: Context): void {
  const { approval } = ctx
  const modes = () => approval.modes().map(({ name: value, description }) => ({ value, label: value, description }))
  ctx.commands.register({
    name: 'permissions',
    aliases: ['permission'],
    description: 'how calls are decided: the mode and the rules; another mode; take back what was allowed',
    argumentHint: '[MODE | revoke [N | RULE | all]]',
    async complete(typed, call) {
      const revocable = typed.startsWith('revoke ') ? await revocations(approval, call) : [{ value: 'revoke', label: 'revoke', description: 'take back what was allowed' }]
      return [...modes(), ...revocable].filter(({ value }) => value.startsWith(typed))
    },
    async run(args, call) {
      const [word, rest] = split(args.trim())
      if (word === '') return { kind: 'show', markdown: await show(approval, call) }
      if (word === 'revoke') return await revoke(approval, rest, call)
      approval.setMode(call.agent.session, args.trim())
      return { kind: 'show', markdown: `The permission mode is now **${args.trim()}**.` }
    },
  })
}

function split(text: string): [string, string] {
  const at = text.search(/\s/)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at).trim()]
}

async function show(approval: ApprovalService, call: CommandCall): Promise<string> {
  return renderPermissions({ mode: approval.modeOf(call.agent.session), modes: approval.modes(), rules: await rulesOf(approval, call) })
}

async function rulesOf(approval: ApprovalService, { agent: { session }, signal }: CommandCall): Promise<readonly RuleReference[]> {
  return (await approval.policy?.rules(session.header.cwd ?? process.cwd(), session, signal)) ?? []
}

async function revocations(approval: ApprovalService, call: CommandCall): Promise<Choice[]> {
  const allowed = allowancesOf(await rulesOf(approval, call))
  return [...allowed.map(({ text }, i) => ({ value: `revoke ${i + 1}`, label: `revoke ${i + 1}`, description: text })), { value: 'revoke all', label: 'revoke all', description: 'everything that answers allowed' }]
}

/** `which`: a number of the list, a rule as it is written, `all`; empty to choose. */
async function revoke(approval: ApprovalService, which: string, call: CommandCall): Promise<CommandResult> {
  const rules = await rulesOf(approval, call)
  const allowed = allowancesOf(rules)
  if (allowed.length === 0) return { kind: 'show', markdown: 'No answer has allowed anything for longer than its call: there is nothing to take back.' }
  const chosen = which === '' ? await choose(allowed, call) : which === 'all' ? allowed : [find(which, allowed, rules)]
  if (!chosen) return { kind: 'show', markdown: 'Nothing was taken back. **/permissions** lists what was allowed, and **/permissions revoke N** takes number N of it back.' }
  for (const { text } of chosen) await approval.revoke(call.agent.session, text, call.signal)
  const left = allowancesOf(await rulesOf(approval, call))
  const taken = chosen.map(({ text }) => code(text)).join(', ')
  return { kind: 'show', markdown: `Taken back: ${taken}. What ${chosen.length === 1 ? 'it' : 'they'} allowed is asked again from the next call on${left.length === 0 ? '' : `; ${left.length} of what was allowed ${left.length === 1 ? 'stays' : 'stay'} (**/permissions**)`}.` }
}

async function choose(allowed: readonly RuleReference[], { door, signal }: CommandCall): Promise<RuleReference[] | undefined> {
  const value = await door.choose?.('take back what was allowed; the next such call asks again', allowed.map(({ text, allowed: answer }) => ({ value: text, label: text, description: answer && describeAllowance(answer) })), signal)
  const chosen = allowed.filter(({ text }) => text === value)
  return chosen.length === 0 ? undefined : chosen
}

function find(which: string, allowed: readonly RuleReference[], rules: readonly RuleReference[]): RuleReference {
  const found = /^\d+$/.test(which) ? allowed[Number(which) - 1] : allowed.find(({ text }) => text === which)
  if (found) return found
  if (/^\d+$/.test(which)) throw new HarnessError('NO_ALLOWANCE', `there is no number ${which}: ${allowed.length === 1 ? 'one thing was' : `${allowed.length} things were`} allowed, and /permissions lists ${allowed.length === 1 ? 'it' : 'them'}`)
  const written = rules.find(({ text }) => text === which)
  if (written) throw new HarnessError('NO_ALLOWANCE', `${which} is no answer of yours but a rule of ${written.source}; take it out there`)
  const meant = nearest(which, allowed.map(({ text }) => text))
  throw new HarnessError('NO_ALLOWANCE', `no answer has allowed ${which}; ${meant === undefined ? '/permissions lists what was' : `did you mean ${meant}?`}`)
}
