/** Puts one of the made logs where sessions lie. */

import { createRoot } from 'cordis/host'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { logs } from './resume-logs.ts'

export interface StoredLog {
  id: string
  cwd: string
  /** A key of `logs`. */
  log: string
  events: number
}

/** Writes it below `root`, as the program would have. */
export async function storeLog(root: string, { id, cwd, log, events }: StoredLog): Promise<void> {
  const ctx = createRoot()
  await ctx.plugin(SessionStore)
  await ctx.plugin(JsonlSessionPersistence, { root, writeBehindMs: 25 })
  const writer = await ctx.sessionPersistence.create({ version: 1, id, createdAt: 1_790_000_000_000, cwd }, new AbortController().signal)
  for (const batch of logs[log]?.(events) ?? []) await writer.append(batch)
  await writer.close()
  await ctx.fiber.dispose()
}
