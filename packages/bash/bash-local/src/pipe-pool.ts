/**
 * Gives commands real pipes for their output.
 *
 * Node connects children by sockets, and a socket cannot be opened by name:
 * `tee /dev/stderr` and `echo x > /dev/stdout` fail with ENXIO. Node has no
 * call for a pipe either, so named ones are made by `mkfifo`, a few at once,
 * and used again when both ends are closed.
 *
 * Only on the main thread: a worker keeps account of the descriptors it opened
 * and closes them at its end, by which time a socket has closed ours and the
 * number may belong to another thread.
 */

import { spawnSync } from 'node:child_process'
import { closeSync, constants, existsSync, openSync } from 'node:fs'
import { Socket } from 'node:net'
import { join } from 'node:path'

const AT_ONCE = 8

/** Longer than `mkfifo` ever takes. */
const MKFIFO_TIMEOUT_MS = 2_000

/** A pipe whose writing end goes to a child. */
export interface OutputPipe {
  reader: Socket
  /** To be closed with `closeWriter` as soon as the child has it. */
  writer: number
  closeWriter(): void
}

export interface PipePoolOptions {
  /** Gives the private directory, made anew when somebody removed it. */
  directory(): string
  /** Where `mkfifo` is looked for. */
  searchPath(): string
}

export class PipePool {
  private free: string[] = []
  private made = 0
  private readonly options: PipePoolOptions

  constructor(options: PipePoolOptions) {
    this.options = options
  }

  /** Two pipes of nobody else, for stdout and stderr. Undefined on a worker thread; throws when the system makes none. */
  openPair(): [OutputPipe, OutputPipe] | undefined {
    // Looked up here: the module takes a millisecond to load, and most starts run no command before the first request.
    return process.getBuiltinModule('node:worker_threads').isMainThread ? [this.open(), this.open()] : undefined
  }

  private open(): OutputPipe {
    if (this.free.length === 0) this.make()
    const path = this.free.pop()
    if (path === undefined) throw new Error('mkfifo made no pipe')
    if (!existsSync(path)) {
      this.free = [] // somebody emptied the temporary directory
      return this.open()
    }
    // Reading end first and non-blocking: opening a pipe waits for its other end otherwise.
    const input = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
    const writer = openSync(path, constants.O_WRONLY)
    const reader = new Socket({ fd: input, readable: true, writable: false })
    let ended = false
    reader.once('end', () => (ended = true))
    // An end means that nobody holds the writing end any more; a reader destroyed before it does not.
    reader.once('close', () => ended && this.free.push(path))
    return { reader, writer, closeWriter: () => closeSync(writer) }
  }

  private make(): void {
    const directory = this.options.directory()
    const paths = Array.from({ length: AT_ONCE }, () => join(directory, `pipe-${++this.made}`))
    const { status, error, stderr } = spawnSync('mkfifo', ['-m', '600', ...paths], { env: { PATH: this.options.searchPath() }, encoding: 'utf8', timeout: MKFIFO_TIMEOUT_MS })
    if (status !== 0) throw new Error(`mkfifo failed: ${error?.message ?? stderr.trim()}`, { cause: error })
    this.free.push(...paths)
  }
}
