/** Keeps stdout for a protocol: whatever else in this process writes there, such as `console.log` of a plugin, is led to stderr. */

import { Writable } from 'node:stream'
import type { Terminal } from '@deepseek-ai/dsh-front-door'

export interface ReservedStdout extends Disposable {
  /** The same terminal, whose `stdout` alone reaches the real one. */
  terminal: Terminal
}

/** Disposed of, everybody writes where they meant to. */
export function reserveStdout({ stdin, stdout, stderr }: Terminal): ReservedStdout {
  const write = stdout.write
  const own = new Writable({
    decodeStrings: false,
    write: (chunk: string | Uint8Array, encoding, done) => void write.call(stdout, chunk as string, encoding, done),
  })
  // The reader has gone: the connection ends with that, and nobody else has to hear of it.
  own.on('error', () => undefined)
  stdout.write = stderr.write.bind(stderr) as typeof stdout.write
  return {
    terminal: { stdin, stdout: own, stderr },
    [Symbol.dispose]() {
      stdout.write = write
    },
  }
}
