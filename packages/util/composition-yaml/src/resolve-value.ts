/** Turns nodes into the plain values that plugins get: reads the environment once, never expands what it read. */

import type { Position } from './position.ts'
import type { Provenance } from './plan-row.ts'
import type { Problem } from './problem.ts'
import type { Plain, YamlEntry, YamlNode } from './yaml-node.ts'

/** A whole scalar of this shape is a shell habit, not a value that anyone wants literally. */
const SHELL_VARIABLE = /^\$\{(\w+)(?::?-([^}]*))?\}$/

export interface Resolved {
  value: unknown
  /** Dotted path → where the value, or the map or list around others, was written. */
  provenance: Record<string, Provenance>
  problems: Problem[]
}

/** A `!!js` expression as the loader knows it; it is evaluated when the row starts. Nothing but the tag may make one: it is code. */
export interface JsExpression {
  [JS_KEY]: string
}

const JS_KEY = '__jsExpr'

/**
 * The value of `node`.
 *
 * `!env NAME` is the variable's text; an unset or empty variable without a
 * default is the problem `env-unset`, which never quotes a value. Text that
 * came from the environment is not looked at again, whatever it holds.
 */
export function resolveValue(node: YamlNode, env: Readonly<Record<string, string | undefined>>): Resolved {
  const resolver = new Resolver(env)
  const value = resolver.resolve(node, '', node.at)
  delete resolver.provenance['']
  return { value, provenance: resolver.provenance, problems: resolver.problems }
}

class Resolver {
  readonly provenance: Record<string, Provenance> = {}
  readonly problems: Problem[] = []
  private readonly env: Readonly<Record<string, string | undefined>>

  constructor(env: Readonly<Record<string, string | undefined>>) {
    this.env = env
  }

  resolve(node: YamlNode, path: string, at: Position): unknown {
    this.provenance[path] = { position: at }
    const inside = (key: string): string => (path === '' ? key : `${path}.${key}`)
    switch (node.kind) {
      case 'map':
        for (const entry of node.entries) this.refuseJsKey(entry)
        return Object.fromEntries(node.entries.map(entry => [entry.key, this.resolve(entry.value, inside(entry.key), entry.at)]))
      case 'list':
        return node.items.map((item, index) => this.resolve(item, inside(String(index)), item.at))
      case 'replace':
        return this.resolve(node.value, path, at)
      case 'js':
        return { [JS_KEY]: node.code } satisfies JsExpression
      case 'env':
        this.provenance[path] = { position: at, env: node.name }
        return this.readEnv(node.name, node.fallback, node.at)
      case 'scalar':
        if (node.literal !== true) this.refuseShellVariable(node.value, node.at)
        return node.value
    }
  }

  private readEnv(name: string, fallback: Plain | undefined, position: Position): Plain {
    const value = this.env[name]
    if (value !== undefined && value !== '') return value
    if (fallback !== undefined) return fallback
    const state = value === undefined ? 'not set' : 'empty'
    this.problems.push({ code: 'env-unset', message: `the environment variable ${name} is ${state} and has no default here`, position })
    return null
  }

  /** Written as a map it would be evaluated like the tag, past every rule about who may use that. */
  private refuseJsKey({ key, at }: YamlEntry): void {
    if (key === JS_KEY) this.problems.push({ code: 'js-forbidden', message: `the key "${JS_KEY}" is reserved; write !!js before an expression`, position: at })
  }

  private refuseShellVariable(value: Plain, position: Position): void {
    const found = typeof value === 'string' ? SHELL_VARIABLE.exec(value) : null
    if (found === null) return
    const meant = found[2] === undefined ? `!env ${found[1]}` : `!env ${found[1]} ${found[2]}`
    this.problems.push({ code: 'bad-value', message: `\${…} is not expanded; write ${meant}, or !!str before it to mean the text itself`, position })
  }
}
