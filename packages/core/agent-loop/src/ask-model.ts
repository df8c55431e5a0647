/** One answer of the model: streamed into the log, retried within bounds. */

import { unlessAborted } from '@deepseek-ai/dsh-abort'
import { toHarnessError } from '@deepseek-ai/dsh-errors'
import { BlockAssembler, costOf, LlmError, toolCallsOf, type ContentBlock, type GenerateOptions } from '@deepseek-ai/dsh-llm'
import { hasSubstance, visibleAnswer } from '@deepseek-ai/dsh-session'
import type { RequestErrorDecision } from '@deepseek-ai/dsh-agent'
import { assemblePrompt, buildRequest, type Prompt } from './build-request.ts'
import { checkpointNow, type TurnRun } from './turn-run.ts'
import { sleep } from './wait.ts'

/** A complete answer and the request that it answers. */
export interface Answer {
  request: GenerateOptions
  assembler: BlockAssembler
}

/** Another attempt cannot help against these, whatever a listener answers. */
const HOPELESS: ReadonlySet<string> = new Set(['AUTH', 'INVALID_REQUEST', 'QUOTA', 'NO_ADAPTER', 'NO_MODEL', 'UNSUPPORTED'])

/**
 * Asks until an answer is complete. A failed attempt is logged as
 * `llm/attempt`; whether there is another is up to `agent/request-error` and
 * the loop's own cap. Throws the last error, or the signal's reason after
 * having logged what was visible.
 */
export async function askModel(run: TurnRun, step: number, prompt: Prompt): Promise<Answer> {
  for (let attempt = 1; ; attempt++) {
    const current = attempt === 1 ? prompt : await assemblePrompt(run)
    const request = await buildRequest(run, step, current)
    await checkpointNow(run)
    run.signal.throwIfAborted()
    const assembler = new BlockAssembler()
    try {
      await unlessAborted(stream(run, step, request, assembler), run.signal, { graceMs: run.limits.abortGraceMs })
      return { request, assembler }
    } catch (error) {
      const { usage } = assembler
      if (usage) run.budget.addUsage(usage, costOf(usage, run.ctx.llm.info(request.model)))
      if (run.signal.aborted) {
        keepVisible(run, step, request)
        throw run.signal.reason
      }
      await recover(run, step, attempt, error)
    }
  }
}

async function stream({ ctx, session, turn, signal }: TurnRun, step: number, request: GenerateOptions, assembler: BlockAssembler): Promise<void> {
  for await (const chunk of ctx.llm.stream(request)) {
    signal.throwIfAborted()
    session.append('assistant/chunk', { turn, step, chunk })
    assembler.push(chunk)
  }
  const { finish } = assembler
  if (finish.kind === 'aborted') throw new LlmError('ABORTED', 'the model aborted its answer')
  if (finish.kind === 'error') throw new LlmError((finish.code ?? 'SERVER') as 'SERVER', finish.message)
  if (finish.kind !== 'max-tokens' && !hasSubstance(assembler.blocks())) {
    throw new LlmError('EMPTY_RESPONSE', `the model answered with ${assembler.blocks().some(({ type }) => type === 'reasoning') ? 'reasoning but no text and no tool call' : 'nothing'}`)
  }
}

/** What had become visible of an answer that was cut stays in the conversation; unfinished calls and bare thoughts do not. */
export function keepVisible({ session, turn }: TurnRun, step: number, { model }: GenerateOptions): void {
  const content = visibleAnswer(session)
  if (content.length === 0) return
  session.append('assistant/message', { turn, step, content, finish: { kind: 'aborted' }, model, interrupted: true }, { surfaceOp: 'append' })
}

/** Logs the failed attempt, then waits for the next or rethrows. */
async function recover({ ctx, agent, session, turn, signal, limits }: TurnRun, step: number, attempt: number, thrown: unknown): Promise<void> {
  const error = toHarnessError(thrown)
  const decision = await decide()
  const { name, code, message } = error
  const status = error instanceof LlmError ? error.status : undefined
  const delayMs = decision.kind === 'retry' ? Math.min(Math.max(0, decision.delayMs), limits.maxRetryDelayMs) : undefined
  session.append('llm/attempt', {
    turn,
    step,
    attempt,
    error: { name, code, message, ...(status !== undefined && { status }) },
    ...(delayMs !== undefined && { retryInMs: delayMs }),
  })
  if (delayMs === undefined) throw error
  await sleep(delayMs, signal)

  async function decide(): Promise<RequestErrorDecision> {
    const last = attempt >= limits.maxAttempts || HOPELESS.has(error.code)
    const answer = ctx.root.waterfall(agent.scope as never, 'agent/request-error', agent, { turn, step, attempt, error, signal }, () => Promise.resolve<RequestErrorDecision>({ kind: 'fail' }))
    const decision = await unlessAborted(answer, signal, { graceMs: limits.abortGraceMs })
    return last ? { kind: 'fail' } : decision
  }
}

/** Gives calls without an id, or with one that the session has seen, an id of their own: results are paired by it. */
export function withUniqueCallIds({ session, turn }: TurnRun, step: number, content: readonly ContentBlock[]): ContentBlock[] {
  const seen = new Set<string>()
  return content.map((block, index) => {
    if (block.type !== 'tool-call') return block
    const taken = block.id === '' || seen.has(block.id) || session.hasCall(block.id)
    const id = taken ? `${block.id || 'call'}-${turn}-${step}-${index}` : block.id
    seen.add(id)
    return taken ? { ...block, id } : block
  })
}

/** The blocks of an answer that was cut by the token limit: calls may be incomplete and are left out. */
export function withoutCalls(content: readonly ContentBlock[]): ContentBlock[] {
  const calls = new Set<ContentBlock>(toolCallsOf(content))
  return content.filter(block => !calls.has(block))
}
