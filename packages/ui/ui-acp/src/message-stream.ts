/**
 * The process's streams as the SDK wants them: lines of JSON in and out. A line
 * that is too long is cut, so that it is answered as unreadable and the
 * connection lives; messages are handed on one at a time, each after the one
 * before it has reached its handler, so that a cancel never overtakes a prompt.
 */

import { setImmediate as nextRound } from 'node:timers/promises'
import type * as Sdk from '@agentclientprotocol/sdk'
import type { Terminal } from '@deepseek-ai/dsh-front-door'

const LINE_FEED = 10

/** Reading ends with stdin; a stdout that cannot be written fails the connection. */
export function openMessageStream({ ndJsonStream }: typeof Sdk, { stdin, stdout }: Pick<Terminal, 'stdin' | 'stdout'>, maxMessageBytes: number): Sdk.Stream {
  const { readable, writable } = ndJsonStream(bytesTo(stdout), bytesFrom(stdin, new LineLimit(maxMessageBytes)), { maxMessageBytes: maxMessageBytes + 1 })
  return { readable: paced(readable), writable }
}

/** Lets through only so much of each line, its end always. */
export class LineLimit {
  readonly #most: number
  #length = 0

  constructor(most: number) {
    this.#most = most
  }

  cut(chunk: Uint8Array): Uint8Array {
    const kept: Uint8Array[] = []
    let start = 0
    while (start < chunk.length) {
      const newline = chunk.indexOf(LINE_FEED, start)
      const end = newline < 0 ? chunk.length : newline
      const room = Math.max(0, this.#most - this.#length)
      kept.push(chunk.subarray(start, Math.min(end, start + room)))
      this.#length += end - start
      if (newline < 0) break
      kept.push(chunk.subarray(newline, newline + 1))
      this.#length = 0
      start = newline + 1
    }
    const length = kept.reduce((sum, each) => sum + each.length, 0)
    return length === chunk.length ? chunk : Buffer.concat(kept)
  }
}

function bytesFrom(stdin: NodeJS.ReadableStream, limit: LineLimit): ReadableStream<Uint8Array> {
  const chunks = stdin[Symbol.asyncIterator]()
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(limit.cut(Buffer.from(value as string | Uint8Array)))
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}

/** Resolves each write when it has been taken off our hands: whoever writes faster than the client reads has to wait. */
function bytesTo(stdout: NodeJS.WritableStream): WritableStream<Uint8Array> {
  return new WritableStream({
    write: chunk => new Promise((resolve, reject) => {
      stdout.write(chunk, error => (error ? reject(error) : resolve()))
    }),
  })
}

function paced<T>(messages: ReadableStream<T>): ReadableStream<T> {
  const reader = messages.getReader()
  return new ReadableStream<T>(
    {
      async pull(controller) {
        const { value, done } = await reader.read()
        if (done) return controller.close()
        controller.enqueue(value)
        await nextRound()
      },
      async cancel(reason) {
        await reader.cancel(reason)
      },
    },
    { highWaterMark: 0 },
  )
}
