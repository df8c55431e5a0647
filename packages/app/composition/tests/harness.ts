/** Boots compositions of real files for the specs of this package. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { readPlan, type Plan, type PlanOptions } from '@deepseek-ai/dsh-composition-yaml'
import type { Context } from 'cordis'
import { onTestFinished } from 'vitest'
import { boot, type BootOptions, type Running } from '../src/index.ts'

const { nativeImport } = createRequire(import.meta.url)('./native-import.mjs') as { nativeImport: (specifier: string) => Promise<unknown> }

export interface Setup {
  folder: string
  path: (name: string) => string
  /** Writes files; to `null` removes one. */
  write: (files: Record<string, string | null>) => Promise<void>
  plan: (options?: Partial<PlanOptions>) => Promise<Plan>
  boot: (options?: Partial<BootOptions>, plan?: Partial<PlanOptions>) => Promise<Running>
  /** The message of a boot that fails, with the folder shown as ROOT. */
  complaint: (options?: Partial<BootOptions>, plan?: Partial<PlanOptions>) => Promise<{ codes: string[]; message: string }>
  log: string[]
}

/** A folder with these files, gone after the test; what was booted from it is disposed of. */
export async function setup(files: Record<string, string>, builtins: BootOptions['builtins'] = {}): Promise<Setup> {
  const folder = await mkdtemp(join(tmpdir(), 'dsh-boot-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  const path = (name: string): string => join(folder, name)
  const log: string[] = []
  const write: Setup['write'] = async changed => {
    for (const [name, text] of Object.entries(changed)) {
      if (text === null) await rm(path(name), { recursive: true })
      else {
        await mkdir(dirname(path(name)), { recursive: true })
        await writeFile(path(name), text)
      }
    }
  }
  await write(files)
  const plan: Setup['plan'] = options => readPlan({ composition: path('cordis.yml'), userSettings: path('settings.yml'), env: {}, ...options })
  const start: Setup['boot'] = async (options, planOptions) => {
    const running = await boot(await plan(planOptions), {
      builtins,
      importModule: nativeImport,
      roots: [import.meta.url],
      graceMs: 100,
      startTimeoutMs: 1_000,
      disposeTimeoutMs: 200,
      prepare: root => collectLog(root, log),
      ...options,
    })
    onTestFinished(() => running.dispose())
    return running
  }
  const complaint: Setup['complaint'] = async (options, planOptions) => {
    const failure = await start(options, planOptions).then(() => undefined, error => error)
    if (failure === undefined) return { codes: [], message: 'fine' }
    return { codes: (failure.problems ?? []).map(({ code }: { code: string }) => code), message: String(failure.message).replaceAll(folder, 'ROOT') }
  }
  return { folder, path, write, plan, boot: start, complaint, log }
}

function collectLog(root: Context, log: string[]): void {
  root.logger.exporter({
    export: ({ type, args }) => {
      if (type !== 'info') log.push(`${type} ${args.map(arg => (arg instanceof Error ? arg.message : String(arg))).join(' ')}`)
    },
  })
}

/** Waits until `read` answers something else than false or undefined; fails after five seconds. */
export async function until<T>(read: () => T | undefined | false, what = 'the condition'): Promise<T> {
  const end = Date.now() + 5_000
  for (;;) {
    const value = read()
    if (value !== undefined && value !== false) return value
    if (Date.now() > end) throw new Error(`${what} did not come about`)
    await new Promise(resolve => setTimeout(resolve, 10))
  }
}
