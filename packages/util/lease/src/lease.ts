/** Who holds the right to write to something, and whether that somebody still lives. */

import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/** Who may write. */
export interface LeaseHolder {
  pid: number
  host: string
  /** Epoch milliseconds of the moment it was taken. */
  since: number
}

/** A holder as it is stored: with what tells a process from a later one of the same number. */
export interface StoredLease extends LeaseHolder {
  /** When the process began, as the system counts; absent where it does not say. */
  processStart?: string
  /** Tells holders within one process apart. */
  nonce: string
}

/** This process as the holder. */
export function currentHolder(nonce: string, now = Date.now()): StoredLease {
  const processStart = processStartOf(process.pid)
  return { pid: process.pid, host: hostname(), since: now, nonce, ...(processStart !== undefined && { processStart }) }
}

/** `unknown` for a holder on another host: nothing here can tell. */
export function isAlive(holder: StoredLease): 'alive' | 'dead' | 'unknown' {
  if (holder.host !== hostname()) return 'unknown'
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    // EPERM: the process is there, and somebody else's.
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return 'dead'
  }
  const start = processStartOf(holder.pid)
  if (start === GONE) return 'dead'
  const isAnother = start !== undefined && holder.processStart !== undefined && start !== holder.processStart
  return isAnother ? 'dead' : 'alive'
}

/** `process 12 since 10:30:00 on host` for messages. */
export function describeHolder({ pid, host, since }: LeaseHolder): string {
  const where = host === hostname() ? '' : ` on ${host}`
  return `process ${pid}${where}, since ${new Date(since).toISOString().replace('T', ' ').slice(0, 19)} UTC`
}

/** Whether a parsed value is a lease; what is not is treated as one that nobody can judge. */
export function isStoredLease(value: unknown): value is StoredLease {
  if (typeof value !== 'object' || value === null) return false
  const { pid, host, since, nonce } = value as Record<string, unknown>
  return typeof pid === 'number' && Number.isInteger(pid) && pid > 0 && typeof host === 'string' && typeof since === 'number' && typeof nonce === 'string'
}

/** In place of a start: the process has ended, and only its parent has not looked yet, as under a container's first process that never does. */
const GONE = 'gone'

/**
 * Field 22 of `/proc/<pid>/stat` (proc(5): start time in clock ticks since
 * boot) with the boot's id, so that neither a reused number nor a reboot
 * passes for the same process; `GONE` for one that has ended. Undefined where there is no such file.
 */
function processStartOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in field 2 may hold blanks and parentheses; the last one closes it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [state] = fields
    if (state === 'Z' || state === 'X') return GONE
    const ticks = fields[19]
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${ticks}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) return undefined
    throw error
  }
}
