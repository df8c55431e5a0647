/** One call through the pipeline: pre-execute, validation, body, post-execute. A throw anywhere becomes an error result. */

import type { Context } from 'cordis'
import { describeError, isHarnessError } from '@deepseek-ai/dsh-errors'
import { findNonJson } from '@deepseek-ai/dsh-json'
import { text, type ContentBlock } from '@deepseek-ai/dsh-llm'
import { clipMiddle } from '@deepseek-ai/dsh-text'
import { coerceArgs } from './coerce-args.ts'
import { ToolError } from './errors.ts'
import type { PostToolDecision, PreToolDecision, ToolDefinition, ToolExecution, ToolExecutionResult, ToolReturn } from './types.ts'
import type { ArgsValidator } from './validate-args.ts'

/** The path into a cycle is as long as the search went. */
const LONGEST_FAULT = 300

export interface Pipeline {
  root: Context
  /** The `this` of the waterfalls, which filters their listeners. */
  subject: object
  validatorOf(tool: ToolDefinition): Promise<ArgsValidator>
  /** Longer text blocks of a result are cut in the middle. In UTF-16 units. */
  maxResultLength: number
}

/** Never rejects. */
export async function executeTool(pipeline: Pipeline, tool: ToolDefinition, call: ToolExecution): Promise<ToolExecutionResult> {
  try {
    const result = await judge(pipeline, call, await gate(pipeline, tool, call))
    checkResult(tool, result)
    // A cache may have kept a result of another call.
    return { ...bound(result, pipeline.maxResultLength), callId: call.callId }
  } catch (error) {
    return errorResult(call, error)
  }
}

async function gate(pipeline: Pipeline, tool: ToolDefinition, call: ToolExecution): Promise<ToolExecutionResult> {
  let hasStarted = false
  try {
    const checked = await checkArguments(pipeline, tool, call)
    const decision = await pipeline.root.waterfall(pipeline.subject, 'tools/pre-execute', checked, tool, () => Promise.resolve<PreToolDecision>({ kind: 'allow' }))
    if (decision.kind === 'deny') return denial(call, decision.reason, decision.code ?? 'DENIED')
    if (decision.kind === 'ask') return denial(call, `this call needs a permission that nobody here can give${decision.reason ? `: ${decision.reason}` : ''}`, 'PERMISSION_REQUIRED')
    const final = decision.arguments ? await checkArguments(pipeline, tool, { ...call, arguments: decision.arguments }) : checked
    if (call.signal.aborted) return cancelledBefore(call)
    hasStarted = true
    return await pipeline.root.waterfall(pipeline.subject, 'tools/execute', final, tool, () => runBody(pipeline, tool, final))
  } catch (error) {
    // A listener that was waiting for an answer passes the abort on.
    return !hasStarted && call.signal.aborted && error === call.signal.reason ? cancelledBefore(call) : errorResult(call, error)
  }
}

async function checkArguments({ validatorOf }: Pipeline, tool: ToolDefinition, call: ToolExecution): Promise<ToolExecution> {
  const args = coerceArgs(tool.parameters, call.arguments)
  const violations = (await validatorOf(tool)).validate(args)
  if (violations.length > 0) throw new ToolError('INVALID_ARGS', `invalid arguments for ${tool.name}: ${violations.join('; ')}`)
  return { ...call, arguments: args }
}

async function runBody({ root, subject }: Pipeline, tool: ToolDefinition, call: ToolExecution): Promise<ToolExecutionResult> {
  try {
    return toResult(call, await tool.execute(call.arguments, { ...call, report: text => void root.emit(subject as never, 'tools/progress', call, text) }))
  } catch (error) {
    return errorResult(call, error)
  }
}

function toResult(call: ToolExecution, returned: ToolReturn): ToolExecutionResult {
  if (Array.isArray(returned)) return { callId: call.callId, content: returned, isError: false }
  if (typeof returned !== 'object' || returned === null) throw new ToolError('INVALID_RESULT', `the tool ${call.name} returned ${String(returned)} instead of a result`)
  const { content, isError = false, meta } = returned
  return { callId: call.callId, content, isError, ...(meta !== undefined && { meta }) }
}

async function judge({ root, subject }: Pipeline, call: ToolExecution, result: ToolExecutionResult): Promise<ToolExecutionResult> {
  const shown = structuredClone(result)
  const decision = await root.waterfall(subject, 'tools/post-execute', call, shown, () => Promise.resolve<PostToolDecision>({ kind: 'accept' }))
  const additionalContext = decision.additionalContext ? [...(result.additionalContext ?? []), decision.additionalContext] : result.additionalContext
  const extra = additionalContext && { additionalContext }
  if (decision.kind === 'block') return { callId: call.callId, content: decision.feedback, isError: true, ...extra }
  return { ...result, ...(decision.content && { content: decision.content }), ...extra }
}

/** Throws `INVALID_RESULT`: what is wrong here must not end the turn when it is logged. */
function checkResult(tool: ToolDefinition, { content, isError, meta, error }: ToolExecutionResult): void {
  const fault = isBlockList(content) ? findNonJson({ content, isError, ...(meta !== undefined && { meta }), ...(error && { error }) }, 'result') : 'result.content is not a list of blocks'
  if (fault !== undefined) throw new ToolError('INVALID_RESULT', `the tool ${tool.name} returned what cannot be logged: ${clipMiddle(fault, LONGEST_FAULT, () => '…')}`)
}

function isBlockList(content: unknown): boolean {
  return Array.isArray(content) && content.every(block => typeof block === 'object' && block !== null && (block.type !== 'text' || typeof block.text === 'string'))
}

function bound(result: ToolExecutionResult, most: number): ToolExecutionResult {
  const clip = (block: ContentBlock): ContentBlock => (block.type === 'text' && block.text.length > most ? text(clipMiddle(block.text, most, cut => `\n… ${cut} characters left out …\n`)) : block)
  return { ...result, content: result.content.map(clip) }
}

function denial({ callId }: ToolExecution, reason: string, code: string): ToolExecutionResult {
  return { callId, content: [text(`Error: ${reason}`)], isError: true, error: { name: 'ToolError', code } }
}

function cancelledBefore(call: ToolExecution): ToolExecutionResult {
  return denial(call, 'this call was cancelled before it started; it had no effect', 'ABORTED')
}

/** What the model reads of a failure, with its code for programs. An abort has a code of its own. */
export function errorResult({ callId, signal }: Pick<ToolExecution, 'callId' | 'signal'>, error: unknown): ToolExecutionResult {
  const aborted = signal.aborted && error === signal.reason
  const message = aborted ? 'this call was cancelled; it may have had effects already' : describeError(error)
  const info = aborted ? { name: 'ToolError', code: 'ABORTED' } : isHarnessError(error) ? { name: error.name, code: error.code } : undefined
  return { callId, content: [text(`Error: ${message}`)], isError: true, ...(info && { error: info }) }
}
