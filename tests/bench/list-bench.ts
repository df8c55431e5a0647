/**
 * Prints what listing many sessions costs: `node tests/bench/list-bench.ts [--sessions N] [--events N] [--rounds N]`.
 * `first` is without anything kept beside the logs, `warm` with it. Nothing here fails on time.
 */

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import type { Context } from 'cordis'
import { createRoot } from 'cordis/host'
import { SessionStore } from '@deepseek-ai/dsh-session'
import type { SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { SqliteSessionPersistence } from '@deepseek-ai/dsh-session-persistence-sqlite'
import { logs } from './resume-logs.ts'
import type { Measurement } from './resume-measure.ts'

const { values } = parseArgs({ options: { sessions: { type: 'string', default: '2000' }, events: { type: 'string', default: '300' }, rounds: { type: 'string', default: '5' } } })
const run = promisify(execFile)
const signal = new AbortController().signal
const root = await mkdtemp(join(tmpdir(), 'dsh-list-'))
try {
  await withStore('jsonl', build)
  await withStore('sqlite', build)
  for (let round = 0; round < Number(values.rounds); round++) {
    await forget()
    await timed('jsonl first', 'list-jsonl')
    await timed('jsonl warm', 'list-jsonl')
    await timed('sqlite', 'list-sqlite')
  }
} finally {
  await rm(root, { recursive: true, force: true })
}

async function withStore(backend: string, work: (store: SessionPersistence) => Promise<void>): Promise<void> {
  const ctx: Context = createRoot()
  await ctx.plugin(SessionStore)
  await (backend === 'jsonl' ? ctx.plugin(JsonlSessionPersistence, { root, writeBehindMs: 25 }) : ctx.plugin(SqliteSessionPersistence, { root, writeBehindMs: 25 }))
  await work(ctx.sessionPersistence)
  await ctx.fiber.dispose()
}

async function build(store: SessionPersistence): Promise<void> {
  const events = [...(logs['coding']?.(Number(values.events)) ?? [])].flat()
  for (let n = 0; n < Number(values.sessions); n++) {
    const writer = await store.create({ version: 1, id: `s${n}`, createdAt: 1_790_000_000_000 + n, cwd: '/' }, signal)
    await writer.append(events)
    await writer.close()
  }
}

/** Removes what is kept beside the logs. */
async function forget(): Promise<void> {
  for (const name of await readdir(join(root, 'sessions'), { recursive: true })) if (name.endsWith('.meta.json')) await rm(join(root, 'sessions', name))
}

/** In a process of its own. */
async function timed(what: string, how: string): Promise<void> {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'resume-measure.ts'), how, root])
  const { cpuMs, wallMs, events } = JSON.parse(stdout) as Measurement
  process.stdout.write(`${what.padEnd(12)} ${events} sessions ${cpuMs.toFixed(0).padStart(6)} ms CPU ${wallMs.toFixed(0).padStart(6)} ms wall\n`)
}
