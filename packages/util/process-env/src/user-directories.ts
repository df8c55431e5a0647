/** Where the user's files are, by the conventions of the environment. Pure: nothing is created here. */

import { userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

export interface UserDirectories {
  home: string
  /** Settings live here. */
  config: string
  /** Sessions and other data live here. */
  data: string
}

/**
 * `$DSH_HOME` for settings and data if set, else the XDG directories. Other
 * relative values are ignored: what is found from the working directory would
 * be a stranger's.
 */
export function userDirectories(env: NodeJS.ProcessEnv): UserDirectories {
  const home = absolute(env['HOME']) ?? homeOfAccount()
  const own = env['DSH_HOME']
  if (own) return { home, config: resolve(own), data: resolve(own) }
  return { home, config: join(absolute(env['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'dsh'), data: join(absolute(env['XDG_DATA_HOME']) ?? join(home, '.local/share'), 'dsh') }
}

/** An account that is in no list of users, as in a container, has the root for its home. */
function homeOfAccount(): string {
  try {
    return userInfo().homedir
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
    return '/'
  }
}

function absolute(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined
}
