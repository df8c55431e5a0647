import { createRoot } from 'cordis/host'
import { describe, expect, it } from 'vitest'
import * as agentCore from '../src/index.ts'

const SPINE = ['llm', 'sessions', 'systemPrompt', 'tools', 'agents']

async function mount(config: unknown) {
  const root = createRoot()
  const fiber = root.plugin(agentCore as never, agentCore.Config(config as never) as never)
  await fiber
  // The parts start one after the other, each when what it needs is there.
  await new Promise(resolve => setImmediate(resolve))
  const provided = (): string[] => [...SPINE, 'agentLoop'].filter(name => root.get(name as 'tools') !== undefined)
  return { root, fiber, provided, [Symbol.asyncDispose]: async () => void (await root.fiber.dispose()) }
}

describe('the spine', () => {
  it('is the five services and the loop, which makes agents', async () => {
    await using core = await mount({})

    expect(core.provided()).toEqual([...SPINE, 'agentLoop'])
    expect(core.root.agents.ready).toBe(true)
  })

  it('comes without the loop, so that another one can make agents', async () => {
    await using core = await mount({ loop: false })

    expect(core.provided()).toEqual(SPINE)
    expect(core.root.agents.ready).toBe(false)
    expect(() => core.root.agents.create()).toThrow(expect.objectContaining({ code: 'NO_FACTORY' }))
  })

  it('passes its config on to the loop and the tools', async () => {
    await using core = await mount({ agentLoop: { model: 'mine' }, tools: { maxResultLength: 1000 } })
    core.root.tools.register({ name: 'long', description: 'long', parameters: { type: 'object' }, execute: async () => [{ type: 'text', text: 'x'.repeat(5000) }] })

    const { agent } = core.root.agents.create()
    const { content } = await core.root.tools.execute({ callId: 'c', name: 'long', arguments: {}, cwd: '/', signal: new AbortController().signal })

    expect(agent.options.model).toBe('mine')
    expect(content[0]?.type === 'text' && content[0].text.length).toBeLessThan(1200)
  })

  it.each([[{ loop: 'yes' }], [{ agentLoop: { maxAttempts: 0 } }], [{ tools: { maxResultLength: 1 } }]])('refuses the config %j', async config => {
    const result = await agentCore.Config['~standard'].validate(config)
    expect('issues' in result && result.issues?.length).toBe(1)
  })

  it('goes as a whole', async () => {
    await using core = await mount({})
    await core.fiber.dispose()

    expect(core.provided()).toEqual([])
  })
})
