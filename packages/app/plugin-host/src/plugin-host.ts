/** Finds and loads plugins by the names that rows give them: built in, a path, or a package. */

import { isAbsolute } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { toPlugin } from '@cordisjs/loader/host'
import type { Plugin } from 'cordis'
import { isForeignService } from 'cordis/host'
import { describeError } from '@deepseek-ai/dsh-errors'
import { nearest } from '@deepseek-ai/dsh-text'
import { HostModules, type HostModuleTable } from './host-modules.ts'
import { ModuleHooks, PLUGIN_PROTOCOL, type Approve } from './module-hooks.ts'
import { PluginError } from './plugin-error.ts'
import type { Request } from './requests.ts'

export interface PluginHostOptions {
  /** Name of a built-in plugin → import of its module. */
  builtins: Readonly<Record<string, () => Promise<unknown>>>
  /** In a bundle: the host's packages. Without it they are resolved from `roots`. */
  hostModules?: HostModuleTable
  /** From sources: URLs of host modules that can import the host's packages; tried in order. */
  roots?: readonly string[]
  /**
   * Asked for plugins that the file `from` names: the answer judges every file that
   * they load, by the bytes that are going to run, and throws to refuse.
   */
  approve?: Approve
  /** Imports a module; for hosts whose `import()` is not Node's own. */
  importModule?: (specifier: string) => Promise<unknown>
}

/** A plugin's imports of host packages that are not loaded yet are met by trying again; this often. */
const MOST_RETRIES = 64

/** Nearly every plugin needs these; the rest is loaded when one asks for it. */
const PRELOADED = ['cordis', 'schemastery', 'cosmokit']

/**
 * Loads plugins. What is built in costs nothing extra; the first third-party
 * plugin installs the module hooks, `dispose` removes them.
 */
export class PluginHost {
  private readonly options: PluginHostOptions
  private readonly modules: HostModules | undefined
  private readonly hooks: ModuleHooks
  private readonly requests = new Map<string, Request>()
  private readonly builtins = new Map<string, Promise<Plugin>>()
  private readonly loaded = new Map<string, Promise<Plugin>>()
  /** Specifier → numbers of the hook requests that loading it took. */
  private readonly attempts = new Map<string, number[]>()
  private numbers = 0

  constructor(options: PluginHostOptions) {
    this.options = options
    this.modules = options.hostModules === undefined ? undefined : new HostModules(options.hostModules)
    this.hooks = new ModuleHooks({ ...(this.modules === undefined ? {} : { modules: this.modules }), roots: [...(options.roots ?? []), import.meta.url], ...(options.approve && { approve: options.approve }) })
  }

  isBuiltin(name: string): boolean {
    return Object.hasOwn(this.options.builtins, name)
  }

  /** The specifier under which `load` knows the plugin that `from` names; the same one until `renew`. */
  specify(name: string, from: string): string {
    if (this.isBuiltin(name)) return name
    for (const [specifier, request] of this.requests) {
      if (request.name === name && request.from === from) return specifier
    }
    const target = isAbsolute(name) ? pathToFileURL(name).href : name
    return this.request({ name, target, from, version: 0, deep: false, transpiles: false, sources: new Set() })
  }

  /**
   * A specifier for the same plugin that loads its source anew. Both stay
   * loadable until one is forgotten: the old one for a roll-back.
   */
  renew(specifier: string): string {
    const old = this.requests.get(specifier)
    if (old === undefined) return specifier
    this.numbers++
    return this.request({ ...old, version: this.numbers, sources: new Set(old.sources) })
  }

  /** Drops what is known of a specifier that is not used any more. */
  forget(specifier: string): void {
    this.requests.delete(specifier)
    this.loaded.delete(specifier)
    for (const number of this.attempts.get(specifier) ?? []) this.hooks.remove(number)
    this.attempts.delete(specifier)
  }

  /** Source files of a third-party plugin, without those of packages it uses. Complete once it was loaded. */
  sources(specifier: string): string[] {
    return [...(this.requests.get(specifier)?.sources ?? [])]
  }

  /** The plugin; the same object for the same specifier. Rejects with a `PluginError`. */
  load(specifier: string): Promise<Plugin> {
    const cache = this.isBuiltin(specifier) ? this.builtins : this.loaded
    const before = cache.get(specifier)
    if (before !== undefined) return before
    const plugin = this.isBuiltin(specifier) ? this.loadBuiltin(specifier) : this.loadThird(specifier)
    cache.set(specifier, plugin)
    // What failed may work next time: a package was installed, a file was mended.
    plugin.catch(() => cache.delete(specifier))
    return plugin
  }

  dispose(): void {
    this.hooks.dispose()
    this.requests.clear()
    this.loaded.clear()
  }

  private request(request: Request): string {
    this.numbers++
    const specifier = `${request.name}#${this.numbers}`
    this.requests.set(specifier, request)
    return specifier
  }

  private async loadBuiltin(name: string): Promise<Plugin> {
    try {
      return toPlugin(await this.options.builtins[name]?.(), name)
    } catch (error) {
      throw new PluginError('plugin-import', `the built-in plugin ${name} cannot be loaded: ${describeError(error)}`, { cause: error })
    }
  }

  private async loadThird(specifier: string): Promise<Plugin> {
    const request = this.requests.get(specifier)
    if (request === undefined) throw new PluginError('missing-plugin', `there is no plugin ${specifier}`)
    const exports = await this.importThird(specifier, request)
    let plugin: Plugin
    try {
      plugin = toPlugin(exports, request.name)
    } catch (error) {
      throw new PluginError('plugin-shape', `plugin ${request.name}: ${describeError(error)}`, { cause: error })
    }
    if (!isForeignService(plugin)) return plugin
    const file = request.url?.startsWith('file:') === true ? fileURLToPath(request.url) : request.name
    throw new PluginError('duplicate-framework', `a second copy of the framework: ${file} was bundled with its own; leave "cordis" external`)
  }

  /** Imports the module, again under another version where a host package or the transpiler turns out to be needed. */
  private async importThird(specifier: string, request: Request): Promise<unknown> {
    const importModule = this.options.importModule ?? ((name: string) => import(name))
    await this.modules?.preload(PRELOADED)
    for (let attempt = 0; ; attempt++) {
      const number = ++this.numbers
      if (attempt > 0) Object.assign(request, { version: number, deep: true })
      const asked = { ...request }
      this.hooks.add(number, asked)
      this.attempts.set(specifier, [...(this.attempts.get(specifier) ?? []), number])
      try {
        return await importModule(PLUGIN_PROTOCOL + number)
      } catch (error) {
        const wanted = [...(this.modules?.wanted ?? [])]
        const unstripped = !request.transpiles && (error as { code?: unknown }).code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX'
        if (attempt >= MOST_RETRIES || (wanted.length === 0 && !unstripped)) throw this.explain(asked, error)
        await this.modules?.preload(wanted)
        request.transpiles ||= unstripped
      } finally {
        if (asked.url !== undefined) request.url = asked.url
      }
    }
  }

  private explain(request: Request, error: unknown): PluginError {
    if (error instanceof PluginError) return error
    const { code } = error as { code?: unknown }
    const isPath = /^(\.{0,2}\/|file:)/.test(request.name) || isAbsolute(request.name)
    if (request.url === undefined && code === 'ERR_MODULE_NOT_FOUND') {
      const suggestion = isPath ? undefined : nearest(request.name, Object.keys(this.options.builtins))
      if (suggestion !== undefined) return new PluginError('unknown-plugin', `unknown plugin ${request.name} (did you mean "${suggestion}"?)`, { cause: error })
      const what = isPath ? `there is no file ${request.name}` : `the package ${request.name} is not installed`
      return new PluginError('missing-plugin', `${what}, seen from ${request.from}`, { cause: error })
    }
    return new PluginError('plugin-import', `plugin ${request.name} cannot be loaded: ${describeError(error)}`, { cause: error })
  }
}
