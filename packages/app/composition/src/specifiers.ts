/** Which version of each plugin the rows use: a reload takes new ones, and keeps the old until it has succeeded. */

import type { PlanRow } from '@deepseek-ai/dsh-composition-yaml'
import type { PluginHost } from '@deepseek-ai/dsh-plugin-host'

/** Specifiers by the name and the file that names it; immutable once committed. */
export class Specifiers {
  private readonly host: PluginHost
  private readonly current = new Map<string, string>()
  /** Specifiers that this generation made, and those that it replaced. */
  private readonly made: string[] = []
  private readonly replaced: string[] = []

  constructor(host: PluginHost) {
    this.host = host
  }

  /** The specifier of a row's plugin. */
  of({ name, position }: PlanRow): string {
    if (this.host.isBuiltin(name)) return name
    const key = keyOf(name, position.file)
    const known = this.current.get(key)
    if (known !== undefined) return known
    const specifier = this.host.specify(name, position.file)
    this.current.set(key, specifier)
    return specifier
  }

  /** Files that the plugins have loaded. */
  sources(): string[] {
    return [...this.current.values()].flatMap(specifier => this.host.sources(specifier))
  }

  /** The next generation: plugins with a changed source, and those of `failed` rows, load anew. */
  next(changed: ReadonlySet<string>, failed: readonly PlanRow[]): Specifiers {
    const next = new Specifiers(this.host)
    const retry = new Set(failed.map(row => keyOf(row.name, row.position.file)))
    for (const [key, specifier] of this.current) {
      const stale = retry.has(key) || this.host.sources(specifier).some(file => changed.has(file))
      const renewed = stale ? this.host.renew(specifier) : specifier
      next.current.set(key, renewed)
      if (renewed !== specifier) {
        next.made.push(renewed)
        next.replaced.push(specifier)
      }
    }
    return next
  }

  /** This generation is in force: what it replaced is forgotten. */
  commit(): void {
    for (const specifier of this.replaced.splice(0)) this.host.forget(specifier)
    this.made.length = 0
  }

  /** This generation failed: what it made is forgotten. */
  abandon(): void {
    for (const specifier of this.made.splice(0)) this.host.forget(specifier)
  }
}

function keyOf(name: string, from: string): string {
  return `${name}\n${from}`
}
