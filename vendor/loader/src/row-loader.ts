/** The loader as our programs mount it: modules come from the program, failures of single rows may be borne. */

import type { Context, Plugin } from '@deepseek-ai/cordis'
import { EntryGroup, Loader, ModuleLoader, type EntryOptions } from '@deepseek-ai/cordis-plugin-loader'

export interface RowLoaderOptions {
  /** The plugin that a row's specifier stands for. Called once for every start of the row. */
  load: (specifier: string) => Plugin | Promise<Plugin>
  /**
   * A row failed to start, or to change when it was `mounted` before. Return true
   * to go on without a row that was not mounted; anything else fails the whole
   * update, which the group then rolls back. Must not throw.
   */
  bears?: (options: EntryOptions, error: unknown, mounted: boolean) => boolean
  /** How long one row may take to start; then it counts as failed. Unset: for ever. */
  startTimeoutMs?: number
}

/**
 * Mounts rows through the loader's transactional group update.
 *
 * Differs from the loader in three things: `load` finds the modules; Node's
 * internal module loader is opened on demand only (it costs as much as the
 * whole rest of the start); nothing is ever written back.
 */
export class RowLoader extends Loader {
  private readonly options: RowLoaderOptions

  constructor(ctx: Context, options: RowLoaderOptions) {
    const restore = muteInternals()
    super(ctx, {})
    restore()
    this.options = options
    Object.defineProperty(this, 'internal', { configurable: true, get: () => ModuleLoader.fromInternal() })
    this.root = new BearingGroup(this.ctx, this, options)
  }

  override import(name: string): Promise<Plugin> {
    return Promise.resolve(this.options.load(name))
  }

  /** `load` answers with plugins, not with modules. */
  override unwrapExports(plugin: unknown): unknown {
    return plugin
  }
}

/** A group whose single rows may fail, or not come to an end, without failing their siblings. */
class BearingGroup extends EntryGroup {
  private readonly options: RowLoaderOptions

  constructor(ctx: Context, loader: Loader, options: RowLoaderOptions) {
    super(ctx, loader)
    this.options = options
  }

  override async create(row: EntryOptions): Promise<string> {
    const mounted = this.tree.store[row.id] !== undefined
    try {
      return await this.bound(row, super.create(row))
    } catch (error) {
      const bears = this.options.bears?.(row, error, mounted) === true
      if (bears && !mounted) return row.id
      throw error
    }
  }

  private async bound(row: EntryOptions, started: Promise<string>): Promise<string> {
    const { startTimeoutMs } = this.options
    if (startTimeoutMs === undefined) return started
    const late = Promise.withResolvers<never>()
    const timer = setTimeout(() => late.reject(new Error(`plugin ${row.name} did not finish starting within ${startTimeoutMs} ms`)), startTimeoutMs)
    try {
      return await Promise.race([started, late.promise])
    } finally {
      clearTimeout(timer)
      // Whoever lost the race may still fail; its failure is then the fiber's, which the audit reads.
      void Promise.allSettled([started])
    }
  }
}

/** The loader's constructor opens Node's internals through a native module; nobody here needs them. */
function muteInternals(): () => void {
  const holder = ModuleLoader as { fromInternal: () => ModuleLoader | undefined }
  const original = holder.fromInternal
  holder.fromInternal = () => undefined
  return () => {
    holder.fromInternal = original
  }
}
