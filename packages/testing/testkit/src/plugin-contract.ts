/** What every plugin must do: come, go, and come again without leaving a trace. */

import type { Context, Plugin } from 'cordis'
import { harness, type HarnessOptions } from './harness.ts'

export interface PluginContractOptions {
  config?: unknown
  /** What must be mounted before: services that the plugin injects. */
  harness?: HarnessOptions
  /** How often it is loaded. Default 3. */
  rounds?: number
  /** Contributions beyond tools, sections, models and listeners, by name. */
  contributions?: (ctx: Context) => Readonly<Record<string, readonly string[]>>
}

export interface PluginContractReport {
  /** What the plugin added while it was loaded, such as `tools: bash`. */
  added: string[]
}

/**
 * Loads and unloads `plugin` several times. Throws when a load adds something
 * else than the one before, when an unload leaves something behind, or when
 * the plugin does not start. Resolves with what it adds.
 */
export async function runPluginContract(plugin: Plugin, options: PluginContractOptions = {}): Promise<PluginContractReport> {
  const { config, rounds = 3 } = options
  await using host = await harness(options.harness)
  const survey = (): string[] => surveyOf(host.ctx, options)
  const before = survey()
  let first: string[] | undefined
  for (let round = 1; round <= rounds; round++) {
    const fiber = host.ctx.plugin(plugin, config as never)
    await fiber
    if (fiber.inertia !== undefined || fiber.store === undefined) throw new Error(`round ${round}: the plugin did not start; it waits for ${Object.keys(fiber.inject).join(', ')}`)
    const added = difference(survey(), before)
    first ??= added
    if (added.join('\n') !== first.join('\n')) throw new Error(`round ${round} added ${added.join(', ') || 'nothing'}, but round 1 ${first.join(', ') || 'nothing'}`)
    await fiber.dispose()
    const left = [...difference(survey(), before), ...difference(before, survey()).map(gone => `missing ${gone}`)]
    if (left.length > 0) throw new Error(`round ${round} left behind: ${left.join(', ')}`)
  }
  return { added: first ?? [] }
}

/** Everything countable that plugins contribute, one entry a contribution. */
function surveyOf(ctx: Context, { contributions }: PluginContractOptions): string[] {
  const hooks = ctx.events._hooks as Readonly<Record<string, readonly unknown[]>>
  return [
    ...ctx.tools.list().map(({ name }) => `tool ${name}`),
    ...ctx.systemPrompt.sections().map(({ name }) => `section ${name}`),
    ...ctx.llm.models().map(name => `model ${name}`),
    ...Object.entries(hooks).flatMap(([name, list]) => list.map(() => `listener ${name}`)),
    ...Object.getOwnPropertySymbols(ctx.reflect.store).map(key => `service ${ctx.reflect.store[key]?.name ?? ''}`),
    ...Object.entries(contributions?.(ctx) ?? {}).flatMap(([kind, names]) => names.map(name => `${kind} ${name}`)),
  ].sort()
}

/** What `all` has more of than `known`. */
function difference(all: readonly string[], known: readonly string[]): string[] {
  const rest = [...known]
  return all.filter(entry => {
    const at = rest.indexOf(entry)
    if (at >= 0) rest.splice(at, 1)
    return at < 0
  })
}
