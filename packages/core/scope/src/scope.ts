/**
 * A per-agent registration scope. Registrations inherit down the chain of
 * scopes, events flow up it. The scope hangs on the context itself: there is
 * no table beside it that a second copy of this package could miss.
 */

import { Context } from 'cordis'

/** Where a context carries its scope. Registered globally, so that every copy of this package reads the same key. */
export const scopeKey: unique symbol = Symbol.for('dsh.scope') as never

declare module 'cordis' {
  interface Context {
    [scopeKey]?: Scope
  }
}

/** One agent's world. The root has none: what is registered outside every scope is seen by all. */
export class Scope {
  readonly label: string
  readonly parent: Scope | undefined

  constructor(label: string, parent?: Scope) {
    this.label = label
    this.parent = parent
  }

  /** Whether `other` is this scope or one of its ancestors. */
  isWithin(other: Scope): boolean {
    let scope: Scope | undefined = this
    while (scope !== undefined && scope !== other) scope = scope.parent
    return scope === other
  }

  /**
   * The `this` of an event of this scope: only listeners outside every scope,
   * in this one, or in an ancestor receive it.
   */
  get [Context.filter](): (ctx: Context) => boolean {
    return ctx => reaches(scopeOf(ctx), this)
  }
}

/** The `this` of events that belong to no agent: only listeners outside every scope receive them. */
export const outside: Scope = new Scope('outside')

/** The innermost scope of a context; undefined at the root. */
export function scopeOf(ctx: Context): Scope | undefined {
  return ctx[scopeKey]
}

/** Whether what is registered in `owner` is seen by a reader in `reader`: it is when `owner` is the root, the same scope, or an ancestor. */
export function reaches(owner: Scope | undefined, reader: Scope | undefined): boolean {
  return owner === undefined || (reader !== undefined && reader.isWithin(owner))
}

/** A context of a new scope below the one of `ctx`. It shares the fiber, so the caller's end is its end. */
export function extendScope(ctx: Context, label: string): Context {
  return ctx.extend({ [scopeKey]: new Scope(label, scopeOf(ctx)) })
}
