/** Mounts a recorded session as the model `replayed`, for demonstrations. */

import type { Context } from 'cordis'
import z from 'schemastery'
import type {} from '@deepseek-ai/dsh-session-persistence'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type {} from '@deepseek-ai/dsh-tools'
import { REPLAYED_MODEL, ReplayAdapter } from './replay-adapter.ts'

export interface LlmReplayConfig {
  /** The session, by id or by its beginning. */
  session: string
  /** Between two pieces of an answer, in milliseconds. */
  paceMs: number
}

export const name = 'llm-replay'
export const inject = ['llm', 'sessions', 'sessionPersistence', 'tools']
export const Config: z<LlmReplayConfig> = z.object({
  session: z.string().required().description('The session, by id or by its beginning.'),
  paceMs: z.natural().default(5).description('Between two pieces of an answer, in milliseconds.'),
})

export function apply(ctx: Context, { session, paceMs }: LlmReplayConfig): void {
  const life = new AbortController()
  ctx.effect(() => () => life.abort(new Error('the replay was unloaded')), 'llm-replay record')
  const adapter = new ReplayAdapter(ctx, () => load(ctx, session, life.signal), paceMs)
  ctx.llm.registerAdapter([REPLAYED_MODEL], adapter)
  // First in line: what was recorded has been permitted, or not, already.
  ctx.on('tools/pre-execute', (call, _tool, next) => (isReplayed(call) ? Promise.resolve({ kind: 'allow' }) : next()), { prepend: true })
  ctx.on('tools/execute', (call, _tool, next) => (isReplayed(call) ? adapter.resultOf(call.callId) : next()), { prepend: true })
}

function isReplayed({ agent }: { agent?: { options: { model?: string } } }): boolean {
  return agent?.options.model === REPLAYED_MODEL
}

async function load({ sessionPersistence }: Context, session: string, signal: AbortSignal): Promise<readonly SessionEvent[]> {
  return (await sessionPersistence.load(await sessionPersistence.find(session, signal), signal)).events
}
