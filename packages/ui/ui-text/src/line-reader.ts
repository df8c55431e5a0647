/** Lines typed on a terminal, asked for one at a time. */

import { createInterface, type Interface } from 'node:readline'
import type { Terminal } from '@deepseek-ai/dsh-front-door'

/** Thrown by `ask` when there will be no more lines. */
export class InputEnded extends Error {
  override readonly name = 'InputEnded'
}

export interface LineReader {
  /** Shows `prompt`, resolves with the next line; rejects with `InputEnded`, or with the signal's reason. A question asked meanwhile goes first. */
  ask(prompt: string, signal: AbortSignal): Promise<string>
  /** Writes above the line that is being typed. */
  print(text: string): void
  /** Ctrl-C on the terminal. */
  onInterrupt(listener: () => void): void
  close(): void
}

interface Waiting {
  prompt: string
  resolve(line: string): void
  reject(reason: unknown): void
}

/** `stderr` gets prompts and echo, so that stdout holds nothing but answers. */
export function openLines({ stdin, stderr }: Terminal): LineReader {
  const lines: Interface = createInterface({ input: stdin, output: stderr, terminal: stdin.isTTY === true && stderr.isTTY === true, historySize: 200 })
  const waiting: Waiting[] = []
  const early: string[] = []
  let ended = false
  const show = (): void => {
    const top = waiting.at(-1)
    if (!top || ended) return
    lines.setPrompt(top.prompt)
    lines.prompt(true)
  }
  lines.on('line', line => {
    const top = waiting.pop()
    if (top) top.resolve(line)
    else early.push(line)
    show()
  })
  lines.on('close', () => {
    ended = true
    for (const { reject } of waiting.splice(0)) reject(new InputEnded('input ended'))
  })
  return {
    ask: (prompt, signal) => new Promise<string>((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason)
      const line = early.shift()
      if (line !== undefined) return resolve(line)
      if (ended) return reject(new InputEnded('input ended'))
      const entry: Waiting = { prompt, resolve: settle(resolve), reject: settle(reject) }
      const onAbort = (): void => {
        waiting.splice(waiting.indexOf(entry), 1)
        entry.reject(signal.reason)
        show()
      }
      signal.addEventListener('abort', onAbort, { once: true })
      waiting.push(entry)
      show()
      function settle<T>(then: (value: T) => void): (value: T) => void {
        return value => {
          signal.removeEventListener('abort', onAbort)
          then(value)
        }
      }
    }),
    print(text) {
      const typing = waiting.length > 0 && !ended && stderr.isTTY === true
      if (typing) stderr.write('\r\u001b[K')
      stderr.write(text)
      if (typing) show()
    },
    onInterrupt: listener => void lines.on('SIGINT', listener),
    close: () => lines.close(),
  }
}
