/** Keys of this process and of its user: one that is given is asked about, stored and used at once. */

import { checkCredential, readCredentials, removeCredential, storeCredential, type KeyProvider } from '@deepseek-ai/dsh-credentials'
import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'

export interface KeyRingOptions {
  /** Where keys are stored. */
  file: string
  /** From where adapters take them, at every request. */
  env: NodeJS.ProcessEnv
  /** The variables of `env` whose values come from what is stored, with those that they had from whoever started the program. Kept up to date here. */
  storedKeys: Map<string, string | undefined>
  /** How long a provider may take to say whether a key is good; 0: it is not asked. */
  checkMs: number
  /** Asks the provider of a model for something that needs the key; undefined where nobody can be asked. Rejects with the code `AUTH` when the key is refused. */
  offered(model: string, signal: AbortSignal): Promise<unknown>
}

/** What became of a key. */
export interface Taken {
  /** `another`: one that was stored meanwhile by another program; it is left. */
  file: 'removed' | 'another' | 'nothing'
  /** Whether it had come from the file, or from a login. */
  wasInUse: boolean
  /** There is another one in the environment. */
  isLeft: boolean
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
    const { file, env, storedKeys } = this.#options
    checkCredential(variable, key)
    const before = env[variable]
    const isStored = storedKeys.has(variable) || (await readCredentials(file))[variable] === before
    const outside = isStored ? storedKeys.get(variable) : before
    env[variable] = key
    try {
      const unchecked = await this.#check(name, model, signal)
      await storeCredential(file, variable, key)
      storedKeys.set(variable, outside)
      const isFromOutside = Boolean(outside) && outside !== key
      return { notes: [...(unchecked === undefined ? [] : [unchecked]), ...(isFromOutside ? [`${variable} is set in the environment: the next start takes that one again, until it is unset there.`] : [])] }
    } catch (error) {
      setVariable(env, variable, before)
      throw error
    }
  }

  /** Forgets the key that is in use here, and in the file unless another program has stored another one there meanwhile. */
  async take({ variable }: KeyProvider): Promise<Taken> {
    const { file, env, storedKeys } = this.#options
    const stored = (await readCredentials(file))[variable]
    const key = env[variable]
    const isOurs = key !== undefined && (storedKeys.has(variable) || key === stored)
    const isAnother = isOurs && stored !== undefined && stored !== key
    const wasStored = !isAnother && (await removeCredential(file, variable))
    if (isOurs) setVariable(env, variable, storedKeys.get(variable))
    storedKeys.delete(variable)
    return { file: isAnother ? 'another' : wasStored ? 'removed' : 'nothing', wasInUse: isOurs, isLeft: Boolean(env[variable]?.trim()) }
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

function setVariable(env: NodeJS.ProcessEnv, name: string, value: string | undefined): void {
  if (value === undefined) delete env[name]
  else env[name] = value
}
