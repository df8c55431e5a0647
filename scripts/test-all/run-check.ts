/** Runs one check and tells how it ended; its output is shown only when it failed. */
import { runChild } from './run-child.ts'
import type { Check } from './plan.ts'
import type { Tally } from './tally.ts'

const TIMEOUT_MS = 5 * 60_000

/** Where checks run, and where their report goes. */
export interface CheckSettings {
  root: string
  print: (text: string) => void
}

/** One line for a check that holds; its whole output for one that does not. */
export async function runCheck({ name, args, missing }: Check, { root, print }: CheckSettings): Promise<Tally> {
  const start = performance.now()
  const end = missing ? undefined : await runChild(args, { cwd: root, timeoutMs: TIMEOUT_MS, collect: true })
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  if (end?.code === 0) {
    print(`✓ ${name} (${seconds} s)\n`)
    return { passed: 1, failed: 0, skipped: 0 }
  }
  const why = end?.timedOut ? `no end after ${TIMEOUT_MS / 1000} s` : missing ?? `exit ${end?.code ?? end?.signal}`
  print(`✗ ${name}: FAILED, ${why} (${seconds} s)\n${indent(end?.output ?? '')}`)
  return { passed: 0, failed: 1, skipped: 0 }
}

function indent(text: string): string {
  return text.trimEnd().split('\n').filter(line => line.length > 0).map(line => `    ${line}\n`).join('')
}
