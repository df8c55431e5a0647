/** Takes a key that `dsh auth` has stored, where the environment has none. */

import { describeError } from '@deepseek-ai/dsh-errors'
import { credentialsFile, KEY_PROVIDERS, readCredentialsNow } from '@deepseek-ai/dsh-credentials'

/** Sets it in `env`, from where everybody takes it and nobody hands it to child processes. A file that cannot be used is told through `warn`. */
export function useStoredKey(env: NodeJS.ProcessEnv, warn: (message: string) => void): void {
  const missing = KEY_PROVIDERS.filter(({ variable }) => !env[variable])
  if (missing.length === 0) return
  try {
    const stored = readCredentialsNow(credentialsFile(env))
    for (const { variable } of missing) if (stored[variable]) env[variable] = stored[variable]
  } catch (error) {
    warn(`dsh: ${describeError(error)}\n`)
  }
}
