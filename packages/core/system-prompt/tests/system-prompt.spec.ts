import { createRoot } from 'cordis/host'
import { describe, expect, it } from 'vitest'
import { extendScope, scopeOf } from '@deepseek-ai/dsh-scope'
import { renderPrompt, SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import type { Context } from 'cordis'

async function withPrompt(): Promise<Context> {
  const ctx = createRoot()
  await ctx.plugin(SystemPrompt)
  return ctx
}

function tool(name: string): { name: string; description: string; parameters: { type: 'object' } } {
  return { name, description: name, parameters: { type: 'object' } }
}

describe('renderPrompt', () => {
  it('joins trimmed texts with a blank line and leaves empty ones out', () => {
    const sections = [
      { name: 'a', order: 1, text: ' first\n' },
      { name: 'b', order: 2, text: () => '' },
      { name: 'c', order: 3, text: () => 'third' },
    ]

    expect(renderPrompt({ sections, tools: [] })).toBe('first\n\nthird')
  })
})

describe('sections', () => {
  it('come in their order, equal orders as registered', async () => {
    const ctx = await withPrompt()
    for (const [name, order] of [['late', 20], ['one', 10], ['two', 10], ['early', 5]] as const) ctx.systemPrompt.section({ name, order, text: name })

    expect(ctx.systemPrompt.sections().map(({ name }) => name)).toEqual(['early', 'one', 'two', 'late'])
    await ctx.fiber.dispose()
  })

  it('go with the plugin that brought them', async () => {
    const ctx = await withPrompt()
    let changes = 0
    ctx.on('system-prompt/change', () => void changes++)
    const fiber = ctx.plugin({ name: 'p', inject: ['systemPrompt'], apply: (inner: Context) => void inner.systemPrompt.section({ name: 'a', order: 1, text: 'a' }) })
    await fiber
    expect([ctx.systemPrompt.sections().length, changes]).toEqual([1, 1])

    await fiber.dispose()

    expect([ctx.systemPrompt.sections().length, changes]).toEqual([0, 2])
    await ctx.fiber.dispose()
  })

  it('may be named alike only in different scopes, where the deeper one wins in its place', async () => {
    const ctx = await withPrompt()
    const inner = extendScope(ctx, 'inner')
    ctx.systemPrompt.section({ name: 'tone', order: 1, text: 'formal' })
    inner.systemPrompt.section({ name: 'tone', order: 1, text: 'casual' })

    expect(() => ctx.systemPrompt.section({ name: 'tone', order: 2, text: 'x' })).toThrow('the prompt section "tone" exists already')
    expect(ctx.systemPrompt.sections().map(({ text }) => text)).toEqual(['formal'])
    expect(ctx.systemPrompt.sections(scopeOf(inner)).map(({ text }) => text)).toEqual(['casual'])
    await ctx.fiber.dispose()
  })
})

describe('assemble', () => {
  it('sorts the tools of all providers by name, so that the prefix stays stable', async () => {
    const ctx = await withPrompt()
    ctx.systemPrompt.tools(() => [tool('write'), tool('bash')])
    const remove = ctx.systemPrompt.tools(() => [tool('read')])

    expect((await ctx.systemPrompt.assemble()).tools.map(({ name }) => name)).toEqual(['bash', 'read', 'write'])
    remove()
    expect((await ctx.systemPrompt.assemble()).tools.map(({ name }) => name)).toEqual(['bash', 'write'])
    await ctx.fiber.dispose()
  })

  it('runs the waterfall of the scope that asks, and a change to the assembly stays there', async () => {
    const ctx = await withPrompt()
    const inner = extendScope(ctx, 'inner')
    ctx.systemPrompt.section({ name: 'base', order: 1, text: 'base' })
    inner.on('system-prompt/assemble', async (assembly, next) => {
      assembly.sections.push({ name: 'extra', order: 2, text: 'extra' })
      return await next()
    })

    expect(renderPrompt(await ctx.systemPrompt.assemble(scopeOf(inner)))).toBe('base\n\nextra')
    expect(renderPrompt(await ctx.systemPrompt.assemble(scopeOf(inner)))).toBe('base\n\nextra')
    expect(renderPrompt(await ctx.systemPrompt.assemble())).toBe('base')
    await ctx.fiber.dispose()
  })
})
