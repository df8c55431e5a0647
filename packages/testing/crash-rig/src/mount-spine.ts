/** The spine with a store, as both the victim and the judge use it. */

import type { Context, Plugin } from 'cordis'
import { createRoot } from 'cordis/host'
import { AgentRegistry } from '@deepseek-ai/dsh-agent'
import { AgentLoop } from '@deepseek-ai/dsh-agent-loop'
import { LlmService } from '@deepseek-ai/dsh-llm'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { SqliteSessionPersistence } from '@deepseek-ai/dsh-session-persistence-sqlite'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { ToolRegistry } from '@deepseek-ai/dsh-tools'

export type Backend = 'jsonl' | 'sqlite'

/** Sessions are stored below `root`; the tool `work` takes a moment. */
export async function mountSpine(backend: Backend, root: string): Promise<Context> {
  const ctx = createRoot()
  for (const service of [LlmService, SessionStore, SystemPrompt, AgentRegistry, ToolRegistry]) await ctx.plugin(service as Plugin)
  await ctx.plugin((backend === 'jsonl' ? JsonlSessionPersistence : SqliteSessionPersistence) as Plugin, { root } as never)
  await ctx.plugin(AgentLoop as Plugin, {} as never)
  await ctx.plugin({
    name: 'work',
    inject: ['tools'],
    apply(inner: Context) {
      inner.tools.register({
        name: 'work',
        description: 'Takes a moment.',
        parameters: { type: 'object', properties: { n: { type: 'integer' } }, additionalProperties: false },
        concurrency: 'parallel',
        async execute({ n }) {
          await new Promise(resolve => setTimeout(resolve, Math.random() * 15))
          return [{ type: 'text', text: `worked on ${String(n)}` }]
        },
      })
    },
  })
  return ctx
}
