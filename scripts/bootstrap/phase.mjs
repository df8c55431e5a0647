/** One phase of set-up: a child process whose output is shown only when it fails. */
import { spawn } from 'node:child_process'

const TAIL_BYTES = 64 * 1024
const TAIL_LINES = 20

/** Set-up that could not be finished: what failed, what to do about it, and the exit code for it. */
export class SetupError extends Error {
  constructor(message, advice, exitCode = 1) {
    super(message)
    this.name = 'SetupError'
    this.advice = advice
    this.exitCode = exitCode
    this.tail = ''
    this.signal = undefined
  }

  /** Writes the failure, the last lines of the output behind it, and the advice. */
  report(say) {
    if (this.signal) return say(`${this.message}`)
    say(this.message)
    for (const line of this.tail.trimEnd().split('\n').slice(-TAIL_LINES)) if (line) process.stderr.write(`    ${line}\n`)
    if (this.advice) say(`what to do: ${this.advice}`)
  }
}

/**
 * Runs one command of a phase to its end.
 * Rejects with a `SetupError` that names the phase and carries the end of the output. When `stop`
 * aborts (its reason is the name of the signal we got), the child gets that signal, and the error
 * carries it once the child has ended.
 */
export function runPhase({ name, command, args, cwd, env, advice, stop }) {
  return new Promise((resolve, reject) => {
    const interrupted = () => Object.assign(new SetupError(`${name}: interrupted by ${stop.reason}`), { signal: stop.reason })
    if (stop.aborted) return reject(interrupted())
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let tail = ''
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', chunk => { tail = (tail + chunk).slice(-TAIL_BYTES) })
    const kill = () => child.kill(stop.reason)
    stop.addEventListener('abort', kill)
    const end = why => {
      stop.removeEventListener('abort', kill)
      if (stop.aborted) reject(interrupted())
      else if (why) reject(Object.assign(new SetupError(`${name} failed: ${why}`, advice), { tail }))
      else resolve()
    }
    child.on('error', error => end(`cannot run ${command} (${error.code ?? error.message})`))
    child.on('close', (code, signal) => {
      if (code === 0) return end()
      end(`\`${describe(command, args)}\` ${signal ? `was killed by ${signal}` : `exited with code ${code}`}`)
    })
  })
}

function describe(command, args) {
  const shown = [command, ...args].map(word => word.split(/[\\/]/).pop()).slice(0, 6).join(' ')
  return args.length > 5 ? `${shown} …` : shown
}
