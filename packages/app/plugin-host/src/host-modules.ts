/** The host's own modules as a bundle carries them: namespaces behind lazy imports, served to plugins on disk. */

import { hostNames } from './host-specifier.ts'

/** Specifier → lazy import, made when the distribution is bundled. */
export type HostModuleTable = Readonly<Record<string, () => Promise<object>>>

/** Generated modules find their namespace here; hooks cannot pass objects. */
const KEY = Symbol.for('dsh.host-modules')

export const HOST_PROTOCOL = 'dsh-host:'

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/

/**
 * Serves namespaces that were preloaded.
 *
 * Hooks are synchronous and imports are not: a namespace that a plugin needs and
 * that is not there yet is noted in `wanted`, its load fails, and whoever loads
 * the plugin preloads it and tries again under another version.
 */
export class HostModules {
  readonly wanted = new Set<string>()
  private readonly table: HostModuleTable
  private readonly loaded = new Map<string, object>()

  constructor(table: HostModuleTable) {
    this.table = table
  }

  /** The name in the table under which the host has `specifier`. */
  find(specifier: string): string | undefined {
    return hostNames(specifier).find(name => Object.hasOwn(this.table, name))
  }

  async preload(names: Iterable<string>): Promise<void> {
    for (const name of names) {
      const load = this.table[name]
      if (load !== undefined && !this.loaded.has(name)) this.loaded.set(name, await load())
      this.wanted.delete(name)
    }
  }

  /** Source text of a module with the exports of a host module. Throws when it is not preloaded. */
  source(name: string): string {
    const namespace = this.loaded.get(name)
    if (namespace === undefined) {
      this.wanted.add(name)
      throw new Error(`the host module ${name} is not loaded yet`)
    }
    const shared = ((globalThis as Record<symbol, unknown>)[KEY] ??= new Map()) as Map<string, object>
    shared.set(name, namespace)
    const names = Object.keys(namespace).filter(key => key !== 'default' && IDENTIFIER.test(key))
    const lines = [`const host = globalThis[Symbol.for('dsh.host-modules')].get(${JSON.stringify(name)})`]
    for (const key of names) lines.push(`const _${key} = host.${key}; export { _${key} as ${key} }`)
    if ('default' in namespace) lines.push('export default host.default')
    return lines.join('\n')
  }
}
