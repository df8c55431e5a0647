/** Which format for scripts a command line asks for, told before it is parsed: its mistakes have to be told in that format too. Pure. */

import type { OutputFormat } from '@deepseek-ai/dsh-front-door'

const FORMATS: readonly string[] = ['json', 'jsonl', 'stream-json'] satisfies OutputFormat[]

/** The last one named; undefined for text and for what is no format. */
export function scriptFormat(args: readonly string[]): OutputFormat | undefined {
  const end = args.indexOf('--')
  const options = end < 0 ? args : args.slice(0, end)
  const named = options.flatMap((arg, index) => (arg === '--output-format' ? [options[index + 1]] : arg.startsWith('--output-format=') ? [arg.slice('--output-format='.length)] : []))
  return FORMATS.find(format => format === named.at(-1)) as OutputFormat | undefined
}
