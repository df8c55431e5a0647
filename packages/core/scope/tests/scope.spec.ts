import { createRoot } from 'cordis/host'
import { describe, expect, it } from 'vitest'
import { extendScope, reaches, Scope, scopeKey, scopeOf } from '@deepseek-ai/dsh-scope'
import type { Context } from 'cordis'

declare module 'cordis' {
  interface Events {
    'scope-test/ping'(): void
  }
}

describe('reaches', () => {
  it('lets registrations be seen in their own scope and below it', () => {
    const parent = new Scope('parent')
    const child = new Scope('child', parent)
    const sibling = new Scope('sibling', parent)
    const world = { root: undefined, parent, child, sibling }
    const seen = Object.entries(world).map(([owner, at]) => [owner, Object.entries(world).filter(([, reader]) => reaches(at, reader)).map(([reader]) => reader)])

    expect(Object.fromEntries(seen)).toEqual({
      root: ['root', 'parent', 'child', 'sibling'],
      parent: ['parent', 'child', 'sibling'],
      child: ['child'],
      sibling: ['sibling'],
    })
  })
})

describe('extendScope', () => {
  it('hangs the scope on the context and everything made from it', async () => {
    const root = createRoot()
    const inner = extendScope(extendScope(root, 'outer'), 'inner')
    const seen: (string | undefined)[] = []
    await inner.plugin({ name: 'below', apply: (ctx: Context) => void seen.push(scopeOf(ctx)?.label, scopeOf(ctx)?.parent?.label) })

    expect(seen).toEqual(['inner', 'outer'])
    expect(scopeOf(root)).toBeUndefined()
    await root.fiber.dispose()
  })

  it('is found by another copy of this package, because the key is global', () => {
    expect(scopeKey).toBe(Symbol.for('dsh.scope'))
  })
})

describe('an event of a scope', () => {
  it('reaches listeners of the scope, of its ancestors and of nobody, but not below or beside', async () => {
    const root = createRoot()
    const outer = extendScope(root, 'outer')
    const inner = extendScope(outer, 'inner')
    const beside = extendScope(root, 'beside')
    const heard: string[] = []
    for (const [name, ctx] of Object.entries({ root, outer, inner, beside })) ctx.on('scope-test/ping', () => void heard.push(name))

    root.emit(scopeOf(outer) as never, 'scope-test/ping')
    expect(heard.splice(0)).toEqual(['root', 'outer'])

    root.emit(scopeOf(inner) as never, 'scope-test/ping')
    expect(heard.splice(0)).toEqual(['root', 'outer', 'inner'])

    root.emit('scope-test/ping')
    expect(heard).toEqual(['root', 'outer', 'inner', 'beside'])
    await root.fiber.dispose()
  })
})
