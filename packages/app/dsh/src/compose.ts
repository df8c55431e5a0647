/** Turns a command line into the plan that it asks for. */

import { statSync, type Stats } from 'node:fs'
import { join, resolve } from 'node:path'
import { readPlan, type ExtraRow, type Plan } from '@deepseek-ai/dsh-composition-yaml'
import { UsageError, type CommandLine } from '@deepseek-ai/dsh-command-line'
import { locateBuiltinComposition } from './locate-composition.ts'
import { userPaths } from './paths.ts'

export interface Composed {
  plan: Plan
  /** Absolute: the directory to work in. */
  cwd: string
  /** Reads everything again: after a file has changed. */
  reread(): Promise<Plan>
}

/** The front doors; settings may name them though only one is mounted. */
const FRONT_DOORS = ['ui-text', 'ui-repl', 'ui-jsonl']

/** Throws `UsageError` for a directory or file that is not there, `CompositionError` with everything that is wrong in the files. */
export async function compose(line: CommandLine, frontDoor: ExtraRow | undefined, env: NodeJS.ProcessEnv): Promise<Composed> {
  const cwd = directoryOf(line)
  mustBe('directory', cwd, line.cwd === undefined ? 'the current directory' : '--cwd')
  const { file: composition, precompiled } = line.config === undefined ? locateBuiltinComposition() : { file: resolve(line.config), precompiled: {} }
  mustBe('file', composition, '--config')
  const permission = line.permission === undefined ? [] : [`permission-rules.mode=${line.permission}`]
  const options = {
    composition,
    precompiled,
    userSettings: join(userPaths(env).config, 'settings.yml'),
    projectSettings: join(cwd, '.dsh', 'settings.yml'),
    set: [...line.set, ...permission],
    extraRows: frontDoor ? [frontDoor] : [],
    knownRows: FRONT_DOORS,
    env,
  }
  return { plan: await readPlan(options), cwd, reread: () => readPlan({ ...options, precompiled: {} }) }
}

function directoryOf(line: CommandLine): string {
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

function lookAt(path: string, what: string): Stats {
  try {
    return statSync(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new UsageError(`${what}: ${path} ${code === 'ENOENT' ? 'does not exist' : `cannot be used (${code})`}`)
  }
}
