/**
 * Reads the system's process table from `/proc`, where there is one.
 *
 *     /proc/<pid>/stat     12 (name, may hold ) and spaces) S ppid pgid sid …
 *     /proc/<pid>/environ  NAME=value NUL NAME=value NUL …
 */

import { readdirSync, readFileSync } from 'node:fs'

export interface ProcessRow {
  pid: number
  name: string
  pgid: number
  /** Session id: the pid of the process that called `setsid`. */
  sid: number
}

/** All processes that are not zombies; undefined on systems without `/proc`. */
export function listProcesses(): ProcessRow[] | undefined {
  const names = attempt(() => readdirSync('/proc'))
  if (!names?.includes('self')) return undefined
  return names.flatMap(name => (/^\d+$/.test(name) ? parseStat(Number(name)) : []))
}

/** Whether the process was started with this `NAME=value` in its environment; false when it cannot be asked. */
export function hasVariable(pid: number, assignment: string): boolean {
  const environ = attempt(() => readFileSync(`/proc/${pid}/environ`, 'latin1'))
  return environ !== undefined && `\0${environ}\0`.includes(`\0${assignment}\0`)
}

function parseStat(pid: number): ProcessRow[] {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'))
  if (stat === undefined) return []
  const end = stat.lastIndexOf(')')
  const [state, , pgid, sid] = stat.slice(end + 2).split(' ')
  if (state === 'Z' || state === 'X') return []
  return [{ pid, name: stat.slice(stat.indexOf('(') + 1, end), pgid: Number(pgid), sid: Number(sid) }]
}

/** Processes end while they are being read, and others are not ours to read: both mean "no answer". */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}
