/** Takes a key that `dsh auth` has stored, where the environment has none. */

import { describeError } from '@deepseek-ai/dsh-errors'
import { credentialsFile, KEY_PROVIDERS, readCredentialsNow } from '@deepseek-ai/dsh-credentials'

/** Sets it in `env`, from where everybody takes it and nobody hands it to child processes; answers what was set, with what stood there before. A file that cannot be used is told through `warn`. */
export function useStoredKey(env: NodeJS.ProcessEnv, warn: (message: string) => void): Map<string, string | undefined> {
  const set = new Map<string, string | undefined>()
  const missing = KEY_PROVIDERS.filter(({ variable }) => !env[variable])
  if (missing.length === 0) return set
  try {
    const stored = readCredentialsNow(credentialsFile(env))
    for (const { variable } of missing) {
      const key = stored[variable]
      if (!key) continue
      set.set(variable, env[variable])
      env[variable] = key
    }
  } catch (error) {
    warn(`dsh: ${describeError(error)}\n`)
  }
  return set
}
