/**
 * Prints what resuming long sessions costs beside `JSON.parse` of the same
 * lines: `node tests/bench/resume-bench.ts [log…] [--events N] [--rounds N] [--json]`.
 * Every measurement is a process of its own, all kinds by turns; the columns
 * are the best round's CPU and wall-clock time, each with its ratio. Nothing here fails on time.
 */

import { execFile } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import type { Context } from 'cordis'
import { createRoot } from 'cordis/host'
import { SessionStore } from '@deepseek-ai/dsh-session'
import { JsonlSessionPersistence } from '@deepseek-ai/dsh-session-persistence-jsonl'
import { SqliteSessionPersistence } from '@deepseek-ai/dsh-session-persistence-sqlite'
import { logs } from './resume-logs.ts'
import type { Measurement } from './resume-measure.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { events: { type: 'string', default: '100000' }, rounds: { type: 'string', default: '7' }, json: { type: 'boolean', default: false } },
})

const HOWS = ['parse', 'load-jsonl', 'resume-jsonl', 'load-sqlite', 'resume-sqlite'] as const
const signal = new AbortController().signal
const run = promisify(execFile)

interface Row extends Record<string, number | string> {
  log: string
  how: string
  cpuMs: number
  wallMs: number
  cpuTimesParse: string
  wallTimesParse: string
}

const chosen = positionals.length > 0 ? positionals : Object.keys(logs)
const unknown = chosen.find(name => !(name in logs))
if (unknown === undefined) await printTable()
else {
  process.stderr.write(`there is no log ${unknown}; there are ${Object.keys(logs).join(', ')}\n`)
  process.exitCode = 2
}

async function printTable(): Promise<void> {
  const rows: Row[] = []
  for (const log of chosen) rows.push(...(await measure(log)))
  if (values.json) process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`)
  else process.stdout.write(`${rows.map(({ log, how, cpuMs, wallMs, cpuTimesParse, wallTimesParse }) => `${log.padEnd(8)} ${how.padEnd(14)} ${wallMs.toFixed(0).padStart(6)} ms wall ${wallTimesParse.padStart(6)} × parse ${cpuMs.toFixed(0).padStart(6)} ms CPU ${cpuTimesParse.padStart(6)} × parse`).join('\n')}\n`)
}

async function measure(log: string): Promise<Row[]> {
  const root = await mkdtemp(join(tmpdir(), 'dsh-resume-'))
  try {
    const file = await build(log, root)
    const best = new Map<string, Measurement>()
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const how of HOWS) best.set(how, lower(best.get(how), await measureOnce(how, root, file)))
    }
    const bare = best.get('parse') ?? { cpuMs: Number.NaN, wallMs: Number.NaN }
    return HOWS.map(how => {
      const { cpuMs, wallMs } = best.get(how) ?? { cpuMs: Number.NaN, wallMs: Number.NaN }
      return { log, how, cpuMs, wallMs, cpuTimesParse: (cpuMs / bare.cpuMs).toFixed(2), wallTimesParse: (wallMs / bare.wallMs).toFixed(2) }
    })
  } finally {
    await rm(root, { recursive: true, force: true })
  }
}

async function measureOnce(how: string, root: string, file: string): Promise<Measurement> {
  const { stdout } = await run(process.execPath, [join(import.meta.dirname, 'resume-measure.ts'), how, root, file])
  const measurement = JSON.parse(stdout) as Measurement
  if (measurement.events !== Number(values.events)) throw new Error(`${how} gave ${measurement.events} events, not ${values.events}`)
  return measurement
}

function lower(one: Measurement | undefined, other: Measurement): Measurement {
  return { events: other.events, cpuMs: Math.min(one?.cpuMs ?? Infinity, other.cpuMs), wallMs: Math.min(one?.wallMs ?? Infinity, other.wallMs) }
}

/** Stores the log with both backends; the path of the JSONL file. */
async function build(log: string, root: string): Promise<string> {
  for (const mount of [(ctx: Context) => ctx.plugin(JsonlSessionPersistence, { root, writeBehindMs: 25 }), (ctx: Context) => ctx.plugin(SqliteSessionPersistence, { root, writeBehindMs: 25 })]) {
    const ctx = createRoot()
    await ctx.plugin(SessionStore)
    await mount(ctx)
    const writer = await ctx.sessionPersistence.create({ version: 1, id: 'one', createdAt: 1_790_000_000_000, cwd: '/' }, signal)
    for (const batch of logs[log]?.(Number(values.events)) ?? []) await writer.append(batch)
    await writer.close()
    const small = await ctx.sessionPersistence.create({ version: 1, id: 'small', createdAt: 1_790_000_000_000, cwd: '/' }, signal)
    for (const batch of logs[log]?.(100) ?? []) await small.append(batch)
    await small.close()
    await ctx.fiber.dispose()
  }
  const [project = ''] = await readdir(join(root, 'sessions'))
  return join(root, 'sessions', project, 'one.jsonl')
}
