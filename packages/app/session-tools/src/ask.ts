/** Asks questions on the terminal, one after the other. */

import { createInterface } from 'node:readline'
import type { SessionTools } from './types.ts'

/** Shows a question, resolves with the line that answers it; undefined when input has ended or Ctrl-C was pressed. */
export type Ask = (question: string) => Promise<string | undefined>

/** Lines typed ahead answer later questions of the same `work`. The terminal is given back at its end. */
export async function asking<T>({ terminal: { stdin, stderr }, signal }: SessionTools, work: (ask: Ask) => Promise<T>): Promise<T> {
  const lines = createInterface({ input: stdin, output: stderr, terminal: stdin.isTTY === true && stderr.isTTY === true })
  const early: string[] = []
  let waiting: ((line: string | undefined) => void) | undefined
  let hasEnded = signal.aborted
  /** The next line may come before whoever waits for this one goes on. */
  const answer = (line: string | undefined): void => {
    waiting?.(line)
    waiting = undefined
  }
  const end = (): void => {
    hasEnded = true
    answer(undefined)
  }
  signal.addEventListener('abort', end, { once: true })
  lines.on('SIGINT', end)
  lines.on('close', end)
  lines.on('line', line => {
    if (waiting) answer(line)
    else early.push(line)
  })
  try {
    return await work(question => {
      const line = early.shift()
      if (line !== undefined || hasEnded) return Promise.resolve(line)
      lines.setPrompt(question)
      lines.prompt()
      return new Promise(resolve => (waiting = resolve))
    })
  } finally {
    signal.removeEventListener('abort', end)
    lines.close()
  }
}
