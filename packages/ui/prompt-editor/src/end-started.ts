/**
 * Ends what a process has started, and what that has started in turn: first SIGTERM, of which a program cleans up,
 * then SIGKILL. The process itself is to end by that, and is killed with them when it does not.
 *
 *     /proc/<pid>/stat     12 (name, may hold ) and spaces) S ppid …
 *     ps                   12 1 S
 */

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

interface Row {
  pid: number
  parent: number
}

const LOOK_EVERY_MS = 20

/** Killed processes that have not gone by then hang in the system. */
const KILL_WAIT_MS = 500

const PS_WAIT_MS = 1000

/** Resolves when all are gone, or will not go. */
export async function endStarted(root: number, graceMs: number): Promise<void> {
  for (const pause of ending(root, graceMs)) await sleep(pause)
}

/** The same within the call: nothing else happens meanwhile. */
export function endStartedNow(root: number, graceMs: number): void {
  const nobodyWakes = new Int32Array(new SharedArrayBuffer(4))
  for (const pause of ending(root, graceMs)) Atomics.wait(nobodyWakes, 0, 0, pause)
}

/** Gives the pauses to be made. */
function* ending(root: number, graceMs: number): Generator<number> {
  const told = new Set<number>()
  const from = performance.now()
  for (;;) {
    const rows = listProcesses()
    const living = rows.filter(({ pid }) => pid === root || told.has(pid))
    // Also those that it starts only now.
    const started = startedBy(root, rows)
    if (living.length === 0 && started.length === 0) return
    const late = performance.now() - from
    if (late > graceMs + KILL_WAIT_MS) return
    if (late > graceMs) for (const pid of new Set([...started, ...living.map(each => each.pid)])) send(pid, 'SIGKILL')
    else for (const pid of started.filter(each => !told.has(each))) send(pid, 'SIGTERM')
    for (const pid of started) told.add(pid)
    yield LOOK_EVERY_MS
  }
}

function startedBy(root: number, rows: readonly Row[]): number[] {
  const own = rows.filter(({ parent }) => parent === root).map(({ pid }) => pid)
  return own.flatMap(pid => [pid, ...startedBy(pid, rows)])
}

/** One that has ended in the meantime, or is somebody else's, is left alone. */
function send(pid: number, signal: NodeJS.Signals): void {
  attempt(() => process.kill(pid, signal))
}

/** All that are not zombies. */
function listProcesses(): Row[] {
  const names = attempt(() => readdirSync('/proc'))
  if (names?.includes('self')) return names.flatMap(name => (/^\d+$/.test(name) ? rowOf(name) : []))
  const list = attempt(() => execFileSync('ps', ['-A', '-o', 'pid=', '-o', 'ppid=', '-o', 'state='], { encoding: 'latin1', timeout: PS_WAIT_MS, stdio: ['ignore', 'pipe', 'ignore'] })) ?? ''
  return list.split('\n').flatMap(line => {
    const [pid, parent, state = 'Z'] = line.trim().split(/\s+/)
    return state.startsWith('Z') ? [] : [{ pid: Number(pid), parent: Number(parent) }]
  })
}

function rowOf(name: string): Row[] {
  const stat = attempt(() => readFileSync(`/proc/${name}/stat`, 'latin1')) ?? ''
  const [state = 'Z', parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return stat === '' || state === 'Z' || state === 'X' ? [] : [{ pid: Number(name), parent: Number(parent) }]
}

/** Processes end while one looks at them, and others are not ours to see: both mean that there is none. */
function attempt<T>(look: () => T): T | undefined {
  try {
    return look()
  } catch {
    return undefined
  }
}
