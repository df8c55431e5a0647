/** Runs the tool calls of one answer: neighbours that may overlap do, results are logged in the model's order. */

import { unlessAborted } from '@deepseek-ai/dsh-abort'
import { describeError, toHarnessError } from '@deepseek-ai/dsh-errors'
import { parseJsonObject, type JsonObject } from '@deepseek-ai/dsh-json'
import { text, type ToolCallBlock } from '@deepseek-ai/dsh-llm'
import type { InjectedContext } from '@deepseek-ai/dsh-agent'
import { NOT_STARTED } from '@deepseek-ai/dsh-session'
import type { ToolExecution, ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import { checkpointNow, type TurnRun } from './turn-run.ts'

/** A call with what its arguments parse to. */
interface PlannedCall {
  block: ToolCallBlock
  arguments: JsonObject
  parseError?: string
}

/** A call whose `tool/call` is in the log, at `seq`. */
interface LoggedCall extends PlannedCall {
  seq: number
}

/** What the results want the model to know besides; for after the last of them. */
export async function runTools(run: TurnRun, step: number, blocks: readonly ToolCallBlock[], advertised: ReadonlySet<string>): Promise<InjectedContext[]> {
  const context: InjectedContext[] = []
  for (const group of groupCalls(run, blocks.map(plan))) {
    run.signal.throwIfAborted()
    const logged = group.map(call => ({ ...call, seq: logCall(run, step, call) }))
    await allowStart(run, step, logged)
    const running = logged.map(call => ({ call, pending: execute(run, call, advertised) }))
    for (const { call, pending } of running) {
      const result = await pending
      logResult(run, step, call, result)
      context.push(...(result.additionalContext ?? []))
    }
  }
  run.signal.throwIfAborted()
  return context
}

/** Returns when the log is safe. Throws when it is not or the turn is stopped; then none of the calls has run, and their results say so. */
async function allowStart(run: TurnRun, step: number, calls: readonly LoggedCall[]): Promise<void> {
  try {
    await checkpointNow(run)
    run.signal.throwIfAborted()
  } catch (error) {
    const code = run.signal.aborted ? 'ABORTED' : toHarnessError(error).code
    for (const call of calls) logResult(run, step, call, failure(call, NOT_STARTED, code))
    throw error
  }
}

function plan(block: ToolCallBlock): PlannedCall {
  const parsed = parseJsonObject(block.arguments)
  if (parsed.kind === 'object') return { block, arguments: parsed.value }
  return { block, arguments: {}, parseError: parsed.message }
}

/** Consecutive parallel calls form a group, up to the bound; every other call is one of its own. */
function groupCalls({ ctx, agent, limits }: TurnRun, calls: readonly PlannedCall[]): PlannedCall[][] {
  const groups: PlannedCall[][] = []
  let open: PlannedCall[] | undefined
  for (const call of calls) {
    const parallel = ctx.tools.concurrencyOf({ name: call.block.name, arguments: call.arguments, agent }) === 'parallel'
    if (parallel && open && open.length < limits.maxParallelTools) open.push(call)
    else groups.push((open = [call]))
    if (!parallel) open = undefined
  }
  return groups
}

function logCall({ session, turn }: TurnRun, step: number, { block, parseError }: PlannedCall): number {
  const { id: callId, name, arguments: raw } = block
  return session.append('tool/call', { turn, step, callId, name, arguments: raw, ...(parseError !== undefined && { parseError }) }).seq
}

/** Never rejects: the results of neighbours are waited for one after the other. */
async function execute({ ctx, agent, session, signal, limits }: TurnRun, planned: PlannedCall, advertised: ReadonlySet<string>): Promise<ToolExecutionResult> {
  const { block, arguments: args, parseError } = planned
  if (parseError !== undefined) {
    return failure(planned, `Error: the arguments of ${block.name || 'this call'} cannot be read: ${parseError}. The call was not run; send it again with complete arguments.`, 'INVALID_ARGS')
  }
  const call: ToolExecution = { callId: block.id, name: block.name, arguments: args, cwd: session.header.cwd ?? process.cwd(), signal, agent }
  try {
    return await unlessAborted(ctx.tools.execute(call, advertised), signal, { graceMs: limits.abortGraceMs })
  } catch (error) {
    if (signal.aborted) return failure(planned, 'Error: this call did not stop when it was cancelled; it may still be running.', 'ABORTED')
    return failure(planned, `Error: ${describeError(error)}`, toHarnessError(error).code)
  }
}

function failure({ block }: PlannedCall, message: string, code: string): ToolExecutionResult {
  return { callId: block.id, content: [text(message)], isError: true, error: { name: 'ToolError', code } }
}

/** The id is the model's, whatever a listener made of the result. */
function logResult({ session, turn }: TurnRun, step: number, { block, seq }: LoggedCall, { content, isError, error, meta }: ToolExecutionResult): void {
  const data = { turn, step, callId: block.id, content, isError, ...(error && { error }), ...(meta !== undefined && { meta }) }
  session.append('tool/result', data, { surfaceOp: 'append', sourceEventSeqs: [seq] })
}
