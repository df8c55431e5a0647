/** `ctx.llm`: which adapter serves which model, and the one way to ask a model. */

import { Context, Service } from 'cordis'
import { reaches, scopeOf } from '@deepseek-ai/dsh-scope'
import { nearest } from '@deepseek-ai/dsh-text'
import { LlmError } from './errors.ts'
import type { LlmAdapter } from './llm-adapter.ts'
import type { GenerateOptions, ModelInfo, StreamChunk } from './types.ts'

declare module 'cordis' {
  interface Context {
    llm: LlmService
  }
}

/** Serves every model that no other adapter names; at most one adapter may claim it. */
export const ANY_MODEL = '*'

export class LlmService extends Service {
  static readonly provide = 'llm'

  private readonly adapters = new Map<string, LlmAdapter>()
  /** The plugins that have registered them. */
  private readonly owners = new WeakMap<LlmAdapter, Context['fiber']>()

  constructor(ctx: Context) {
    super(ctx, 'llm')
  }

  /**
   * Makes `adapter` serve `models`; `ANY_MODEL` means all that nobody names.
   * All or nothing: throws `DUPLICATE_ADAPTER` if one of them is taken. The
   * disposer, and the end of the calling plugin, take all of them away.
   */
  registerAdapter(models: readonly string[], adapter: LlmAdapter): () => void {
    const taken = models.find(model => this.adapters.has(model))
    if (taken !== undefined) throw new LlmError('DUPLICATE_ADAPTER', `another adapter already serves the model "${taken}"`)
    const { adapters } = this
    this.owners.set(adapter, this.ctx.fiber)
    return this.ctx.effect(() => {
      for (const model of models) adapters.set(model, adapter)
      return () => {
        for (const model of models) adapters.delete(model)
      }
    }, `llm.registerAdapter(${models.join(', ')})`)
  }

  /** The models that have been named, in order of registration. */
  models(): string[] {
    return [...this.adapters.keys()].filter(model => model !== ANY_MODEL)
  }

  /** Whether an adapter takes requests for `model`. */
  serves(model: string): boolean {
    return this.adapterOf(model) !== undefined
  }

  /** The plugin whose adapter serves `model`; requests to it end with that. */
  ownerOf(model: string): Context['fiber'] | undefined {
    const adapter = this.adapterOf(model)
    return adapter && this.owners.get(adapter)
  }

  /** What the serving adapter knows about `model`. */
  info(model: string): ModelInfo | undefined {
    return this.adapterOf(model)?.info?.(model)
  }

  /** Lets the serving adapter make ready what a request will need; nothing to do for one that cannot, or where there is none. */
  async prepare(model: string, signal: AbortSignal): Promise<void> {
    await this.adapterOf(model)?.prepare?.(model, signal)
  }

  /** Lets the serving adapter open a connection ahead of a request that is about to come, as when somebody begins to type. */
  async connect(model: string): Promise<void> {
    await this.adapterOf(model)?.connect?.(model)
  }

  /** What the provider of `model` offers now; undefined where that cannot be asked. Rejects as its adapter does, with `AUTH` when the key is refused. */
  async offered(model: string, signal: AbortSignal): Promise<ModelInfo[] | undefined> {
    return await this.adapterOf(model)?.discover?.(signal)
  }

  /** Every model that an adapter's provider offers now; an adapter that fails is left out and logged. */
  async discover(signal: AbortSignal): Promise<ModelInfo[]> {
    const distinct = [...new Set(this.adapters.values())]
    const found = await Promise.allSettled(distinct.map(async adapter => (await adapter.discover?.(signal)) ?? []))
    return found.flatMap(outcome => {
      if (outcome.status === 'fulfilled') return outcome.value
      this.ctx.logger.warn('cannot list models: %s', outcome.reason)
      return []
    })
  }

  /**
   * Streams one answer through the `llm/stream` waterfall. Nothing is sent
   * before the first chunk is asked for. Throws `NO_ADAPTER` when nobody serves
   * the model and no listener answers in its place.
   */
  stream(options: GenerateOptions): AsyncIterable<StreamChunk> {
    const answer: AsyncIterable<StreamChunk> | Promise<AsyncIterable<StreamChunk>> = this.ctx.waterfall(this, 'llm/stream', options, () => {
      const adapter = this.adapterOf(options.model)
      if (!adapter) throw this.noAdapter(options.model)
      return adapter.stream(options)
    })
    // An async listener is easily written; what it rejects with must reach the reader and not end the process.
    return answer instanceof Promise ? unwrap(answer) : answer
  }

  /** Who takes part in `llm/stream`: listeners of the asking agent's scope and above, and those outside every scope. */
  override [Context.filter](listener: Context): boolean {
    return reaches(scopeOf(listener), scopeOf(this.ctx))
  }

  private adapterOf(model: string): LlmAdapter | undefined {
    return this.adapters.get(model) ?? this.adapters.get(ANY_MODEL)
  }

  private noAdapter(model: string): LlmError {
    const meant = nearest(model, this.models())
    const hint = meant === undefined ? `known: ${this.models().join(', ') || 'none'}` : `did you mean "${meant}"?`
    return new LlmError('NO_ADAPTER', `no adapter serves the model "${model}"; ${hint}`)
  }
}

async function* unwrap(answer: Promise<AsyncIterable<StreamChunk>>): AsyncIterable<StreamChunk> {
  yield* await answer
}
