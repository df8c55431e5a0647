/** Explains the composition that is running, for somebody in the middle of a conversation. */

import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { explain, renderExplained, type Running } from '@deepseek-ai/dsh-composition'
import { explainPermission, NO_POLICY, renderPermission } from '@deepseek-ai/dsh-inspection'
import type {} from '@deepseek-ai/dsh-approval'
import type {} from '@deepseek-ai/dsh-llm'
import type {} from '@deepseek-ai/dsh-system-prompt'
import type {} from '@deepseek-ai/dsh-tools'

/** What the model is offered and told, read from the running services. */
export const CONTRIBUTORS = {
  tools: (root: Context) => root.get('tools')?.list().map(({ name, kind = 'other' }) => ({ name, kind })) ?? [],
  'prompt sections': (root: Context) => root.get('systemPrompt')?.sections().map(({ name, order }) => ({ name, order })) ?? [],
  permissions: (root: Context) => [{ mode: root.get('approval')?.policy?.defaultMode ?? NO_POLICY }],
  models: (root: Context) => root.get('llm')?.models() ?? [],
}

/** All of it, or what would be said of `command` in the agent's session. */
export async function explainRunning(running: Running, command: string, { session }: Agent): Promise<string> {
  if (command === '') return renderExplained(explain(running, { contributors: CONTRIBUTORS }))
  return renderPermission(await explainPermission(running.root, [command], session.header.cwd ?? process.cwd(), session))
}
