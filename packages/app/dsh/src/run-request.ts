/** What the command line asks of a run's front door: which one it is, and what it is told. */

import { dirname, resolve } from 'node:path'
import type { CommandLine, OutputOptions } from '@deepseek-ai/dsh-command-line'
import { UsageError } from '@deepseek-ai/dsh-command-line'
import type { ExtraRow } from '@deepseek-ai/dsh-composition-yaml'
import type { OutputRequest, RunRequest, Terminal } from '@deepseek-ai/dsh-front-door'
import { mayBeFile, mustBe } from './compose.ts'

export type RunMode = 'print' | 'conversation'

/** Without a terminal to type on there is nobody to converse with. Throws `UsageError` for what only scripts can ask for. */
export function modeOf(line: CommandLine, terminal: Terminal): RunMode {
  if (line.print || terminal.stdin.isTTY !== true) return 'print'
  const option = scriptOption(line)
  if (option !== undefined) throw new UsageError(`${option} belongs to one shot: add -p, or pipe the prompt in`)
  return 'conversation'
}

/** The row that the mode mounts. */
export function frontDoorRow({ output, plain }: CommandLine, mode: RunMode, terminal: Terminal): ExtraRow {
  if (mode === 'conversation' && !plain && isRich(terminal, process.env)) return { id: 'ui-repl', name: '@deepseek-ai/dsh-ui-repl', required: true }
  const isText = output === undefined || output.format === 'text'
  return isText ? { id: 'ui-text', name: '@deepseek-ai/dsh-ui-text', config: { mode }, required: true } : { id: 'ui-jsonl', name: '@deepseek-ai/dsh-ui-jsonl', required: true }
}

/** Whether a screen can be drawn: not on a dumb terminal, and not when what is shown goes elsewhere. */
function isRich({ stdout }: Terminal, { TERM }: NodeJS.ProcessEnv): boolean {
  return stdout.isTTY === true && TERM !== undefined && TERM !== '' && TERM !== 'dumb'
}

/** Throws `UsageError` for files that cannot be what they are named for. */
export function outputRequest(output: OutputOptions | undefined): Pick<RunRequest, 'output'> {
  if (output === undefined) return {}
  const { lastMessageFile, schemaFile, ...rest } = output
  const request: OutputRequest = { ...rest }
  if (lastMessageFile !== undefined) {
    request.lastMessageFile = resolve(lastMessageFile)
    mustBe('directory', dirname(request.lastMessageFile), '--output')
    mayBeFile(request.lastMessageFile, '--output')
  }
  if (schemaFile !== undefined) {
    request.schemaFile = resolve(schemaFile)
    mustBe('file', request.schemaFile, '--json-schema')
  }
  return { output: request }
}

/** What a turn may use up. */
export function budgetOf({ maxSteps, maxCost, timeoutMs }: CommandLine): NonNullable<RunRequest['agentOptions']['budget']> {
  return { ...(maxSteps !== undefined && { maxSteps }), ...(maxCost !== undefined && { maxCost }), ...(timeoutMs !== undefined && { deadlineMs: timeoutMs }) }
}

function scriptOption({ output, maxTurns }: CommandLine): string | undefined {
  if (maxTurns !== undefined) return '--max-turns'
  if (output === undefined) return undefined
  if (output.format !== 'text') return `--output-format ${output.format}`
  if (output.lastMessageFile !== undefined) return '--output'
  return output.schemaFile === undefined ? undefined : '--json-schema'
}
