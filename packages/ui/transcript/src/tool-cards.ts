/** What a tool call and its result look like: by the tool's own presenters, else by what is in them. Pure. */

import { textOf } from '@deepseek-ai/dsh-llm'
import { parseJsonObject, type JsonObject } from '@deepseek-ai/dsh-json'
import type { SessionEventMap } from '@deepseek-ai/dsh-session'
import { tellingArgument, type ToolCallView, type ToolDefinition, type ToolResultView } from '@deepseek-ai/dsh-tools'
import type { ToolEnd, ToolHead } from './tool-item.ts'

export function describeCall({ name, arguments: raw, parseError }: Pick<SessionEventMap['tool/call'], 'name' | 'arguments' | 'parseError'>, tool: ToolDefinition | undefined): ToolHead {
  const args = parseError === undefined ? parse(raw) : undefined
  const view = args && present(() => tool?.presentCall?.(args))
  if (!args || !view) return { name, title: tellingArgument(raw) }
  return fromView(name, view)
}

function fromView(name: string, view: ToolCallView): ToolHead {
  switch (view.card) {
    case 'terminal':
      return { name, title: view.title, ...(view.description !== undefined && { description: view.description }) }
    case 'diff':
      return { name, title: view.title.replace(new RegExp(`^${name}\\s+`, 'i'), ''), diffs: view.diffs }
    default:
      return { name, title: view.title.replace(new RegExp(`^${name}\\s+`, 'i'), '') }
  }
}

export function describeResult({ content, isError, error, meta }: SessionEventMap['tool/result'], call: SessionEventMap['tool/call'], tool: ToolDefinition | undefined): ToolEnd {
  const args = call.parseError === undefined ? parse(call.arguments) : undefined
  const result = { content, isError, ...(meta !== undefined && { meta }) }
  const isRead = tool?.kind === 'read' && !isError
  const view = !isError && args ? present(() => tool?.presentResult?.(args, result)) : undefined
  const output = textOf(content)
  const plain: ToolEnd = { isError, output, ...(isRead && { isFolded: true }), ...(error && error.code !== 'ABORTED' && { status: `[${error.code}]` }) }
  return view ? { ...plain, ...fromResultView(view, output) } : plain
}

function fromResultView(view: ToolResultView, output: string): Partial<ToolEnd> {
  switch (view.card) {
    case 'terminal': {
      const ending = view.signal !== undefined ? `ended by ${view.signal}` : view.exitCode !== undefined && view.exitCode !== 0 ? `exit code ${view.exitCode}` : undefined
      return { output: withoutExitCode(view.output ?? output, ending), ...(ending !== undefined && { status: ending }) }
    }
    case 'diff':
      return { diffs: view.diffs }
    default:
      return view.content ? { output: textOf(view.content) } : {}
  }
}

/** The tool's last line for the model, which is shown as the status. */
function withoutExitCode(output: string, ending: string | undefined): string {
  return ending === undefined ? output : output.replace(/(?:^|\n)\[exit code: -?\d+\]\s*$/, '')
}

/** A presenter that fails costs its card, not the screen. */
function present<T>(presenter: () => T): T | undefined {
  try {
    return presenter()
  } catch {
    return undefined // the generic card says what there is
  }
}

/** Undefined for what is no object, and where the model left them out. */
function parse(raw: string): JsonObject | undefined {
  const parsed = raw.trim() === '' ? undefined : parseJsonObject(raw)
  return parsed?.kind === 'object' ? parsed.value : undefined
}
