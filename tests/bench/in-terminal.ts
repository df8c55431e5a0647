/** Runs the program in a pseudo-terminal against the mock server, and measures what somebody who sits before it would feel. */

import { readFileSync } from 'node:fs'
import { MockLlmServer, type MockReply, type MockRequest } from '@deepseek-ai/dsh-llm-mock-server'
import { cleanEnv } from './measure.ts'

export interface TerminalJob {
  /** The command behind `node`. */
  args: readonly string[]
  cwd: string
  home: string
  answers(index: number): MockReply
}

/** A program that is running in a terminal. */
export interface InTerminal {
  /** From the start until its status line stood there. */
  readonly readyMs: number
  /** Types, and resolves with the milliseconds until `text` has come back after it. */
  timed(keys: string, text: string): Promise<number>
  /** Types, and resolves with the milliseconds until the next request arrives at the model. */
  timedRequest(keys: string): Promise<number>
  /** CPU seconds used so far, by all threads. */
  cpuSeconds(): number
  memoryMb(kind: 'VmRSS' | 'VmHWM'): number
  close(): Promise<void>
}

const PATIENCE_MS = 60_000

/** What the status line of a conversation holds. */
const READY = 'mode'

export async function inTerminal({ args, cwd, home, answers }: TerminalJob): Promise<InTerminal> {
  const { spawn } = await import('@lydell/node-pty')
  const waiting = new Set<() => void>()
  let requests = 0
  const reply = ({ index }: MockRequest): MockReply => {
    requests++
    wake()
    return answers(index)
  }
  const server = await MockLlmServer.start({ script: reply, validate: 'sampled' })
  const begun = performance.now()
  const pty = spawn(process.execPath, [...args], { cols: 100, rows: 30, cwd, env: { ...cleanEnv(home, server.url), TERM: 'xterm-256color' } as Record<string, string> })
  let output = ''
  function wake(): void {
    for (const each of waiting) each()
  }
  pty.onData(data => {
    output += data
    wake()
  })
  const exited = new Promise<void>(resolve => void pty.onExit(() => resolve()))
  const until = (isSo: () => boolean): Promise<void> => new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the terminal shows only: ${output.slice(-2000)}`)), PATIENCE_MS)
    const look = (): void => {
      if (!isSo()) return
      clearTimeout(timer)
      waiting.delete(look)
      resolve()
    }
    waiting.add(look)
    look()
  })
  await until(() => output.includes(READY))
  const readyMs = performance.now() - begun
  return {
    readyMs,
    async timed(keys, text) {
      const at = output.length
      const from = performance.now()
      pty.write(keys)
      await until(() => output.indexOf(text, at) >= 0)
      return performance.now() - from
    },
    async timedRequest(keys) {
      const before = requests
      const from = performance.now()
      pty.write(keys)
      await until(() => requests > before)
      return performance.now() - from
    },
    cpuSeconds: () => readCpuSeconds(pty.pid),
    memoryMb: kind => Number(readFileSync(`/proc/${pty.pid}/status`, 'utf8').match(new RegExp(`${kind}:\\s+(\\d+) kB`))?.[1]) / 1024,
    async close() {
      pty.write('\u0004')
      await exited
      await server[Symbol.asyncDispose]()
    },
  }
}

/** User and system time, in fields 14 and 15 of `stat` (man 5 proc_pid_stat); the name in field 2 may hold blanks. */
function readCpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
