/** Finds the shell to run commands in: bash wherever it is, else sh. */

import { accessSync, constants, statSync } from 'node:fs'
import { basename, delimiter, isAbsolute, join } from 'node:path'
import type { BashShell } from '@deepseek-ai/dsh-bash'

/** Where bash is on systems whose search path may not say so: usual, BSD, Homebrew, NixOS. */
const BASH_PLACES = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/opt/homebrew/bin/bash', '/run/current-system/sw/bin/bash']
const SH_PLACES = ['/bin/sh', '/usr/bin/sh']

/**
 * The configured program, or the first bash and else the first sh of the search
 * path and the usual places. `$SHELL` is not asked: fish and nologin are not
 * what the model writes for. Undefined when there is none.
 */
export function findShell(path: string, configured?: string): BashShell | undefined {
  if (configured !== undefined) return [configured, ...onPath(path, configured)].filter(isAbsolute).filter(isProgram).map(describe)[0]
  const candidates = [...onPath(path, 'bash'), ...BASH_PLACES, ...onPath(path, 'sh'), ...SH_PLACES]
  const program = candidates.find(isProgram)
  return program === undefined ? undefined : describe(program)
}

/** Relative entries of the search path are left out: they would mean another program in every directory. */
function onPath(path: string, name: string): string[] {
  return path.split(delimiter).filter(isAbsolute).map(directory => join(directory, name))
}

function describe(program: string): BashShell {
  return { program, dialect: basename(program).startsWith('bash') ? 'bash' : 'sh' }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false // not there, or not for us: the next candidate is asked
  }
}
