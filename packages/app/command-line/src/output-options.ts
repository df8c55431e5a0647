/** The options of the command line that say what goes in and out of a script's run. Pure. */

import type { InputFormat, OutputFormat } from '@deepseek-ai/dsh-front-door'
import { OPTIONS } from './options.ts'
import { notEmpty, oneOf } from './read-values.ts'
import { UsageError } from './usage-error.ts'

/** What a script asks for. Paths are as they were typed. */
export interface OutputOptions {
  format: OutputFormat
  inputFormat: InputFormat
  includePartialMessages?: true
  lastMessageFile?: string
  schemaFile?: string
}

export interface OutputValues {
  'output-format'?: string | undefined
  'input-format'?: string | undefined
  'include-partial-messages'?: boolean | undefined
  output?: string | undefined
  'json-schema'?: string | undefined
}

/** Undefined when nothing is said. Throws `UsageError` for formats that do not go together. */
export function readOutputOptions(values: OutputValues): OutputOptions | undefined {
  const lastMessageFile = notEmpty('--output', values.output)
  const schemaFile = notEmpty('--json-schema', values['json-schema'])
  const partial = values['include-partial-messages'] ?? false
  const [out, into] = [values['output-format'], values['input-format']]
  if (out === undefined && into === undefined && !partial && lastMessageFile === undefined && schemaFile === undefined) return undefined
  const format = oneOf('--output-format', out ?? 'text', OPTIONS['output-format'].values)
  const inputFormat = oneOf('--input-format', into ?? 'text', OPTIONS['input-format'].values)
  if (inputFormat !== 'text' && inputFormat !== format) throw new UsageError(`--input-format ${inputFormat} goes with --output-format ${inputFormat}, not with ${format}`)
  if (partial && format !== 'stream-json') throw new UsageError('--include-partial-messages goes with --output-format stream-json')
  return { format, inputFormat, ...(partial && { includePartialMessages: true }), ...(lastMessageFile !== undefined && { lastMessageFile }), ...(schemaFile !== undefined && { schemaFile }) }
}
