/** Looks at what a killed process left behind: nothing lost, nothing twice, and the conversation goes on. */

import type { Plugin } from 'cordis'
import { createInvariants } from '@deepseek-ai/dsh-invariants'
import * as deepseek from '@deepseek-ai/dsh-llm-deepseek'
import { MockLlmServer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { resumeAgent } from '@deepseek-ai/dsh-session-persistence'
import { markOf, type Announcement } from './announcement.ts'
import { mountSpine, type Backend } from './mount-spine.ts'

export interface Verdict {
  /** Announced early enough that they had to be there. */
  checked: number
  lost: number
  /** Stored twice, or in another place than announced. */
  duplicated: number
  /** What else is wrong; empty when nothing is. */
  faults: string[]
  /** All that is stored now; none of it may be lost by what comes later. */
  left: Announcement[]
}

export interface Case {
  backend: Backend
  root: string
  sessionId: string
  /** What the victim announced before it died. */
  announced: readonly Announcement[]
  /** What was left of the session by the one before. */
  before: readonly Announcement[]
  /** Announced before this, an event had to be stored. Epoch milliseconds. */
  deadline: number
}

/** Opens the session, compares it, and has one more turn with a provider that refuses whatever a strict one would. */
export async function judge({ backend, root, sessionId, announced, before, deadline }: Case): Promise<Verdict> {
  const ctx = await mountSpine(backend, root)
  await using server = await MockLlmServer.start({ script: () => textAnswer('going on', 3) })
  const invariants = createInvariants(ctx)
  try {
    await ctx.plugin(deepseek as unknown as Plugin, { baseURL: server.url, apiKey: 'sk-crash' } as never)
    const due = [...before, ...announced.filter(({ time }) => time < deadline)]
    if (!(await exists(ctx, sessionId))) return { checked: due.length, lost: due.length, duplicated: 0, faults: lateness(due, deadline), left: [] }
    const { handle, stored } = await resumeAgent(ctx, sessionId, { model: 'deepseek-flash' }, new AbortController().signal)
    const marks = new Map(stored.events.map(event => [event.seq, markOf(event)]))
    const lost = due.filter(({ seq, mark }) => marks.get(seq) !== mark)
    handle.agent.send('go on')
    await handle.agent.whenIdle()
    const end = handle.agent.session.events.at(-1)
    const faults = [
      ...lateness(lost, deadline),
      ...stored.damage.filter(({ kind }) => kind !== 'torn-tail').map(({ message }) => message),
      ...invariants.violations.map(String),
      ...server.violations.map(({ message }) => message),
      ...(end?.type === 'turn/end' && end.data.reason.kind === 'completed' ? [] : [`the next turn ended as ${JSON.stringify(end?.data)}`]),
    ]
    const left = handle.agent.session.events.map(event => ({ seq: event.seq, time: event.time, mark: markOf(event) }))
    await handle.dispose()
    return { checked: due.length, lost: lost.length, duplicated: stored.events.length - marks.size, faults, left }
  } finally {
    await ctx.fiber.dispose()
  }
}

/** By how much the promise was missed: a few milliseconds are those of a machine that had other things to do. */
function lateness(lost: readonly Announcement[], deadline: number): string[] {
  const [first] = lost
  return first ? [`event ${first.seq} and ${lost.length - 1} more are not there, ${Math.round(deadline - first.time)} ms after they had to be`] : []
}

async function exists(ctx: Awaited<ReturnType<typeof mountSpine>>, id: string): Promise<boolean> {
  const list = await ctx.get('sessionPersistence')?.list({}, new AbortController().signal)
  return list?.some(session => session.id === id) ?? false
}
