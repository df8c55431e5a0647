/** What the row can set. A rule that is none is an error with its place, never a rule less. */

import z from 'schemastery'
import { parseRule } from '@deepseek-ai/dsh-permission-patterns'
import type { PermissionMode } from './types.ts'

export interface PermissionRulesConfig {
  mode: PermissionMode
  /** Rules whose calls run. */
  allow: string[]
  /** Rules whose calls are asked about in every mode; they go before `allow`. */
  ask: string[]
  /** Rules whose calls never run; they go before all others. */
  deny: string[]
  /** Where what is allowed for a project is kept. Default: `permissions` beside the sessions. */
  directory?: string
}

const rules = (description: string): z<string[]> => z.array(z.string()).default([]).description(description)

const shape = z.object({
  mode: z.union(['ask', 'auto', 'read-only'] as const).default('ask').description('What happens where no rule speaks: ask, auto or read-only.'),
  allow: rules('Rules whose calls run: tool, or tool(pattern).'),
  ask: rules('Rules whose calls are asked about in every mode; they go before allow.'),
  deny: rules('Rules whose calls never run; they go before all others.'),
  directory: z.string().description('Where what is allowed for a project is kept. Default: permissions in the data directory.'),
}) as unknown as z<PermissionRulesConfig>

/** The schema, which also reads the rules. */
export const Config: z<PermissionRulesConfig> = Object.defineProperty(shape, '~standard', {
  value: { ...shape['~standard'], validate: checked(shape['~standard'].validate) },
})

type Validate = (typeof shape)['~standard']['validate']

function checked(validate: Validate): Validate {
  return value => {
    const result = validate(value)
    if ('then' in result || result.issues !== undefined) return result
    const issues = (['deny', 'ask', 'allow'] as const).flatMap(action =>
      (result.value as PermissionRulesConfig)[action].flatMap((text, at) => {
        const parsed = parseRule(text)
        return 'fault' in parsed ? [{ message: `${action}: ${parsed.fault}`, path: [action, String(at)] }] : []
      }),
    )
    return issues.length > 0 ? { issues } : result
  }
}
