/** The to-do list of a log as the protocol's plan. Pure. */

import type { PlanEntry } from '@agentclientprotocol/sdk'
import type { SessionEvent } from '@deepseek-ai/dsh-session'

const STATES: ReadonlySet<unknown> = new Set(['pending', 'in_progress', 'completed'])

/** Undefined for other events. The event belongs to a feature that need not be there, so its shape is checked here. */
export function readPlan(event: SessionEvent): PlanEntry[] | undefined {
  const { type, data } = event as { type: string; data: unknown }
  if (type !== 'todo/write') return undefined
  const { todos } = data as { todos?: unknown }
  if (!Array.isArray(todos)) return undefined
  return todos.flatMap((each: unknown) => {
    const { content, status } = (each ?? {}) as Record<string, unknown>
    return typeof content === 'string' && STATES.has(status) ? [{ content, priority: 'medium' as const, status: status as PlanEntry['status'] }] : []
  })
}
