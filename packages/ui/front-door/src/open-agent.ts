/** Opens the agent of a run: over a new session, over a stored one, or over a copy of one. */

import type { Context } from 'cordis'
import type { AgentHandle } from '@deepseek-ai/dsh-agent'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { PersistenceError, resumeAgent, type SessionPersistence, type StoredSession } from '@deepseek-ai/dsh-session-persistence'
import type { RunRequest, SessionStart } from './types.ts'

export interface OpenedAgent extends AgentHandle {
  /** What it begins with; absent for a new session. */
  stored?: StoredSession
  /** Whether the session will be found again. */
  isStored: boolean
}

/**
 * Does what `request.session` asks for. Throws `NO_STORE` when sessions are
 * wanted and none are kept, `USAGE` for an event that the parent does not have,
 * and what the store throws (`SESSION_NOT_FOUND`, `SESSION_IN_USE`,
 * `SESSION_EXISTS`, …).
 */
export async function openAgent(ctx: Context, request: RunRequest, signal: AbortSignal): Promise<OpenedAgent> {
  const { start = { kind: 'new' }, title } = request.session ?? {}
  const opened = await openBy(ctx, start, request, signal)
  if (title !== undefined) opened.agent.session.append('session/title', { title, source: { kind: 'user' } })
  return opened
}

async function openBy(ctx: Context, start: SessionStart, { cwd, agentOptions }: RunRequest, signal: AbortSignal): Promise<OpenedAgent> {
  const persistence = ctx.get('sessionPersistence')
  if (start.kind === 'new') {
    if (start.id !== undefined && persistence) await refuseTaken(persistence, start.id, signal)
    const handle = ctx.agents.create({ ...(start.id !== undefined && { sessionId: start.id }), meta: { cwd }, agentOptions })
    return { ...handle, isStored: persistence !== undefined }
  }
  if (!persistence) throw new HarnessError('NO_STORE', 'no sessions are kept: the composition has no row such as session-persistence-jsonl')
  if (start.kind === 'resume') {
    const { handle, stored } = await resumeAgent(ctx, start.id, { agentOptions }, signal)
    return { ...handle, stored, isStored: true }
  }
  if (start.id !== undefined) await refuseTaken(persistence, start.id, signal)
  const stored = await persistence.load(start.from, signal)
  const seed = upTo(stored, start.until)
  const meta = { cwd, parentSession: stored.header.id, seedLength: seed.length }
  const handle = ctx.agents.create({ ...(start.id !== undefined && { sessionId: start.id }), meta, seed, agentOptions })
  return { ...handle, stored, isStored: true }
}

function upTo({ header, events }: StoredSession, until: number | undefined): StoredSession['events'] {
  if (until === undefined) return events
  if (until >= events.length) throw new HarnessError('USAGE', `the session ${header.id} has no event ${until}; its last is ${events.length - 1}`)
  return events.slice(0, until + 1)
}

/** Also what nobody has open can be taken. */
async function refuseTaken(persistence: SessionPersistence, id: string, signal: AbortSignal): Promise<void> {
  try {
    if ((await persistence.find(id, signal)) !== id) return
  } catch (error) {
    if (error instanceof PersistenceError && (error.code === 'SESSION_NOT_FOUND' || error.code === 'SESSION_AMBIGUOUS')) return
    throw error
  }
  throw new PersistenceError('SESSION_EXISTS', `there is a session ${id} already; dsh -r ${id} goes on with it`)
}
