/** Runs the tool calls of one answer: neighbours that may overlap do, results are logged in the model's order. */

import { parseJsonObject, type JsonObject } from '@deepseek-ai/dsh-json'
import { text, type ToolCallBlock } from '@deepseek-ai/dsh-llm'
import type { InjectedContext } from '@deepseek-ai/dsh-agent'
import type { ToolExecution, ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import { checkpoint, type TurnRun } from './turn-run.ts'

/** A call whose `tool/call` is not in the log yet. */
interface PlannedCall {
  block: ToolCallBlock
  arguments: JsonObject
  parseError?: string
}

/** What the results want the model to know besides; for after the last of them. */
export async function runTools(run: TurnRun, step: number, blocks: readonly ToolCallBlock[], advertised: ReadonlySet<string>): Promise<InjectedContext[]> {
  const context: InjectedContext[] = []
  for (const group of groupCalls(run, blocks.map(plan))) {
    run.signal.throwIfAborted()
    const seqs = group.map(call => logCall(run, step, call))
    await checkpoint(run)
    const running = group.map(call => execute(run, call, advertised))
    for (const [index, pending] of running.entries()) {
      const result = await pending
      logResult(run, step, result, seqs[index] ?? 0)
      context.push(...(result.additionalContext ?? []))
    }
  }
  run.signal.throwIfAborted()
  return context
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

async function execute({ ctx, agent, session, signal }: TurnRun, { block, arguments: args, parseError }: PlannedCall, advertised: ReadonlySet<string>): Promise<ToolExecutionResult> {
  if (parseError !== undefined) {
    const message = `Error: the arguments of ${block.name || 'this call'} are ${parseError}. The call was not run; send it again with complete arguments.`
    return { callId: block.id, content: [text(message)], isError: true, error: { name: 'ToolError', code: 'INVALID_ARGS' } }
  }
  const call: ToolExecution = { callId: block.id, name: block.name, arguments: args, cwd: session.header.cwd ?? process.cwd(), signal, agent }
  return await ctx.tools.execute(call, advertised)
}

function logResult({ session, turn }: TurnRun, step: number, result: ToolExecutionResult, callSeq: number): void {
  const { callId, content, isError, error, meta } = result
  const data = { turn, step, callId, content, isError, ...(error && { error }), ...(meta !== undefined && { meta }) }
  session.append('tool/result', data, { surfaceOp: 'append', sourceEventSeqs: [callSeq] })
}
