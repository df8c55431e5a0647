/** One measurement of `resume-bench.ts` or `list-bench.ts`, in a process of its own: `node resume-measure.ts HOW ROOT [FILE]` prints its figures as JSON. */

import { readFileSync } from 'node:fs'
import { createRoot } from 'cordis/host'
import { Session, SessionStore } from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { SqliteSessionPersistence } from '@deepseek-ai/dsh-session-persistence-sqlite'
import type { SessionPersistence } from '@deepseek-ai/dsh-session-persistence'

/** What one measurement tells. */
export interface Measurement {
  wallMs: number
  cpuMs: number
  /** Events, or sessions. */
  events: number
}

const [how = '', root = '', file = ''] = process.argv.slice(2)
const [what = '', backend = ''] = how.split('-')
const signal = new AbortController().signal

if (what === 'parse') await measured(() => parseLines(file))
else {
  const ctx = createRoot()
  await ctx.plugin(SessionStore)
  await (backend === 'jsonl' ? ctx.plugin(JsonlSessionPersistence, { root, writeBehindMs: 25 }) : ctx.plugin(SqliteSessionPersistence, { root, writeBehindMs: 25 }))
  const persistence: SessionPersistence = ctx.sessionPersistence
  if (what === 'list') await measured(async () => (await persistence.list({}, signal)).length)
  else {
    // What the sources import when first used is no part of it.
    await (what === 'load' ? persistence.load('small', signal) : resume(persistence, 'small'))
    await (what === 'load' ? measured(async () => (await persistence.load('one', signal)).events.length) : measured(() => resume(persistence, 'one')))
  }
  await ctx.fiber.dispose()
}

async function measured(work: () => number | Promise<number>): Promise<void> {
  const cpu = process.cpuUsage()
  const begun = performance.now()
  const events = await work()
  const wallMs = performance.now() - begun
  const { user, system } = process.cpuUsage(cpu)
  process.stdout.write(JSON.stringify({ wallMs, cpuMs: (user + system) / 1000, events } satisfies Measurement))
}

/** The lower bound: reads, splits, parses, and keeps what came of it. */
function parseLines(path: string): number {
  const lines = readFileSync(path, 'utf8').split('\n')
  const values: unknown[] = []
  for (const line of lines) if (line !== '') values.push(JSON.parse(line))
  let events = 0
  for (const value of values.slice(1)) events += (value as { n?: number }).n ?? 1
  return events
}

/** What resuming does up to the first request: opens for writing, folds the log, derives the messages. */
async function resume(persistence: SessionPersistence, id: string): Promise<number> {
  const { writer, stored } = await persistence.open(id, signal)
  const session = new Session(stored.header, stored.log ?? stored.events)
  if (session.deriveMessages().length === 0) throw new Error('no messages were derived')
  void writer
  return session.seq
}
