/** Tells a process that runs from one that is gone, or that only waits for somebody to ask how it ended. */

import { existsSync, readFileSync } from 'node:fs'

/** A killed process whose parent is gone, too, stays in the table as a zombie until process 1 looks after it; it does nothing any more. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false
    throw error
  }
  return !isZombie(pid)
}

/** The state stands behind the name, which may hold anything (man 5 proc_pid_stat). Elsewhere than on Linux nobody says. */
function isZombie(pid: number): boolean {
  const file = `/proc/${pid}/stat`
  if (!existsSync('/proc/self/stat')) return false
  try {
    const stat = readFileSync(file, 'utf8')
    return stat[stat.lastIndexOf(')') + 2] === 'Z'
  } catch (error) {
    // It has gone between the two looks.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || (error as NodeJS.ErrnoException).code === 'ESRCH') return true
    throw error
  }
}
