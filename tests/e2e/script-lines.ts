/** Holds what a run wrote for scripts against the schema that the distribution brings. */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { distribution } from './program.ts'

/** One line, parsed. */
export type ScriptLine = Record<string, any> & { type: string }

export type ScriptFormat = 'json' | 'jsonl' | 'stream-json'

let compiling: Promise<Ajv2020> | undefined

async function compile(): Promise<Ajv2020> {
  const schema = JSON.parse(readFileSync(join(dirname(await distribution()), 'lines.schema.json'), 'utf8'))
  return new Ajv2020({ strict: true, allowUnionTypes: true }).addSchema(schema)
}

/** Every line, each valid; throws when there is anything else on stdout, or when the last line is no result. */
export async function linesOf(stdout: string, format: ScriptFormat = 'jsonl'): Promise<ScriptLine[]> {
  compiling ??= compile()
  const ajv = await compiling
  const validate = ajv.getSchema(`urn:deepseek-ai:dsh:lines:1#/$defs/${format}-output`) as ValidateFunction
  if (!stdout.endsWith('\n')) throw new Error(`the last line has no end: ${stdout.slice(-200)}`)
  const lines = stdout.split('\n').slice(0, -1).map(line => {
    const parsed = JSON.parse(line) as ScriptLine
    if (!validate(parsed)) throw new Error(`not of the schema: ${line.slice(0, 500)}: ${ajv.errorsText(validate.errors)}`)
    return parsed
  })
  if (lines.at(-1)?.type !== 'result') throw new Error(`the last line is no result: ${stdout.slice(-500)}`)
  return lines
}

/** The result, after every line has been looked at. */
export async function resultOf(stdout: string, format: ScriptFormat = 'jsonl'): Promise<ScriptLine> {
  return (await linesOf(stdout, format)).at(-1) as ScriptLine
}
