/** The tool registry alone, and calls into it. */

import { createRoot } from 'cordis/host'
import type { Context } from 'cordis'
import type { JsonObject } from '@deepseek-ai/dsh-json'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { ToolRegistry, type ToolDefinition, type ToolExecution, type ToolExecutionResult } from '@deepseek-ai/dsh-tools'

export async function withTools(...tools: ToolDefinition[]): Promise<Context> {
  const ctx = createRoot()
  await ctx.plugin(SystemPrompt)
  await ctx.plugin(ToolRegistry)
  for (const tool of tools) ctx.tools.register(tool)
  return ctx
}

export function callOf(name: string, args: JsonObject = {}, signal: AbortSignal = new AbortController().signal): ToolExecution {
  return { callId: 'c1', name, arguments: args, cwd: '/', signal }
}

/** `!` marks an error, the code stands in brackets. */
export function shown({ content, isError, error }: ToolExecutionResult): string {
  const said = content.map(block => (block.type === 'text' ? block.text : block.type)).join(' | ')
  return `${isError ? '! ' : ''}${said}${error ? ` [${error.code}]` : ''}`
}
