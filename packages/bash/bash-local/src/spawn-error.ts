/** Says in words why the system did not start a shell. */

import { BashError, type BashExecSpec, type BashShell } from '@deepseek-ai/dsh-bash'
import { isDirectory } from './workdir.ts'

/** The system's `ENOENT` names the program even when it is the directory that is missing. */
export function explainSpawnError(error: unknown, { program }: BashShell, { workdir, command }: BashExecSpec): BashError {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'E2BIG') {
    const size = Buffer.byteLength(command)
    return new BashError('BASH_INVALID_COMMAND', `the command is ${size} bytes long, more than the system takes; write it to a file and run that`, { cause: error })
  }
  if (!isDirectory(workdir)) return new BashError('BASH_WORKDIR_NOT_FOUND', `the working directory ${workdir} does not exist or is not a directory`, { cause: error })
  if (code === 'EACCES') return new BashError('BASH_SPAWN_FAILED', `not allowed to run ${program} in ${workdir}`, { cause: error })
  return new BashError('BASH_SPAWN_FAILED', `could not start ${program} in ${workdir}`, { cause: error })
}
