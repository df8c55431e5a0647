/** Keys of this process and of its user: one that is given is asked about, stored and used at once. */

import { checkCredential, readCredentials, removeCredential, storeCredential, type KeyProvider } from '@deepseek-ai/dsh-credentials'
import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'

export interface KeyRingOptions {
  /** Where keys are stored. */
  file: string
  /** From where adapters take them, at every request. */
  env: NodeJS.ProcessEnv
  /** How long a provider may take to say whether a key is good; 0: it is not asked. */
  checkMs: number
  /** Asks the provider of a model for something that needs the key; undefined where nobody can be asked. Rejects with the code `AUTH` when the key is refused. */
  offered(model: string, signal: AbortSignal): Promise<unknown>
}

export class KeyRing {
  readonly #options: KeyRingOptions

  constructor(options: KeyRingOptions) {
    this.#options = options
  }

  get file(): string {
    return this.#options.file
  }

  /**
   * `notes`: what else there is to know, in sentences. Rejects with `KEY_REFUSED` for a key that the
   * provider does not take, with `CREDENTIALS_INVALID` for what can be none, and when it cannot be
   * stored; then everything is as it was.
   */
  async give({ name, variable, model }: KeyProvider, key: string, signal: AbortSignal): Promise<{ notes: string[] }> {
    const { file, env } = this.#options
    checkCredential(variable, key)
    const before = env[variable]
    const stored = (await readCredentials(file))[variable]
    env[variable] = key
    try {
      const unchecked = await this.#check(name, model, signal)
      await storeCredential(file, variable, key)
      const isFromOutside = Boolean(before) && before !== stored && before !== key
      return { notes: [...(unchecked === undefined ? [] : [unchecked]), ...(isFromOutside ? [`${variable} is set in the environment: the next start takes that one again, until it is unset there.`] : [])] }
    } catch (error) {
      if (before === undefined) delete env[variable]
      else env[variable] = before
      throw error
    }
  }

  /** Forgets the stored key, here too; `isLeft` when there is another one in the environment. */
  async take({ variable }: KeyProvider): Promise<{ wasStored: boolean; isLeft: boolean }> {
    const { file, env } = this.#options
    const stored = (await readCredentials(file))[variable]
    const wasStored = await removeCredential(file, variable)
    if (stored !== undefined && env[variable] === stored) delete env[variable]
    return { wasStored, isLeft: Boolean(env[variable]?.trim()) }
  }

  /** Undefined when the provider takes the key, or cannot be asked; a sentence when it did not answer. */
  async #check(name: string, model: string, signal: AbortSignal): Promise<string | undefined> {
    const { checkMs, offered } = this.#options
    if (checkMs === 0) return undefined
    const late = AbortSignal.timeout(checkMs)
    try {
      await offered(model, AbortSignal.any([signal, late]))
      return undefined
    } catch (error) {
      if (signal.aborted) throw error
      if ((error as { code?: unknown }).code === 'AUTH') throw new HarnessError('KEY_REFUSED', `${name} does not take this key, and nothing was changed: ${describeError(error)}`, { cause: error })
      return `Whether ${name} takes it could not be asked: ${late.aborted ? `no answer within ${checkMs / 1000} s` : describeError(error)}.`
    }
  }
}
