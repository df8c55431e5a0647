/** `dsh doctor`: looks at everything a run depends on and says what to do where it is not right. */

import { stripControls } from '@deepseek-ai/dsh-text'

export type CheckState = 'ok' | 'warn' | 'fail'

export interface CheckResult {
  name: string
  state: CheckState
  /** What was found; never a secret. */
  detail: string
  /** What to do; present where the state is not `ok`. */
  fix?: string
}

/** One check. A rejection counts as a failure of that check, not of the others. */
export interface Check {
  name: string
  run(signal: AbortSignal): Promise<Omit<CheckResult, 'name'>>
}

/** A check that takes longer has failed. */
const PATIENCE_MS = 5000

/** Runs all checks side by side; the results keep their order. */
export async function runChecks(checks: readonly Check[]): Promise<CheckResult[]> {
  return await Promise.all(checks.map(async ({ name, run }) => {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    try {
      return { name, ...(await run(signal)) }
    } catch (error) {
      const detail = signal.aborted ? `no answer within ${PATIENCE_MS / 1000} s` : (error as Error).message
      return { name, state: 'fail' as const, detail, fix: 'see the message' }
    }
  }))
}

/** One line a check, the fix below it. */
export function renderChecks(results: readonly CheckResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length))
  const lines = results.map(({ name, state, detail, fix }) => {
    const head = `${state.padEnd(4)}  ${name.padEnd(width)}  ${stripControls(detail)}`
    return fix === undefined ? head : `${head}\n${' '.repeat(width + 8)}→ ${fix}`
  })
  return `${lines.join('\n')}\n`
}
