/**
 * A final answer that is JSON of a given schema: `--json-schema FILE`.
 *
 * The schema reaches the model with the first prompt (`agent/prompt-submit`,
 * so it is in the log as `context/message`). When a turn is about to end with
 * an answer that does not fit, the model is told what is wrong and asked once
 * more (`agent/turn-continuation`, in the log as `steering/message`).
 */

import { closeSync, openSync, readSync } from 'node:fs'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'
import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'
import { text } from '@deepseek-ai/dsh-llm'
import type { Session } from '@deepseek-ai/dsh-session'
import type { Context } from 'cordis'
import { finalAnswer } from './final-answer.ts'
import type { SchemaValidator } from './schema-validator.ts'

const SOURCE = { kind: 'plugin', plugin: 'front-door' } as const

/** As much of a schema as is worth a model's attention. */
const MOST_SCHEMA_BYTES = 256 * 1024

/** Whether an answer is what the schema asks for. */
export type CheckedAnswer = { kind: 'valid'; value: JsonValue } | { kind: 'invalid'; errors: string[] }

export interface StructuredAnswer {
  check(answer: string): CheckedAnswer
  /** Tells an agent of the schema, and has it mend one answer of each turn. */
  demandOf(ctx: Context, agent: Agent): void
}

/** Throws `USAGE` with the file and the reason when it holds no usable schema. */
export async function readStructuredAnswer(file: string): Promise<StructuredAnswer> {
  const schema = readSchema(file)
  const { compileSchema } = await import('./schema-validator.ts')
  let validator: SchemaValidator
  try {
    validator = await compileSchema(schema)
  } catch (error) {
    throw new HarnessError('USAGE', `--json-schema: ${file} is not a usable JSON Schema: ${describeError(error)}`, { cause: error })
  }
  const check = (answer: string): CheckedAnswer => checkAnswer(answer, validator)
  return { check, demandOf: (ctx, agent) => demand(ctx, agent, schema, check) }
}

function readSchema(file: string): JsonObject {
  let parsed: unknown
  try {
    const bytes = readAtMost(file, MOST_SCHEMA_BYTES + 1)
    if (bytes.length > MOST_SCHEMA_BYTES) throw new Error(`it is larger than ${MOST_SCHEMA_BYTES / 1024} KiB`)
    parsed = JSON.parse(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  } catch (error) {
    throw new HarnessError('USAGE', `--json-schema: ${file} cannot be read as JSON: ${describeError(error)}`, { cause: error })
  }
  if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return parsed as JsonObject
  throw new HarnessError('USAGE', `--json-schema: ${file} holds no JSON Schema, which is an object`)
}

/** Devices have no end: no more is read than is wanted. */
function readAtMost(file: string, most: number): Buffer {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(most)
    let length = 0
    for (let read = -1; read !== 0 && length < most; length += read) read = readSync(descriptor, bytes, length, most - length, null)
    return bytes.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}

function demand(ctx: Context, agent: Agent, schema: JsonObject, check: (answer: string) => CheckedAnswer): void {
  let isTold = false
  let mendedTurn: number | undefined
  ctx.on('agent/prompt-submit', async (of, _content, _source, next) => {
    const decision = await next()
    if (of !== agent || isTold || decision.kind !== 'allow') return decision
    isTold = true
    const before = decision.additionalContext?.content ?? []
    return { ...decision, additionalContext: { content: [...before, text(renderDemand(schema))], source: SOURCE } }
  })
  ctx.on('agent/turn-continuation', async (of, turn, _byDefault, next) => {
    const decision = await next()
    if (of !== agent || decision.action !== 'stop' || mendedTurn === turn) return decision
    const checked = check(answerOf(agent.session, turn))
    if (checked.kind === 'valid') return decision
    mendedTurn = turn
    return { action: 'continue', reason: { content: [text(renderRepair(checked.errors))], source: SOURCE } }
  })
}

/** What was last said in a turn. */
function answerOf({ settledEvents }: Session, turn: number): string {
  const start = settledEvents.findLastIndex(({ type, data }) => type === 'turn/start' && data.turn === turn)
  return finalAnswer(settledEvents.slice(start))
}

function renderDemand(schema: JsonObject): string {
  return `Your final message of this turn must be one JSON value that this JSON Schema describes, and nothing else: no words around it, no code fence.\n\n${JSON.stringify(schema)}`
}

function renderRepair(errors: readonly string[]): string {
  return `Your last message is not what the JSON Schema asks for:\n${errors.map(error => `- ${error}`).join('\n')}\n\nAnswer again with the JSON value alone.`
}

function checkAnswer(answer: string, validator: SchemaValidator): CheckedAnswer {
  let value: JsonValue
  try {
    value = JSON.parse(unfence(answer)) as JsonValue
  } catch (error) {
    return { kind: 'invalid', errors: [answer.trim() === '' ? 'it is empty' : `it is not JSON: ${describeError(error)}`] }
  }
  const errors = validator(value)
  return errors.length === 0 ? { kind: 'valid', value } : { kind: 'invalid', errors }
}

/** What stands inside the only code fence, for models that cannot do without one; else the text as it is. */
function unfence(answer: string): string {
  const fences = [...answer.matchAll(/^[ \t]*```[\w-]*[ \t]*\r?\n([\s\S]*?)\r?\n?^[ \t]*```[ \t]*$/gm)]
  return fences.length === 1 ? (fences[0]?.[1] ?? answer) : answer
}
