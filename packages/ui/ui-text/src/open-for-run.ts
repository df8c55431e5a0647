/** Opens the session of a run; a signal of the process stops the waiting. */

import type { Context } from 'cordis'
import { openAgent, type Interrupt, type OpenedAgent } from '@deepseek-ai/dsh-front-door'

/** The agent, or the signal that came first. Throws what `openAgent` throws. */
export async function openForRun(ctx: Context): Promise<OpenedAgent | Interrupt> {
  const opening = new AbortController()
  let stoppedBy: Interrupt | undefined
  const off = ctx.on('front-door/interrupt', signal => {
    stoppedBy ??= signal
    opening.abort(new Error(`stopped by ${signal}`))
  })
  try {
    return await openAgent(ctx, ctx.frontDoor.request, opening.signal)
  } catch (error) {
    if (stoppedBy !== undefined && error === opening.signal.reason) return stoppedBy
    throw error
  } finally {
    off()
  }
}
