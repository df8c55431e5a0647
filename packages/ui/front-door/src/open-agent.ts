/** Opens the agent of a run: over a new session, over a stored one, or over a copy of one. */

import type { Context } from 'cordis'
import type { AgentHandle, CreateAgentOptions } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-approval'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { newSessionId } from '@deepseek-ai/dsh-session'
import { PersistenceError, resumeAgent, type SessionPersistence, type StoredSession } from '@deepseek-ai/dsh-session-persistence'
import type { RunRequest, SessionRequest, SessionStart } from './types.ts'

export interface OpenedAgent extends AgentHandle {
  /** What it goes on with, or was copied from; absent for a new session. */
  stored?: StoredSession
  /** Whether the session will be found again. */
  isStored: boolean
}

const NEW: SessionRequest = { start: { kind: 'new' }, isStored: true }

/**
 * Does what `request.session` asks for. Throws `NO_STORE` when a stored session
 * is wanted and none are kept, `USAGE` for an event that the parent does not
 * have, `UNKNOWN_MODE` for a permission mode that there is not, and what the
 * store throws (`SESSION_NOT_FOUND`, `SESSION_IN_USE`, `SESSION_EXISTS`, …).
 */
export async function openAgent(ctx: Context, request: RunRequest, signal: AbortSignal): Promise<OpenedAgent> {
  const { start, isStored, title } = request.session ?? NEW
  const opened = start.kind === 'resume' ? await resume(ctx, start.id, request, signal) : await begin(ctx, start, { request, isStored, signal })
  await setPermission(ctx, opened, request.permission)
  if (title !== undefined) opened.agent.session.append('session/title', { title, source: { kind: 'user' } })
  return opened
}

/** What is asked for now goes before the mode that the log names. */
async function setPermission(ctx: Context, { agent, dispose }: OpenedAgent, mode: string | undefined): Promise<void> {
  if (mode === undefined) return
  try {
    ctx.get('approval')?.setMode(agent.session, mode)
  } catch (error) {
    await dispose()
    throw error
  }
}

async function resume(ctx: Context, id: string, { agentOptions }: RunRequest, signal: AbortSignal): Promise<OpenedAgent> {
  storeOf(ctx)
  const { handle, stored } = await resumeAgent(ctx, id, agentOptions, signal)
  return { ...handle, stored, isStored: true }
}

interface BeginOptions {
  request: RunRequest
  isStored: boolean
  signal: AbortSignal
}

async function begin(ctx: Context, start: Exclude<SessionStart, { kind: 'resume' }>, { request, isStored, signal }: BeginOptions): Promise<OpenedAgent> {
  const { cwd, agentOptions } = request
  const persistence = ctx.get('sessionPersistence')
  if (start.id !== undefined && persistence && isStored) await refuseTaken(persistence, start.id, signal)
  const sessionId = start.id ?? newSessionId()
  const creation: CreateAgentOptions = { sessionId, meta: { cwd }, agentOptions }
  let stored: StoredSession | undefined
  if (start.kind === 'fork') {
    stored = await storeOf(ctx).load(start.from, signal)
    const seed = upTo(stored, start.until)
    Object.assign(creation, { seed, meta: { cwd, parentSession: stored.header.id, seedLength: seed.length } })
  }
  if (!isStored) persistence?.skip(sessionId)
  return {
    ...ctx.agents.create(creation),
    ...(stored && { stored }),
    // Asked anew every time: a store that cannot begin shows that at the first write.
    get isStored() {
      return isStored && persistence?.stores(sessionId) === true
    },
  }
}

function storeOf(ctx: Context): SessionPersistence {
  const persistence = ctx.get('sessionPersistence')
  if (persistence) return persistence
  throw new HarnessError('NO_STORE', 'no sessions are kept: the composition has no row such as session-persistence-jsonl')
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
