/** Runs the task's own program in our place: same terminal, same exit code, same signals. */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'

const FORWARDED = ['SIGTERM', 'SIGHUP', 'SIGINT']

/**
 * Starts `command` with our standard streams; this process then ends exactly as it ends,
 * with its exit code or, when a signal killed it, by the same signal.
 */
export function execute(command, { args, cwd, env }) {
  const child = spawn(command, args, { stdio: 'inherit', cwd, env })
  // A terminal sends Ctrl-C to the whole group: passing it on as well would make one keypress two.
  const fromTerminal = hasTerminal()
  for (const signal of FORWARDED) process.on(signal, () => {
    if (signal !== 'SIGINT' || !fromTerminal) child.kill(signal)
  })
  child.on('error', error => {
    process.stderr.write(`[setup] cannot run ${command} in ${cwd}: ${error.message}\n`)
    process.exitCode = 1
  })
  child.on('exit', (code, signal) => {
    if (!signal) return process.exit(code ?? 1)
    // Our own handler would swallow the signal and we would end with 0.
    process.removeAllListeners(signal)
    process.kill(process.pid, signal)
  })
}

/** Has this process a controlling terminal? Its streams do not tell: they may all be redirected. */
function hasTerminal() {
  if (process.platform === 'win32') return Boolean(process.stdin.isTTY)
  try {
    closeSync(openSync('/dev/tty', 'r'))
    return true
  } catch (error) {
    if (['ENXIO', 'ENOENT', 'ENODEV', 'EACCES', 'EPERM', 'EIO'].includes(error.code)) return false
    throw error
  }
}
