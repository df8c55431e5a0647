/** Opens a `LocalBash` in a scratch directory, and cleans up behind every test. */

import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Context } from 'cordis'
import { onTestFinished } from 'vitest'
import type { BashExecRequest, BashRunResult } from '@deepseek-ai/dsh-bash'
import { LocalBash, type LocalBashConfig } from '../src/index.ts'

export type PartialConfig = { [K in keyof LocalBashConfig]?: LocalBashConfig[K] extends object ? Partial<LocalBashConfig[K]> : LocalBashConfig[K] }

export interface Opened {
  bash: LocalBash
  directory: string
  run(command: string, request?: Partial<BashExecRequest>, signal?: AbortSignal): Promise<BashRunResult>
  dispose(): Promise<void>
}

export function scratchDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'dsh-test-')))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

export async function open(config: PartialConfig = {}): Promise<Opened> {
  const directory = scratchDirectory()
  const ctx = new Context()
  const fiber = await ctx.plugin(LocalBash, config as LocalBashConfig)
  onTestFinished(async () => await ctx.fiber.dispose())
  const bash = ctx.get('bash') as LocalBash
  return {
    bash,
    directory,
    run: async (command, request, signal = new AbortController().signal) => await bash.run(bash.resolve({ command, cwd: directory, ...request }), signal),
    dispose: async () => await fiber.dispose(),
  }
}

/** Whether a process exists and is no zombie. */
export function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX]/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

/** Ended children of this process that nobody has reaped. */
export function zombies(): string[] {
  return readdirSync('/proc').filter(name => {
    if (!/^\d+$/.test(name)) return false
    try {
      return new RegExp(`^\\d+ \\(.*\\) Z ${process.pid} `).test(readFileSync(`/proc/${name}/stat`, 'utf8'))
    } catch {
      return false
    }
  })
}

export async function eventually(holds: () => boolean, withinMs = 3_000): Promise<boolean> {
  for (const deadline = performance.now() + withinMs; performance.now() < deadline; ) {
    if (holds()) return true
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return holds()
}
