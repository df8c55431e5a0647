/** Where the user's settings and data are. Pure: nothing is created here. */

import { homedir } from 'node:os'
import { join } from 'node:path'

export interface UserPaths {
  /** Settings live here. */
  config: string
  /** Sessions and other data live here. */
  data: string
}

/** `$DSH_HOME` for both if set, else the XDG directories. Relative XDG values are ignored, as their specification demands. */
export function userPaths(env: NodeJS.ProcessEnv): UserPaths {
  const own = env['DSH_HOME']
  if (own) return { config: own, data: own }
  const home = env['HOME'] || homedir()
  return { config: join(absolute(env['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'dsh'), data: join(absolute(env['XDG_DATA_HOME']) ?? join(home, '.local/share'), 'dsh') }
}

function absolute(path: string | undefined): string | undefined {
  return path?.startsWith('/') ? path : undefined
}
