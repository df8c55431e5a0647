/** Opens the session of a run, or goes on with the one that it had; a signal of the process stops the waiting. */

import type { Context } from 'cordis'
import { openAgent, type OpenedAgent } from './open-agent.ts'
import type { Interrupt, RunRequest } from './types.ts'
import { until } from './until-ready.ts'

/** The agent, or the signal that came first. Throws what `openAgent` throws. */
export async function openForRun(ctx: Context): Promise<OpenedAgent | Interrupt> {
  const { frontDoor, agents } = ctx
  const before = frontDoor.remembered
  // Only this interface was loaded anew.
  if (before && agents.get(before.agent.id) === before.agent) return before
  const opening = new AbortController()
  let stoppedBy: Interrupt | undefined
  const off = ctx.on('front-door/interrupt', signal => {
    stoppedBy ??= signal
    opening.abort(new Error(`stopped by ${signal}`))
  })
  try {
    const request = await requestAfter(ctx, before)
    const opened = await openAgent(ctx, request, opening.signal)
    frontDoor.remember(opened)
    return opened
  } catch (error) {
    if (stoppedBy !== undefined && error === opening.signal.reason) return stoppedBy
    throw error
  } finally {
    off()
  }
}

/** The loop was loaded anew and took its agent along: what is stored of it goes on, once the store is back, with the model that it has come to have. */
async function requestAfter(ctx: Context, before: OpenedAgent | undefined): Promise<RunRequest> {
  const request = { ...ctx.frontDoor.request, ...(before && { agentOptions: before.agent.options }) }
  if (!before?.isStored || before.agent.session.seq === 0) return request
  await until(() => ctx.get('sessionPersistence') !== undefined)
  // Its log knows the permission mode of this run, which may have been changed since.
  const { permission: _, ...rest } = request
  return { ...rest, session: { start: { kind: 'resume', id: before.agent.session.id }, isStored: true } }
}
