import { createRoot } from 'cordis/host'
import { describe, expect, it } from 'vitest'
import { AgentError, AgentRegistry, type Agent, type AgentFactory, type AgentHandle } from '@deepseek-ai/dsh-agent'
import { scopeOf, extendScope } from '@deepseek-ai/dsh-scope'
import type { Context } from 'cordis'

async function withRegistry(): Promise<Context> {
  const ctx = createRoot()
  await ctx.plugin(AgentRegistry)
  return ctx
}

/** Enough of an agent to be registered. */
function someAgent(ctx: Context, id: string): Agent {
  return { id, scope: scopeOf(extendScope(ctx, id)) } as unknown as Agent
}

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (error instanceof AgentError) return error.code
    throw error
  }
  return 'no error'
}

describe('the factory', () => {
  it('is set by one loop at a time and goes with it', async () => {
    const ctx = await withRegistry()
    const handle = {} as AgentHandle
    const factory: AgentFactory = { createAgent: () => handle }
    const loop = { name: 'loop', inject: ['agents'], apply: (inner: Context) => void inner.agents.setFactory(factory) }
    expect([ctx.agents.ready, codeOf(() => ctx.agents.create())]).toEqual([false, 'NO_FACTORY'])

    const fiber = ctx.plugin(loop)
    await fiber
    expect([ctx.agents.ready, ctx.agents.create(), codeOf(() => ctx.agents.setFactory(factory))]).toEqual([true, handle, 'DUPLICATE_FACTORY'])

    await fiber.dispose()
    expect([ctx.agents.ready, codeOf(() => ctx.agents.create())]).toEqual([false, 'NO_FACTORY'])
    await ctx.fiber.dispose()
  })
})

describe('register', () => {
  it('announces an agent, and its end with the plugin that made it', async () => {
    const ctx = await withRegistry()
    const heard: string[] = []
    ctx.on('agent/created', agent => void heard.push(`created ${agent.id}`))
    ctx.on('agent/disposed', agent => void heard.push(`disposed ${agent.id}`))
    const agent = someAgent(ctx, 'a')
    const fiber = ctx.plugin({ name: 'maker', inject: ['agents'], apply: (inner: Context) => void inner.agents.register(agent) })
    await fiber
    expect([ctx.agents.get('a'), ctx.agents.list(), ctx.agents.get('b')]).toEqual([agent, [agent], undefined])

    await fiber.dispose()

    expect([ctx.agents.list(), heard]).toEqual([[], ['created a', 'disposed a']])
    await ctx.fiber.dispose()
  })

  it('refuses a second agent of the same id', async () => {
    const ctx = await withRegistry()
    ctx.agents.register(someAgent(ctx, 'a'))

    expect(codeOf(() => ctx.agents.register(someAgent(ctx, 'a')))).toBe('DUPLICATE_AGENT')
    await ctx.fiber.dispose()
  })
})
