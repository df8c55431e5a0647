/** `/permissions`: the mode and the rules of a session, and another mode. */

import type { Context } from 'cordis'
import type { ApprovalService } from '@deepseek-ai/dsh-approval'
import type { CommandCall } from '@deepseek-ai/dsh-commands'
import { renderPermissions } from './render-permissions.ts'

export const name = 'permission-command'
export const inject = ['approval', 'commands']

export function apply(ctx: Context): void {
  const { approval } = ctx
  const modes = () => approval.modes().map(({ name: value, description }) => ({ value, label: value, description }))
  ctx.commands.register({
    name: 'permissions',
    aliases: ['permission'],
    description: 'how calls are decided: the mode and the rules, or another mode from now on',
    argumentHint: '[MODE]',
    complete: async typed => modes().filter(({ value }) => value.startsWith(typed)),
    async run(args, call) {
      const mode = args.trim()
      if (mode === '') return { kind: 'show', markdown: await show(approval, call) }
      approval.setMode(call.agent.session, mode)
      return { kind: 'show', markdown: `The permission mode is now **${mode}**.` }
    },
  })
}

async function show(approval: ApprovalService, { agent: { session }, signal }: CommandCall): Promise<string> {
  const rules = (await approval.policy?.rules(session.header.cwd ?? process.cwd(), session, signal)) ?? []
  return renderPermissions({ mode: approval.modeOf(session), modes: approval.modes(), rules })
}
