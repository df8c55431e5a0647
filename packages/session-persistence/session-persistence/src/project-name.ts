/** The name under which what belongs to a project is kept: readable, and another one for every place. */

import { realpathSync } from 'node:fs'
import { basename } from 'node:path'
import { fingerprint } from '@deepseek-ai/dsh-json'

/** Its folder's name and eight digits of its real path, so that a link leads to the same; `no-project` without a directory. */
export function projectName(cwd: string | undefined): string {
  if (cwd === undefined) return 'no-project'
  const real = realPath(cwd)
  const slug = basename(real).toLowerCase().replace(/[^a-z0-9]+/g, '-').replace(/^-+|-+$/g, '').slice(0, 40) || 'root'
  return `${slug}-${fingerprint(real).slice(0, 8)}`
}

/** Itself when it is not there any more. */
function realPath(path: string): string {
  try {
    return realpathSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== undefined) return path
    throw error
  }
}
