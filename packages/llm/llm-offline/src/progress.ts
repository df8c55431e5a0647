/** Small makers of progress: calls to make, reports to give. Pure. */

import { NEEDS_MODEL } from './phrases.ts'
import { reasonOf } from './read-result.ts'
import type { JsonObject } from '@deepseek-ai/dsh-json'
import type { ToolSchema } from '@deepseek-ai/dsh-llm'
import type { Command } from '@deepseek-ai/dsh-plain-commands'
import type { Outcome, PlannedCall, Progress } from './types.ts'

/** The tools that a request advertises, by name. */
export type Tools = ReadonlyMap<string, ToolSchema>

/** What has to be done next for one command, given what its calls gave so far. Pure, so that it can be replayed. */
export type CarryOut<C extends Command = Command> = (command: C, rounds: readonly Outcome[][], tools: Tools) => Progress

export function call(name: string, args: JsonObject): PlannedCall {
  return { name, arguments: args }
}

export function make(...calls: PlannedCall[]): Progress {
  return { kind: 'calls', calls }
}

export function succeeded(report: string): Progress {
  return { kind: 'done', report, ok: true }
}

export function failed(report: string): Progress {
  return { kind: 'done', report, ok: false }
}

/** "I could not run `x`: …" in the words of the tool. */
export function refused(action: string, outcome: Pick<Outcome, 'text'>): Progress {
  return failed(`I could not ${action}: ${reasonOf(outcome)}`)
}

/** The first of `names` that is not advertised, as a report; undefined when all are there. */
export function lacking(tools: Tools, action: string, ...names: string[]): Progress | undefined {
  const missing = names.find(name => !tools.has(name))
  return missing === undefined ? undefined : failed(`I could not ${action}: the tool \`${missing}\` is not available here.`)
}

/** What rules cannot do, with the request in the user's words. */
export function beyondRules(quotation: string): string {
  return `“${quotation}” ${NEEDS_MODEL}.`
}
