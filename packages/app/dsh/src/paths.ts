/** Where the user's settings and data are. Pure: nothing is created here. */

import { userInfo } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

export interface UserPaths {
  /** Settings live here. */
  config: string
  /** Sessions and other data live here. */
  data: string
  /** The record of which projects are trusted. */
  trust: string
}

/**
 * `$DSH_HOME` for both if set, else the XDG directories. Other relative values
 * are ignored: settings found from the working directory would be a stranger's.
 */
export function userPaths(env: NodeJS.ProcessEnv): UserPaths {
  const own = env['DSH_HOME']
  if (own) return pathsIn(resolve(own), resolve(own))
  const home = absolute(env['HOME']) ?? homeOfAccount()
  return pathsIn(join(absolute(env['XDG_CONFIG_HOME']) ?? join(home, '.config'), 'dsh'), join(absolute(env['XDG_DATA_HOME']) ?? join(home, '.local/share'), 'dsh'))
}

function pathsIn(config: string, data: string): UserPaths {
  return { config, data, trust: join(data, 'trust.json') }
}

/** Where `dsh auth` stores keys. */
export function credentialsFile(env: NodeJS.ProcessEnv): string {
  return join(userPaths(env).config, 'credentials')
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
