/** Brings a stored session back to life as an agent. */

import type { Context } from 'cordis'
import type { AgentHandle, AgentOptions } from '@deepseek-ai/dsh-agent'
import type { SessionId } from '@deepseek-ai/dsh-session'
import { PersistenceError } from './errors.ts'
import type {} from './session-persistence.ts'
import type { StoredSession } from './types.ts'

export interface ResumedAgent {
  handle: AgentHandle
  /** What was found, its damage included. */
  stored: StoredSession
}

/**
 * Opens the session for writing and makes an agent that goes on with it. A turn
 * that a crash left open is closed in the log. Throws what `open` throws; the
 * lease is given back if no agent comes of it.
 */
export async function resumeAgent(ctx: Context, id: SessionId, agentOptions: AgentOptions, signal: AbortSignal): Promise<ResumedAgent> {
  // Read as an optional service: a front door opens sessions also where none are kept.
  const persistence = ctx.get('sessionPersistence')
  if (!persistence) throw new PersistenceError('STORE_FAILED', 'no sessions are kept here')
  await persistence.settled(id)
  const { writer, stored } = await persistence.open(id, signal)
  persistence.adopt(writer)
  try {
    const { version: _, id: __, ...meta } = stored.header
    const handle = ctx.agents.create({ sessionId: id, seed: stored.log ?? stored.events, meta, source: 'resume', agentOptions })
    return { handle, stored }
  } catch (error) {
    await persistence.disown(id)?.close()
    throw error
  }
}
