/** The synchronous module hooks that give third-party plugins the host's packages and run their TypeScript. */

import { readFileSync } from 'node:fs'
import { createRequire, registerHooks, type LoadFnOutput, type LoadHookContext, type LoadHookSync, type ResolveFnOutput, type ResolveHookContext, type ResolveHookSync } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { findOwner } from 'cordis/host'
import { HOST_PROTOCOL, type HostModules } from './host-modules.ts'
import { hostNames, isFrameworkFile, isHostSpecifier } from './host-specifier.ts'
import { PluginError } from './plugin-error.ts'
import { unversioned, versioned, versionOf, type Request } from './requests.ts'
import { isTypeScript, needsTranspiling, transpile } from './transpile.ts'

type NextResolve = Parameters<ResolveHookSync>[2]
type NextLoad = Parameters<LoadHookSync>[2]

/** `dsh-plugin:<number>` asks for the request of that number. */
export const PLUGIN_PROTOCOL = 'dsh-plugin:'

/** For plugins that the file `from` names: what throws when a file of theirs must not run; undefined when all may. */
export type Approve = (from: string) => ((file: string, bytes: Uint8Array) => void) | undefined

/** Where host packages come from: a bundle's table, or files of the host that can resolve them. */
export interface HostSource {
  approve?: Approve
  modules?: HostModules
  roots: readonly string[]
}

/**
 * Hooks for the module graphs of third-party plugins; every other import passes
 * untouched. Installed by the first request and removed by `dispose`.
 */
export class ModuleHooks {
  private readonly host: HostSource
  private readonly requests = new Map<number, Request>()
  /** Module URL → numbers of the requests whose graph it is in. */
  private readonly members = new Map<string, Set<number>>()
  private handle: { deregister: () => void } | undefined

  constructor(host: HostSource) {
    this.host = host
  }

  /** From now on `dsh-plugin:<number>` is this request. */
  add(number: number, request: Request): void {
    this.requests.set(number, request)
    this.handle ??= registerHooks({
      resolve: (specifier, context, next) => this.resolve(specifier, context, next),
      load: (url, context, next) => this.load(url, context, next),
    })
  }

  /** Forgets a request. Its modules stay with Node, which has no way to drop them. */
  remove(number: number): void {
    this.requests.delete(number)
    for (const [url, numbers] of this.members) {
      if (numbers.delete(number) && numbers.size === 0) this.members.delete(url)
    }
  }

  dispose(): void {
    this.handle?.deregister()
    this.handle = undefined
    this.requests.clear()
    this.members.clear()
  }

  private resolve(specifier: string, context: ResolveHookContext, next: NextResolve): ResolveFnOutput {
    if (specifier.startsWith(PLUGIN_PROTOCOL)) return this.resolveRoot(Number(specifier.slice(PLUGIN_PROTOCOL.length)), context, next)
    const parent = context.parentURL
    const numbers = parent === undefined ? undefined : this.members.get(parent)
    if (parent === undefined || numbers === undefined) return next(specifier, context)
    const own = isHostSpecifier(specifier) ? this.resolveHost(specifier, context, next) : undefined
    if (own !== undefined) return own
    const resolved = next(specifier, context)
    if (!resolved.url.startsWith('file:')) return resolved
    if (isFrameworkFile(resolved.url)) throw duplicate(resolved.url, parent)
    const version = versionOf(parent)
    const relative = /^\.{0,2}\//.test(specifier) || specifier.startsWith('file:')
    const url = relative || version.deep ? versioned(resolved.url, version) : resolved.url
    this.join(url, numbers)
    return { ...resolved, url }
  }

  private resolveRoot(number: number, context: ResolveHookContext, next: NextResolve): ResolveFnOutput {
    const request = this.requests.get(number)
    if (request === undefined) throw new Error(`there is no plugin request ${number}`)
    const own = isHostSpecifier(request.target) ? this.resolveHost(request.target, context, next) : undefined
    if (own !== undefined) return own
    const resolved = next(request.target, { ...context, parentURL: pathToFileURL(request.from).href })
    request.url = resolved.url
    const url = versioned(resolved.url, request)
    this.join(url, new Set([number]))
    return { ...resolved, url }
  }

  /** Undefined when the host has no such package: then the plugin may bring it. */
  private resolveHost(specifier: string, context: ResolveHookContext, next: NextResolve): ResolveFnOutput | undefined {
    if (this.host.modules !== undefined) {
      const name = this.host.modules.find(specifier)
      return name === undefined ? undefined : { url: HOST_PROTOCOL + name, format: 'module', shortCircuit: true }
    }
    for (const name of hostNames(specifier)) {
      for (const parentURL of this.host.roots) {
        try {
          // The default resolver of require() goes by the calling module and not by this context.
          if (context.conditions.includes('require')) return { url: pathToFileURL(createRequire(parentURL).resolve(name)).href, shortCircuit: true }
          return next(name, { ...context, parentURL })
        } catch (error) {
          // Not every root depends on every package; the next one may.
          if (!isNotFound(error)) throw error
        }
      }
    }
    return undefined
  }

  private load(url: string, context: LoadHookContext, next: NextLoad): LoadFnOutput {
    if (url.startsWith(HOST_PROTOCOL) && this.host.modules !== undefined) {
      return { format: 'module', source: this.host.modules.source(url.slice(HOST_PROTOCOL.length)), shortCircuit: true }
    }
    const numbers = this.members.get(url)
    if (numbers === undefined) return next(url, context)
    const path = fileURLToPath(unversioned(url))
    const approved = this.approve(path, numbers)
    if (!isTypeScript(path)) return withSource(next(url, context), approved)
    const source = approved?.toString('utf8') ?? readFileSync(path, 'utf8')
    const asked = [...numbers].some(number => this.requests.get(number)?.transpiles === true)
    if (!asked && !needsTranspiling(source, path)) return withSource(next(url, context), approved)
    const format = path.endsWith('.cts') || context.format === 'commonjs-typescript' ? 'commonjs' : 'module'
    return { format, source: transpile(source, path), shortCircuit: true }
  }

  /** The bytes that were approved, and so the only ones that may run; undefined when nobody judges. */
  private approve(path: string, numbers: ReadonlySet<number>): Buffer | undefined {
    const { approve } = this.host
    if (!approve) return undefined
    const judges = [...numbers].flatMap(number => {
      const request = this.requests.get(number)
      return (request && approve(request.from)) ?? []
    })
    if (judges.length === 0) return undefined
    const bytes = readFileSync(path)
    for (const judge of judges) judge(path, bytes)
    return bytes
  }

  private join(url: string, numbers: ReadonlySet<number>): void {
    const members = this.members.get(url) ?? new Set()
    this.members.set(url, members)
    const inPackage = url.includes('/node_modules/')
    for (const number of numbers) {
      members.add(number)
      const request = this.requests.get(number)
      if (request !== undefined && (!inPackage || url === versioned(request.url ?? '', request))) request.sources.add(fileURLToPath(unversioned(url)))
    }
  }
}

/** Binaries are opened by their path and have no source. */
function withSource(loaded: LoadFnOutput, source: Buffer | undefined): LoadFnOutput {
  return source === undefined || loaded.format === 'addon' || loaded.format === 'builtin' ? loaded : { ...loaded, source }
}

function isNotFound(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND' || code === 'ERR_PACKAGE_PATH_NOT_EXPORTED'
}

function duplicate(url: string, parent: string): PluginError {
  const owner = findOwner(url)
  const what = owner === undefined ? url : `${owner.name} ${owner.version} (${owner.path})`
  return new PluginError('duplicate-framework', `a second copy of the framework: ${fileURLToPath(unversioned(parent))} imports ${what}; import "cordis" by its name to get the one of the host`)
}
