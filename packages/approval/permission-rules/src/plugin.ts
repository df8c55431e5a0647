/** Mounts the policy and its gate: rules from the row, from what was allowed for the project, and from answers of the session. */

import { homedir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'cordis'
import type {} from '@cordisjs/loader'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-approval'
import type {} from '@deepseek-ai/dsh-bash'
import type { Session } from '@deepseek-ai/dsh-session'
import { defaultRoot, projectName } from '@deepseek-ai/dsh-session-persistence'
import type {} from '@deepseek-ai/dsh-tools'
import type { FileWorld } from './command-files.ts'
import type { PermissionRulesConfig } from './config.ts'
import { Gate } from './gate.ts'
import { findIdleRules } from './idle-rules.ts'
import { RulePolicy, type PolicyWorld } from './policy.ts'
import { ProjectRules } from './project-rules.ts'
import { RuleBook, toRule } from './rule-book.ts'
import type { PermissionMode, Rule } from './types.ts'

export const name = 'permission-rules'
export const inject = ['tools', 'approval']

const MODES: Readonly<Record<PermissionMode, string>> = {
  ask: 'what only reads runs, everything else is asked',
  auto: 'everything runs but what is dangerous, which is asked',
  'read-only': 'what only reads runs, everything else is refused',
}

export function apply(ctx: Context, config: PermissionRulesConfig): void {
  const kept = new ProjectRules(config.directory ?? join(defaultRoot(process.env), 'permissions'), message => ctx.logger.warn(message))
  const book = new RuleBook(rulesOf(ctx, config))
  const policy = new RulePolicy(book, worldOf(ctx, kept, config.mode), config.mode)
  const gate = new Gate(ctx, policy, async (rules, { id, header: { cwd } }) => await kept.add(projectName(cwd), rules, { path: cwd ?? 'no directory', session: id, now: new Date() }))
  for (const [mode, description] of Object.entries(MODES)) ctx.approval.registerMode({ name: mode, description })
  ctx.approval.setPolicy(policy)
  for (const agent of ctx.get('agents')?.list() ?? []) gate.own(agent)
  let isTold = false
  ctx.on('agent/created', agent => {
    gate.own(agent)
    // By now every plugin has had its time to bring its tools.
    if (!isTold) warnOfIdleRules(ctx, book)
    isTold = true
  })
  // First in line, so that it sees what everybody else decided.
  ctx.on('tools/pre-execute', async (call, tool, next) => await gate.decide(call, tool, await next()), { prepend: true })
}

function rulesOf(ctx: Context, config: PermissionRulesConfig): Rule[] {
  return (['deny', 'ask', 'allow'] as const).flatMap(action =>
    config[action].map((text, at) => toRule(action, text, () => ctx.root.bail('loader/where', ctx, `${action}.${at}`) ?? `permission-rules.${action}[${at}]`)),
  )
}

function warnOfIdleRules(ctx: Context, book: RuleBook): void {
  if (book.all().length === 0) return
  for (const [rule, why] of findIdleRules(book, toolsOf(ctx))) ctx.logger.warn('%s: the rule %s never holds: %s', rule.source(), rule.text, why)
}

function toolsOf(ctx: Context): string[] {
  return ctx.tools.list().map(tool => tool.name)
}

function worldOf(ctx: Context, kept: ProjectRules, defaultMode: string): PolicyWorld {
  const agentOf = (session: Session | undefined): Agent | undefined => (session ? ctx.get('agents')?.list().find(each => each.session === session) : undefined)
  return {
    home: homedir(),
    files: () => filesOf(ctx),
    dialect: () => ctx.get('bash')?.shell?.dialect ?? 'bash',
    modeOf: session => (session && ctx.approval.modeOf(session)) ?? defaultMode,
    baseOf: mode => ctx.approval.baseMode(mode),
    allowances: session => ctx.approval.allowances(session),
    ofProject: async workspace => await kept.of(projectName(workspace)),
    forgetOfProject: async (workspace, rule) => await kept.remove(projectName(workspace), rule, new Date()),
    directories: session => agentOf(session)?.options.directories ?? [],
    tools: () => toolsOf(ctx),
  }
}

/** Where nobody knows what is protected, everything is. */
function filesOf(ctx: Context): FileWorld {
  return {
    fs: ctx.get('fs'),
    async whyProtected(path, { cwd, workspace, directories, signal }) {
      const answer = await ctx.root.serial('fs/why-protected', path, { cwd, workspace, directories, signal })
      return answer ? answer.why : 'nothing here knows which files are protected'
    },
  }
}
