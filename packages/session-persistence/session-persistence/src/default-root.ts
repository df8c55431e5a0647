/** Where sessions lie when nobody says. Pure. */

import { homedir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** `$DSH_HOME`, else `dsh` in the XDG data directory. Relative values are ignored, as the XDG specification demands. */
export function defaultRoot(env: NodeJS.ProcessEnv): string {
  const own = env['DSH_HOME']
  if (own && isAbsolute(own)) return own
  const data = env['XDG_DATA_HOME']
  return join(data && isAbsolute(data) ? data : join(env['HOME'] || homedir(), '.local', 'share'), 'dsh')
}
