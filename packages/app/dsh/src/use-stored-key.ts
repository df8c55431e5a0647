/** Takes a key that `dsh auth` has stored, where the environment has none. */

import { describeError } from '@deepseek-ai/dsh-errors'
import { readCredentialsNow } from '@deepseek-ai/dsh-credentials'
import { credentialsFile } from './paths.ts'

const NAME = 'DEEPSEEK_API_KEY'

/** Sets it in `env`, from where everybody takes it and nobody hands it to child processes. A file that cannot be used is told through `warn`. */
export function useStoredKey(env: NodeJS.ProcessEnv, warn: (message: string) => void): void {
  if (env[NAME]) return
  try {
    const stored = readCredentialsNow(credentialsFile(env))[NAME]
    if (stored) env[NAME] = stored
  } catch (error) {
    warn(`dsh: ${describeError(error)}\n`)
  }
}
