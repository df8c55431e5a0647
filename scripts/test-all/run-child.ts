/** Runs a child of the whole check: bounded in time, and stopped when we are told to stop. */
import { spawn, type SpawnOptions } from 'node:child_process'

const GRACE_MS = 5_000

/** How a child ended, and what it printed when its output was collected. */
export interface ChildEnd {
  code: number | null
  signal: NodeJS.Signals | null
  timedOut: boolean
  output: string
}

/** Runs this Node with some arguments; `collect` keeps the output instead of showing it. */
export function runChild(args: readonly string[], options: { cwd: string, env?: NodeJS.ProcessEnv, timeoutMs: number, collect: boolean }): Promise<ChildEnd> {
  const { cwd, env = process.env, timeoutMs, collect } = options
  const settings: SpawnOptions = { cwd, env, stdio: ['ignore', collect ? 'pipe' : 'inherit', collect ? 'pipe' : 'inherit'] }
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, settings)
    let output = ''
    let timedOut = false
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding('utf8').on('data', (chunk: string) => { output += chunk })
    const stop = (): void => {
      child.kill('SIGTERM')
      setTimeout(() => child.kill('SIGKILL'), GRACE_MS).unref()
    }
    const timer = setTimeout(() => {
      timedOut = true
      stop()
    }, timeoutMs)
    const onSignal = (signal: NodeJS.Signals): void => {
      stop()
      child.once('close', () => process.kill(process.pid, signal))
    }
    process.once('SIGTERM', onSignal).once('SIGINT', onSignal)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      clearTimeout(timer)
      process.off('SIGTERM', onSignal).off('SIGINT', onSignal)
      resolve({ code, signal, timedOut, output })
    })
  })
}
