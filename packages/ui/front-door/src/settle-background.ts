/** At the end of a run: waits a little for what its commands left running, and says what will be ended with it. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'cordis'
import type { LeftProcess } from '@deepseek-ai/dsh-bash'
import { plural } from '@deepseek-ai/dsh-text'

/** Long enough for what is about to end; a server never is. */
const LONGEST_MS = 2000

const POLL_MS = 50

/** What is still running after a bounded wait, which an abort cuts short; it ends when the composition does. */
export async function settleBackground(ctx: Context, signal: AbortSignal): Promise<LeftProcess[]> {
  const end = performance.now() + LONGEST_MS
  for (;;) {
    const left = ctx.get('bash')?.leftProcesses() ?? []
    if (left.length === 0 || signal.aborted || performance.now() >= end) return left
    await sleep(POLL_MS)
  }
}

/** One sentence; undefined when nothing was left. */
export function describeUnfinished(left: readonly LeftProcess[]): string | undefined {
  if (left.length === 0) return undefined
  const names = left.map(({ pid, name }) => (name === '' ? String(pid) : `${name} (${pid})`)).join(', ')
  return `${plural(left.length, 'process', 'processes')} that commands of this run had left in the background did not finish and ${left.length === 1 ? 'was' : 'were'} ended: ${names}`
}
