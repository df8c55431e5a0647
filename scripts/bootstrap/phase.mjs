/** One phase of set-up: a child process whose output is shown only when it fails. */
import { spawn } from 'node:child_process'

const TAIL_BYTES = 64 * 1024
const TAIL_LINES = 20
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

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
 * Rejects with a `SetupError` that names the phase and carries the end of the output; when we
 * are told to stop meanwhile, the child is stopped first and the error carries the signal.
 */
export function runPhase({ name, command, args, cwd, env, advice }) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let tail = ''
    let stopped
    const collect = chunk => { tail = (tail + chunk).slice(-TAIL_BYTES) }
    const fail = (why, extra = {}) => {
      cleanUp()
      reject(Object.assign(new SetupError(`${name} failed: ${why}`, advice), { tail }, extra))
    }
    const handlers = SIGNALS.map(signal => [signal, () => {
      stopped = signal
      child.kill(signal)
    }])
    const cleanUp = () => { for (const [signal, handler] of handlers) process.off(signal, handler) }
    for (const [signal, handler] of handlers) process.on(signal, handler)
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', collect)
    child.on('error', error => fail(`cannot run ${command} (${error.code ?? error.message})`))
    child.on('close', (code, signal) => {
      if (stopped) return fail('interrupted', { signal: stopped, message: `${name}: interrupted by ${stopped}` })
      if (code !== 0) return fail(`\`${describe(command, args)}\` ${signal ? `was killed by ${signal}` : `exited with code ${code}`}`)
      cleanUp()
      resolve(tail)
    })
  })
}

function describe(command, args) {
  const shown = [command, ...args].map(word => word.split(/[\\/]/).pop()).slice(0, 6).join(' ')
  return args.length > 5 ? `${shown} …` : shown
}
