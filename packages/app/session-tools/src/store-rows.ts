/** Finds the rows of a composition that keep sessions, without starting anything. */

import type { Plan, PlanRow } from '@deepseek-ai/dsh-composition-yaml'
import { PluginHost } from '@deepseek-ai/dsh-plugin-host'
import type { SessionTools } from './types.ts'

/** Everything about a plugin that is asked here. */
interface PluginShape {
  provide?: unknown
  inject?: unknown
}

export interface StoreRows {
  rows: PlanRow[]
  /** The services that they ask for. */
  needs: ReadonlySet<string>
}

/**
 * The rows whose plugin provides `sessionPersistence`. Built-in plugins are
 * known by their names, so that none is loaded in vain; the others are asked.
 */
export async function findStoreRows({ rows }: Plan, options: SessionTools['boot']): Promise<StoreRows> {
  const candidates = rows.filter(row => !row.disabled && (Object.hasOwn(options.builtins, row.name) ? isStoreName(row.name) : true))
  const host = new PluginHost({ ...options, roots: [import.meta.url] })
  try {
    const stores: PlanRow[] = []
    const needs = new Set<string>()
    for (const row of candidates) {
      const plugin = await shapeOf(host, row)
      if (plugin?.provide !== 'sessionPersistence' && !(plugin && isStoreName(row.id))) continue
      stores.push(row)
      for (const name of injectedBy(plugin)) needs.add(name)
    }
    return { rows: stores, needs }
  } finally {
    host.dispose()
  }
}

function isStoreName(name: string): boolean {
  return name.includes('session-persistence')
}

/** Undefined for what cannot be loaded: the boot says why. */
async function shapeOf(host: PluginHost, row: PlanRow): Promise<PluginShape | undefined> {
  const outcome = await Promise.allSettled([host.load(host.specify(row.name, row.position.file))])
  return outcome[0].status === 'fulfilled' ? (outcome[0].value as PluginShape) : isStoreName(row.id) ? {} : undefined
}

function injectedBy({ inject }: PluginShape): string[] {
  if (Array.isArray(inject)) return inject.map(String)
  return typeof inject === 'object' && inject !== null ? Object.keys(inject) : []
}
