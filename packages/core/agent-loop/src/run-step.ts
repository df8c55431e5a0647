/** One step: one request to the model, then the tools that it asked for. */

import { unlessAborted } from '@deepseek-ai/dsh-abort'
import { costOf, toolCallsOf, type ToolCallBlock } from '@deepseek-ai/dsh-llm'
import { askModel, keepVisible, withoutCalls, withUniqueCallIds, type Answer } from './ask-model.ts'
import { assemblePrompt } from './build-request.ts'
import { runTools } from './run-tools.ts'
import { checkpointNow, claimSteering, type TurnRun } from './turn-run.ts'

export interface StepOutcome {
  /** Tools ran or steering came in, so the model should speak again. */
  wantsMore: boolean
  /** The answer was cut by the token limit. */
  truncated: boolean
}

/** Throws what ends the turn; the step is closed in the log all the same. */
export async function runStep(run: TurnRun, step: number): Promise<StepOutcome> {
  const { ctx, agent, session, turn, signal, budget, limits } = run
  claimSteering(run, step)
  const prompt = await assemblePrompt(run)
  signal.throwIfAborted()
  const prepared = ctx.root.serial(agent.scope as never, 'agent/pre-step', agent, { turn, step, system: prompt.system }, signal)
  await unlessAborted(prepared, signal, { graceMs: limits.abortGraceMs })
  signal.throwIfAborted()

  session.append('step/start', { turn, step })
  budget.addStep()
  let outcome: StepOutcome
  try {
    const answer = await askModel(run, step, prompt)
    const calls = await recordAnswer(run, step, answer)
    await useTools(run, step, calls, answer)
    const late = claimSteering(run, step)
    outcome = { wantsMore: calls.length > 0 || late, truncated: answer.assembler.finish.kind === 'max-tokens' }
  } finally {
    session.append('step/end', { turn, step })
  }
  await checkpointNow(run)
  return outcome
}

/** Logs the answer as it comes out of `agent/step-result`; returns the calls to run. */
async function recordAnswer(run: TurnRun, step: number, { request, assembler }: Answer): Promise<ToolCallBlock[]> {
  const { ctx, agent, session, turn, budget, signal } = run
  const { finish, usage } = assembler
  const cut = finish.kind === 'max-tokens'
  const blocks = cut ? withoutCalls(assembler.blocks()) : withUniqueCallIds(run, step, assembler.blocks())
  const message = { role: 'assistant' as const, content: blocks }
  const decided = ctx.root.waterfall(agent.scope as never, 'agent/step-result', agent, { turn, step }, message, () => Promise.resolve(message))
  const final = await unlessAborted(decided, signal).catch((error: unknown) => {
    keepVisible(run, step, request)
    throw error
  })
  // Again, because a listener may have added calls.
  const content = cut ? withoutCalls(final.content) : withUniqueCallIds(run, step, final.content)
  const cost = usage && costOf(usage, ctx.llm.info(request.model))
  if (content.length > 0 || usage) {
    session.append('assistant/message', { turn, step, content, ...(usage && { usage }), ...(cost && { cost }), finish, model: request.model }, { surfaceOp: 'append' })
  }
  if (usage) budget.addUsage(usage, cost)
  return toolCallsOf(content)
}

async function useTools(run: TurnRun, step: number, calls: readonly ToolCallBlock[], { request }: Answer): Promise<void> {
  if (calls.length === 0) return
  const advertised = new Set((request.tools ?? []).map(({ name }) => name))
  for (const { content, source } of await runTools(run, step, calls, advertised)) {
    run.session.append('context/message', { content, source }, { surfaceOp: 'append' })
  }
}
