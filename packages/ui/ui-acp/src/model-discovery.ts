/** Asks the providers for their models in the background, once, so that no session waits for a network. */

import type { Context } from 'cordis'
import type {} from '@deepseek-ai/dsh-front-door'
import type {} from '@deepseek-ai/dsh-llm'

/** The model of those who have no key. */
const OFFLINE_MODEL = 'offline'

export class ModelDiscovery {
  readonly #ctx: Context
  readonly #timeoutMs: number
  readonly #onFound: () => void
  #names: readonly string[] = []
  #begun = false

  /** `onFound` is called when there are models that were not known before. */
  constructor(ctx: Context, timeoutMs: number, onFound: () => void) {
    this.#ctx = ctx
    this.#timeoutMs = timeoutMs
    this.#onFound = onFound
  }

  get names(): readonly string[] {
    return this.#names
  }

  begin(): void {
    if (this.#begun || this.#timeoutMs === 0 || !this.#hasProvider()) return
    this.#begun = true
    void this.#discover()
  }

  /** Without a key, and with a model that needs none, there is nobody to ask. */
  #hasProvider(): boolean {
    return Boolean(process.env['DEEPSEEK_API_KEY']) || this.#ctx.frontDoor.request.agentOptions.model !== OFFLINE_MODEL
  }

  async #discover(): Promise<void> {
    const { llm } = this.#ctx
    // An adapter that fails is left out and logged where the models are gathered.
    const found = await llm.discover(AbortSignal.timeout(this.#timeoutMs))
    const known = new Set(llm.models())
    this.#names = found.map(({ name }) => name).filter(name => !known.has(name) && llm.serves(name))
    if (this.#names.length > 0) this.#onFound()
  }
}
