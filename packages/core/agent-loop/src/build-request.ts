/** Makes the request of one attempt, and sees to it that the log holds all of it. */

import { isDeepStrictEqual } from 'node:util'
import { unlessAborted } from '@deepseek-ai/dsh-abort'
import { AgentError } from '@deepseek-ai/dsh-agent'
import { fingerprint } from '@deepseek-ai/dsh-json'
import type { GenerateOptions, ToolSchema } from '@deepseek-ai/dsh-llm'
import { renderPrompt } from '@deepseek-ai/dsh-system-prompt'
import type { TurnRun } from './turn-run.ts'

/** What the model is told beside the messages. */
export interface Prompt {
  system: string
  tools: ToolSchema[]
}

/** The assembled sections, then the agent's own text; and the tools. */
export async function assemblePrompt({ ctx, agent, signal }: TurnRun): Promise<Prompt> {
  const assembly = await unlessAborted(ctx.systemPrompt.assemble(agent.scope), signal)
  const system = [renderPrompt(assembly), agent.options.systemPrompt?.trim() ?? ''].filter(text => text !== '').join('\n\n')
  return { system, tools: assembly.tools }
}

/**
 * Runs `agent/request`, then logs a `request/header` when system text or tools
 * differ from the last request's, and what derivation had to mend. Throws
 * `NO_MODEL` when nobody chose a model.
 */
export async function buildRequest(run: TurnRun, step: number, { system, tools }: Prompt): Promise<GenerateOptions> {
  const { ctx, agent, session, turn, signal } = run
  const initial: GenerateOptions = {
    model: agent.options.model ?? '',
    messages: session.deriveMessages(),
    ...(system !== '' && { system }),
    ...(tools.length > 0 && { tools }),
    ...(agent.options.effort !== undefined && { effort: agent.options.effort }),
    sessionId: session.id,
    signal,
  }
  const decided = ctx.root.waterfall(agent.scope as never, 'agent/request', agent, { turn, step }, initial, () => Promise.resolve(initial))
  const request = await unlessAborted(decided, signal)
  if (request.model === '') throw new AgentError('NO_MODEL', 'no model was chosen: set `model` in the settings or use --model')
  logHeader(run, step, { system: request.system ?? '', tools: [...(request.tools ?? [])] })
  logRepairs(run, step)
  return request
}

function logHeader({ session, turn }: TurnRun, step: number, prompt: Prompt): void {
  const last = session.requestHeader
  if (last && last.system === prompt.system && (last.tools === prompt.tools || isDeepStrictEqual(last.tools, prompt.tools))) return
  const hash = fingerprint(JSON.stringify(prompt))
  session.append('request/header', { turn, step, hash, system: prompt.system, tools: structuredClone(prompt.tools) })
}

function logRepairs({ session, turn }: TurnRun, step: number): void {
  const repairs = session.unrecordedRepairs()
  if (repairs.length > 0) session.append('derivation/repaired', { turn, step, repairs: structuredClone(repairs) })
}
