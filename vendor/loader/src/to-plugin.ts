/** Turns what a module exports into the one plugin it is, and refuses modules that are two or none. */

import type { Plugin } from '@deepseek-ai/cordis'

export type PluginModule = Record<string, unknown>

/** What a plugin declares beside its body; copied so that the body never loses it. */
const STATICS = ['inject', 'Config', 'provide', 'intercept', 'reusable'] as const

/**
 * The plugin of a module: its default export, or the module itself when it exports `apply`.
 *
 * A module with both shapes is refused with a sentence: the framework would take
 * the default and drop the named `inject` and `Config`. A function plugin is
 * wrapped into an arrow function that carries its declarations, for two reasons:
 * the framework calls plain functions with `new`, which loses a returned
 * disposer, and it rolls a plugin back by its bare body, which loses `inject`.
 * One that has no name gets `fallbackName`.
 */
export function toPlugin(exports: unknown, fallbackName = ''): Plugin {
  if (exports === null || exports === undefined) throw new TypeError('the module exports nothing')
  const module = exports as PluginModule
  const main = (module['default'] ?? undefined) as unknown
  if (main !== undefined && typeof module['apply'] === 'function' && !isWholeModule(main, module['apply'])) {
    throw new TypeError('the module has both a default export and a named "apply"; a plugin is one of the two')
  }
  const plugin = unwrapInterop(main ?? exports)
  if (typeof plugin === 'function') return isClass(plugin) ? (plugin as Plugin) : wrap(plugin as Body, plugin as unknown as PluginModule, fallbackName)
  const apply = (plugin as PluginModule)['apply']
  if (typeof apply === 'function') return wrap(apply.bind(plugin) as Body, plugin as PluginModule, fallbackName)
  throw new TypeError('the module exports no plugin: neither a default export nor a function named "apply"')
}

/** Node gives a CommonJS module's `exports` as its default, and what is in them by name as well: one shape, seen twice. */
function isWholeModule(main: unknown, apply: unknown): boolean {
  const inner = main as PluginModule
  return inner['apply'] === apply && inner['default'] === undefined
}

type Body = (ctx: unknown, config: unknown) => unknown

/** A CommonJS module that was compiled from ES modules holds its default one level deeper. */
function unwrapInterop(value: unknown): unknown {
  const inner = value as { __esModule?: unknown; default?: unknown }
  return inner.__esModule && inner.default !== undefined ? inner.default : value
}

function wrap(body: Body, source: PluginModule, fallbackName: string): Plugin {
  const plugin = (ctx: unknown, config: unknown): unknown => body(ctx, config)
  for (const key of STATICS) {
    if (source[key] !== undefined) Object.defineProperty(plugin, key, { value: source[key], enumerable: true })
  }
  const named = typeof source['name'] === 'string' && source['name'] !== 'apply' && source['name'] !== 'default' && source['name'] !== ''
  const name = named ? source['name'] : fallbackName
  Object.defineProperty(plugin, 'name', { value: name })
  return plugin as unknown as Plugin
}

/** Functions that are no classes have a writable `prototype` or none at all. */
function isClass(value: object): boolean {
  return Object.getOwnPropertyDescriptor(value, 'prototype')?.writable === false
}
