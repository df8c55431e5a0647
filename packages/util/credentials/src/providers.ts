/** The providers that a key can be stored for, and where. Pure: nothing is created here. */

import { join } from 'node:path'
import { userDirectories } from '@deepseek-ai/dsh-process-env'

export interface KeyProvider {
  /** What is typed to name it. */
  id: string
  /** For people. */
  name: string
  /** The variable of the environment that its adapter takes the key from. */
  variable: string
  /** One of its models: to ask whether a key is good. */
  model: string
}

/** The first is the one that is meant where none is named. */
export const KEY_PROVIDERS: readonly [KeyProvider, ...KeyProvider[]] = [{ id: 'deepseek', name: 'DeepSeek', variable: 'DEEPSEEK_API_KEY', model: 'deepseek-flash' }]

/** Where keys are stored. */
export function credentialsFile(env: NodeJS.ProcessEnv): string {
  return join(userDirectories(env).config, 'credentials')
}

/** What is shorter is no key, such as the word that a local server is given, and stands in innocent text. */
const SHORTEST_KEY = 12

/** The keys that `env` holds: what must not get into a message, a log or a history. */
export function keysIn(env: NodeJS.ProcessEnv): string[] {
  return KEY_PROVIDERS.map(({ variable }) => env[variable]?.trim() ?? '').filter(key => key.length >= SHORTEST_KEY)
}

/** Whether a text holds one of the keys of `env`. */
export function holdsKey(text: string, env: NodeJS.ProcessEnv): boolean {
  return keysIn(env).some(key => text.includes(key))
}
