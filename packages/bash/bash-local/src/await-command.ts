/** Waits for a command within its limits: time, cancellation, and a moment for the last of its output. */

import { setImmediate as nextRound, setTimeout as sleep } from 'node:timers/promises'
import type { LeftProcess } from '@deepseek-ai/dsh-bash'
import type { Exit, ShellCommand } from './shell-command.ts'

/** From the death of all processes until the system says so. */
const REAP_MS = 1_000

const POLL_MS = 10

export interface CommandLimits {
  timeoutMs: number
  /** From SIGTERM to SIGKILL after a timeout. */
  killGraceMs: number
  /** The same after a cancellation: somebody is waiting for silence. */
  abortGraceMs: number
  /** How long output may stay open after the shell has ended. */
  drainMs: number
}

export interface CommandEnding extends Exit {
  timedOut: boolean
  stillRunning: boolean
  leftProcesses: LeftProcess[]
}

/**
 * Resolves when the shell has ended, not when its output has: a child in the
 * background may hold that for ever. A timeout ends every process of the
 * command. Rejects with the reason of the first of `signals` that is aborted,
 * once those processes are dead.
 */
export async function awaitCommand(command: ShellCommand, limits: CommandLimits, signals: readonly AbortSignal[]): Promise<CommandEnding> {
  const stopped = Promise.withResolvers<void>()
  const stop = (graceMs: number) => void command.processes.stop(graceMs).then(() => within(command.exited, REAP_MS)).then(() => stopped.resolve())
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    stop(limits.killGraceMs)
  }, limits.timeoutMs)
  const onAbort = () => stop(limits.abortGraceMs)
  for (const signal of signals) signal.addEventListener('abort', onAbort, { once: true })
  try {
    if (signals.some(signal => signal.aborted)) onAbort()
    const exit = await Promise.race([command.exited, stopped.promise])
    clearTimeout(timer)
    if (timedOut) await stopped.promise
    if (!signals.some(signal => signal.aborted)) await drain(command, limits.drainMs)
    const aborted = signals.find(signal => signal.aborted)
    if (aborted) {
      await stopped.promise
      throw aborted.reason
    }
    // A shell that even SIGKILL did not end has no exit status.
    return { ...(exit ?? { code: null, signal: null }), timedOut, ...leftovers(command) }
  } finally {
    clearTimeout(timer)
    for (const signal of signals) signal.removeEventListener('abort', onAbort)
  }
}

/** Until the output is closed and the group is empty, but not for long. */
async function drain(command: ShellCommand, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!command.isDrained || command.processes.groupExists()) {
    const left = deadline - performance.now()
    if (left <= 0) break
    if (command.isDrained) await sleep(Math.min(POLL_MS, left))
    else await within(command.drained, left)
  }
  if (!command.isDrained) await nextRound() // what lies ready has been read after this
}

/** The fast answer costs one system call; the process table is read only when something seems to be left. */
function leftovers(command: ShellCommand): Pick<CommandEnding, 'stillRunning' | 'leftProcesses'> {
  if (command.isDrained && !command.processes.groupExists()) return { stillRunning: false, leftProcesses: [] }
  const leftProcesses = command.processes.living({ escaped: !command.isDrained })
  return { stillRunning: leftProcesses.length > 0 || !command.isDrained, leftProcesses }
}

/** Whether the promise settles in time. */
async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), ms)
  try {
    return await Promise.race([promise.then(() => true), late.promise])
  } finally {
    clearTimeout(timer)
  }
}
