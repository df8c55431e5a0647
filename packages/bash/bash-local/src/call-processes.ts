/**
 * The processes of one command, and how to end them.
 *
 * The shell leads a session of its own, so everything it starts is in that
 * session unless it leaves on purpose (`setsid`). Where `/proc` exists, those
 * are found too, by a variable that only this command's environment has.
 * Elsewhere only the process group of the shell is known.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import type { LeftProcess } from '@deepseek-ai/dsh-bash'
import { hasVariable, listProcesses, type ProcessRow } from './process-table.ts'

/** How long killed processes may take to disappear; one that hangs in the kernel never does. */
const KILL_WAIT_MS = 2_000

const LONGEST_POLL_MS = 40

export class CallProcesses {
  /** The shell's process, session and group. */
  readonly sid: number
  /** `NAME=value`, in the environment of this command alone. */
  private readonly mark: string
  private leaderEnded = false

  constructor(sid: number, mark: string) {
    this.sid = sid
    this.mark = mark
  }

  /** The shell has ended. From now on a living process with its number is somebody else's, and so is the session. */
  onLeaderEnded(): void {
    this.leaderEnded = true
  }

  /** One system call: whether the shell's process group has a member, zombies included. */
  groupExists(): boolean {
    return send(-this.sid, 0)
  }

  /** The living ones; with `escaped` also those that left the session. Without `/proc`: the leader's id alone, while its group exists. */
  living({ escaped }: { escaped: boolean }): LeftProcess[] {
    const rows = this.rows(escaped)
    if (rows) return rows.map(({ pid, name }) => ({ pid, name }))
    return this.groupExists() ? [{ pid: this.sid, name: '' }] : []
  }

  /** Sends a signal to every one, wherever it went. */
  signal(name: 'SIGTERM' | 'SIGKILL', { escaped }: { escaped: boolean } = { escaped: true }): void {
    const rows = this.rows(escaped)
    if (!rows) return void send(-this.sid, name)
    // Whole groups, so that what is being forked this moment gets it as well.
    const groups = new Set(rows.filter(({ sid }) => sid === this.sid).map(({ pgid }) => pgid))
    for (const pgid of groups) send(-pgid, name)
    for (const { pid, pgid } of rows) if (!groups.has(pgid)) send(pid, name)
  }

  /** SIGTERM, and SIGKILL for what is left after `graceMs`. Resolves when all are gone, or will not go. */
  async stop(graceMs: number, which: { escaped: boolean } = { escaped: true }): Promise<void> {
    this.signal('SIGTERM', which)
    if (await this.gone(graceMs, which)) return
    this.signal('SIGKILL', which)
    await this.gone(KILL_WAIT_MS, which)
  }

  private async gone(withinMs: number, which: { escaped: boolean }): Promise<boolean> {
    const deadline = performance.now() + withinMs
    for (let pause = 5; this.living(which).length > 0; pause = Math.min(pause * 2, LONGEST_POLL_MS)) {
      const left = deadline - performance.now()
      if (left <= 0) return false
      await sleep(Math.min(pause, left))
    }
    return true
  }

  private rows(escaped: boolean): ProcessRow[] | undefined {
    const all = listProcesses()
    const isReused = this.leaderEnded && all?.some(({ pid }) => pid === this.sid)
    return all?.filter(({ pid, sid }) => (sid === this.sid && !isReused) || (escaped && pid !== process.pid && hasVariable(pid, this.mark)))
  }
}

/** Whether somebody was there to get the signal. Never throws: a process that is gone, or became another user's, cannot be helped. */
function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
