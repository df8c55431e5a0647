/** The key that the default adapter takes: from the environment, or from where `dsh auth` has stored it. */

import { readCredentials, removeCredential } from '@deepseek-ai/dsh-credentials'

const NAME = 'DEEPSEEK_API_KEY'

export class Keys {
  readonly #file: string | undefined
  readonly #env: NodeJS.ProcessEnv

  /** Without a file nothing is stored. */
  constructor(file: string | undefined, env: NodeJS.ProcessEnv) {
    this.#file = file
    this.#env = env
  }

  get areStored(): boolean {
    return this.#file !== undefined
  }

  /** Whether there is a key; one that was stored meanwhile is taken. */
  async use(): Promise<boolean> {
    if (this.#env[NAME]?.trim()) return true
    const stored = this.#file === undefined ? undefined : (await readCredentials(this.#file))[NAME]
    if (!stored) return false
    this.#env[NAME] = stored
    return true
  }

  /** Removes the stored key, and the same one from this process. */
  async forget(): Promise<void> {
    if (this.#file === undefined) return
    const stored = (await readCredentials(this.#file))[NAME]
    if (stored !== undefined && this.#env[NAME] === stored) delete this.#env[NAME]
    await removeCredential(this.#file, NAME)
  }
}
