/** Turns a command line into the plan that it asks for. */

import { statSync, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import type { BootOptions } from '@deepseek-ai/dsh-composition'
import { readPlan, type ExtraRow, type IsTrusted, type Plan, type PlanOptions } from '@deepseek-ai/dsh-composition-yaml'
import { UsageError, type CommandLine } from '@deepseek-ai/dsh-command-line'
import type { ProjectState } from '@deepseek-ai/dsh-project-tools'
import { LazyTrust, projectSettings } from './lazy-trust.ts'
import { locateBuiltinComposition } from './locate-composition.ts'
import { userPaths } from './paths.ts'

export interface Composed {
  plan: Plan
  /** Absolute: the directory to work in. */
  cwd: string
  /** Reads everything again: after a file has changed. Throws, too, when the project is not as it was trusted any more. */
  reread(): Promise<Plan>
  /** For `BootOptions`: keeps plugins of the project to what is trusted. */
  approve: NonNullable<BootOptions['approve']>
  /** What to say of the project's settings that a plan leaves out; undefined when it has all. */
  heldBack(plan: Plan): string | undefined
  /** How the project stands; undefined where it has no settings. */
  project: { kind: ProjectState['kind']; described: string } | undefined
}

/** The front doors; settings may name them though only one is mounted. */
const FRONT_DOORS = ['ui-text', 'ui-repl', 'ui-jsonl', 'ui-acp']

/** Throws `UsageError` for a directory or file that is not there, `CompositionError` with everything that is wrong in the files. */
export async function compose(line: CommandLine, frontDoor: ExtraRow | undefined, env: NodeJS.ProcessEnv): Promise<Composed> {
  const cwd = directoryOf(line)
  mustBe('directory', cwd, line.cwd === undefined ? 'the current directory' : '--cwd')
  const trust = new LazyTrust(cwd, userPaths(env).trust)
  const options = { ...planOptions(line, env), projectSettings: trust.settings, trusted: trust.isTrusted, extraRows: frontDoor ? [frontDoor] : [] }
  const read = async (more: Partial<PlanOptions>): Promise<Plan> => {
    await trust.look()
    const plan = await readPlan({ ...options, ...more })
    return { ...plan, files: [...plan.files, ...trust.files()] }
  }
  const plan = await read({})
  return { plan, cwd, reread: () => read({ precompiled: {} }), approve: trust.approve, heldBack: now => trust.heldBack(now), project: trust.project }
}

/** The plan of another directory, in which everything that `trusted` says applies. */
export async function composeProject(line: CommandLine, cwd: string, trusted: IsTrusted): Promise<Plan> {
  return await readPlan({ ...planOptions(line, process.env), projectSettings: projectSettings(cwd), trusted })
}

function planOptions(line: CommandLine, env: NodeJS.ProcessEnv): PlanOptions {
  const { file: composition, precompiled } = line.config === undefined ? locateBuiltinComposition() : { file: resolve(line.config), precompiled: {} }
  mustBe('file', composition, '--config')
  const permission = line.permission === undefined ? [] : [`permission-rules.mode=${line.permission}`]
  return { composition, precompiled, userSettings: join(userPaths(env).config, 'settings.yml'), set: [...line.set, ...permission], knownRows: FRONT_DOORS, env }
}

/** The directory to work in, absolute. */
export function directoryOf(line: Pick<CommandLine, 'cwd'>): string {
  try {
    return resolve(line.cwd ?? '.')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    throw new UsageError('the current directory has been removed; go to another one or use --cwd with an absolute path')
  }
}

/** Throws `UsageError` when `path`, which `what` names, is not there or something else. */
export function mustBe(kind: 'directory' | 'file', path: string, what: string): void {
  const found = lookAt(path, what)
  if (kind === 'directory' ? !found.isDirectory() : found.isDirectory()) throw new UsageError(`${what}: ${path} is not a ${kind}`)
}

/** Throws `UsageError` when `path`, which `what` names and which need not be there yet, can be no file. */
export function mayBeFile(path: string, what: string): void {
  if (lookAt(path, what, true)?.isDirectory() === true) throw new UsageError(`${what}: ${path} is not a file`)
}

function lookAt(path: string, what: string): Stats
function lookAt(path: string, what: string, mayBeMissing: true): Stats | undefined
function lookAt(path: string, what: string, mayBeMissing = false): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (mayBeMissing && code === 'ENOENT') return undefined
    throw new UsageError(`${what}: ${path} ${code === 'ENOENT' ? 'does not exist' : `cannot be used (${code})`}`)
  }
}
