/** A policy with the real file system and the real protections, for specs that put calls before it. */

import type { Context } from 'cordis'
import { createRoot } from 'cordis/host'
import { AgentRegistry } from '@deepseek-ai/dsh-agent'
import { ApprovalService, type Judgement, type PolicyCall, type RuleReference } from '@deepseek-ai/dsh-approval'
import { LocalFileSystem } from '@deepseek-ai/dsh-fs-local'
import * as fsPolicy from '@deepseek-ai/dsh-fs-policy'
import { LlmService } from '@deepseek-ai/dsh-llm'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { captureLog, tempWorkspace, textTool, type CapturedLine, type Workspace } from '@deepseek-ai/dsh-testkit'
import { ToolRegistry } from '@deepseek-ai/dsh-tools'
import * as permissionRules from '../src/index.ts'
import type { PermissionRulesConfig } from '../src/index.ts'

export interface PolicyBench extends AsyncDisposable {
  ctx: Context
  workspace: Workspace
  /** Where rules for projects are kept. */
  kept: Workspace
  log: readonly CapturedLine[]
  judge(tool: string, args: PolicyCall['arguments'], more?: Partial<PolicyCall>): Promise<Judgement>
  /** The verdict on a command line. */
  line(command: string, mode?: string): Promise<Judgement>
  rules(): Promise<readonly RuleReference[]>
}

const TOOLS = ['read', 'write', 'edit', 'grep', 'glob', 'bash', 'web_fetch', 'todo_write', 'mcp__git__log']

/** `files` stand in the workspace. */
export async function policyBench(config: Partial<PermissionRulesConfig> = {}, files: Readonly<Record<string, string>> = {}): Promise<PolicyBench> {
  const [workspace, kept] = await Promise.all([tempWorkspace(files), tempWorkspace()])
  const ctx = createRoot()
  const log = captureLog(ctx)
  for (const service of [LlmService, SessionStore, SystemPrompt, AgentRegistry, ToolRegistry, ApprovalService, LocalFileSystem]) await ctx.plugin(service as never, {} as never)
  await ctx.plugin(fsPolicy as never, {} as never)
  await ctx.plugin({ name: 'tools', inject: ['tools'], apply: (inner: Context) => TOOLS.forEach(tool => void inner.tools.register(textTool(tool, () => 'done'))) })
  await ctx.plugin(permissionRules as never, { directory: kept.path, ...config } as never)
  const policy = ctx.approval.policy
  if (!policy) throw new Error('the policy did not start')
  const judge: PolicyBench['judge'] = (tool, args, more) => policy.judge({ tool, arguments: args, cwd: workspace.path, ...more }, AbortSignal.timeout(20_000))
  return {
    ctx, workspace, kept, log, judge,
    line: (command, mode) => judge('bash', { command }, mode === undefined ? {} : { mode }),
    rules: () => policy.rules(workspace.path, undefined, AbortSignal.timeout(5000)),
    async [Symbol.asyncDispose]() {
      await ctx.fiber.dispose()
      await Promise.all([workspace.dispose(), kept.dispose()])
    },
  }
}
