/** How a screen shows a command: a terminal card. Pure. */

import type { ToolCallView, ToolResult, ToolResultView } from '@deepseek-ai/dsh-tools'

export interface ShownArgs {
  command: string
  description?: string | undefined
  workdir?: string | undefined
}

export function presentCall({ command, description, workdir }: ShownArgs): ToolCallView {
  return { card: 'terminal', title: command, ...(description !== undefined && { description }), ...(workdir !== undefined && { cwd: workdir }) }
}

/** The exit status comes from `meta`: output that looks like a status line changes nothing. */
export function presentResult({ command }: ShownArgs, { content, meta }: ToolResult): ToolResultView {
  const { exitCode, signal } = asRecord(meta)
  const output = content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
  return {
    card: 'terminal',
    title: command,
    output,
    ...(typeof exitCode === 'number' && { exitCode }),
    ...(typeof signal === 'string' && { signal }),
  }
}

function asRecord(meta: ToolResult['meta']): Record<string, unknown> {
  return typeof meta === 'object' && meta !== null && !Array.isArray(meta) ? meta : {}
}
