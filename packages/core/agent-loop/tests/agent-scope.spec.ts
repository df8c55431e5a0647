import { describe, expect, it } from 'vitest'
import { call, harness, hang, reply, textTool } from '@deepseek-ai/dsh-testkit'
import { AgentError, type Agent, type AgentFactory, type AgentHandle } from '@deepseek-ai/dsh-agent'
import type { Context } from 'cordis'

function toolNames(h: { ctx: Context }, agent: Agent): string[] {
  return h.ctx.tools.list(agent.scope).map(({ name }) => name)
}

describe('what is registered on an agent’s context', () => {
  it('is seen by that agent and its children, and goes with it', async () => {
    await using h = await harness({ model: [reply('ok'), reply('ok'), reply('ok')], tools: [textTool('common', () => '')] })
    const parent = h.create({ agentId: 'parent' })
    const child = h.create({ agentId: 'child', parent: parent.agent })
    parent.agent.ctx.tools.register(textTool('own', () => ''))
    parent.agent.ctx.systemPrompt.section({ name: 's', order: 1, text: 'Family only.' })

    expect([h.agent, parent.agent, child.agent].map(agent => toolNames(h, agent))).toEqual([['common'], ['common', 'own'], ['common', 'own']])
    for (const { agent } of [h, parent, child]) {
      agent.send('hello')
      await agent.whenIdle()
    }
    expect(h.script.requests.map(({ system, tools }) => [system, tools?.length])).toEqual([[undefined, 1], ['Family only.', 2], ['Family only.', 2]])

    await parent.dispose()
    expect(h.ctx.tools.list().map(({ name }) => name)).toEqual(['common'])
  })

  it('hears that agent and its children, but nobody else; listeners outside hear all', async () => {
    await using h = await harness({ model: [reply('ok'), reply('ok'), reply('ok')] })
    const parent = h.create({ agentId: 'parent' })
    const child = h.create({ agentId: 'child', parent: parent.agent })
    const heard: Record<string, Set<string>> = { root: new Set(), parent: new Set(), child: new Set() }
    for (const [name, ctx] of Object.entries({ root: h.ctx, parent: parent.agent.ctx, child: child.agent.ctx })) {
      ctx.on('agent/status', agent => void heard[name]?.add(agent.id))
      ctx.on('agent/prompt-submit', async (agent, _content, _source, next) => {
        heard[name]?.add(`${agent.id} prompt`)
        return await next()
      })
      ctx.on('session/event', session => void heard[name]?.add(`${session.id} event`))
      ctx.on('llm/stream', ({ sessionId }, next) => {
        heard[name]?.add(`${sessionId} request`)
        return next()
      })
    }
    for (const { agent } of [h, parent, child]) {
      agent.send('hello')
      await agent.whenIdle()
    }

    const of = (agent: Agent): string[] => [agent.id, `${agent.id} prompt`, `${agent.session.id} event`, `${agent.session.id} request`]
    expect(heard).toEqual({
      root: new Set([...of(h.agent), ...of(parent.agent), ...of(child.agent)]),
      parent: new Set([...of(parent.agent), ...of(child.agent)]),
      child: new Set(of(child.agent)),
    })
  })

  it('may be a whole plugin, which ends with the agent', async () => {
    await using h = await harness({ model: [call('mine'), reply('done')] })
    const { agent, dispose } = h.create()
    const log: string[] = []
    const plugin = {
      name: 'personal',
      inject: ['tools'],
      apply(ctx: Context) {
        ctx.tools.register(textTool('mine', () => 'yours'))
        ctx.effect(() => () => void log.push('gone'))
      },
    }
    await agent.ctx.plugin(plugin)
    agent.send('go')
    await agent.whenIdle()
    expect(agent.session.events.filter(({ type }) => type === 'tool/result').map(({ data }) => data)).toMatchObject([{ isError: false }])

    await dispose()
    expect(log).toEqual(['gone'])
  })
})

describe('a child', () => {
  it('is disposed of with its parent, its turn ended as disposed', async () => {
    await using h = await harness({ model: [hang([{ type: 'text-delta', index: 0, text: 'Hm' }])] })
    const parent = h.create({ agentId: 'parent' })
    const child = h.create({ agentId: 'child', parent: parent.agent })
    child.agent.send('go')
    while (!child.agent.session.events.some(({ type }) => type === 'assistant/chunk')) await new Promise(resolve => setImmediate(resolve))
    await parent.dispose()

    expect([child.agent.status, h.ctx.agents.list().map(({ id }) => id)]).toEqual(['disposed', [h.agent.id]])
    expect(child.agent.session.events.at(-1)?.data).toEqual({ turn: 1, reason: { kind: 'disposed' } })
    await child.dispose()
  })
})

describe('creation', () => {
  it('announces the session before the agent, so that stores miss nothing', async () => {
    await using h = await harness()
    const heard: string[] = []
    h.ctx.on('agent/created', agent => agent.inject('first words', { source: { kind: 'plugin', plugin: 'p' } }))
    h.ctx.on('session/created', session => void heard.push(`created ${session.id}`))
    h.ctx.on('session/event', (session, { type }) => void heard.push(`${session.id} ${type}`))
    h.create({ sessionId: 's1' })

    expect(heard).toEqual(['created s1', 's1 turn/start', 's1 context/message', 's1 turn/end'])
  })

  it('refuses an id that is taken and leaves no trace', async () => {
    await using h = await harness()
    h.create({ agentId: 'a', sessionId: 's1' })
    const created: string[] = []
    h.ctx.on('session/created', session => void created.push(session.id))

    expect(() => h.create({ agentId: 'a', sessionId: 's2' })).toThrow(new AgentError('DUPLICATE_AGENT', 'an agent "a" exists already'))
    expect(() => h.create({ agentId: 'b', sessionId: 's1' })).toThrow('the session "s1" is open already')
    expect([created, h.ctx.agents.get('b'), h.ctx.sessions.get('s2')]).toEqual([[], undefined, undefined])
  })

  it('takes the defaults of the loop where the caller says nothing', async () => {
    await using h = await harness({ loop: { model: 'script', systemPrompt: 'Be kind.' } })
    const { agent } = h.ctx.agents.create({ agentOptions: { model: undefined, systemPrompt: 'Be brief.' } })

    expect(agent.options).toEqual({ model: 'script', systemPrompt: 'Be brief.' })
    expect(h.create({ agentOptions: { model: 'other' } }).agent.options).toEqual({ model: 'other', systemPrompt: 'Be kind.' })
  })
})

describe('the loop', () => {
  it('can be replaced: another factory serves the registry', async () => {
    class EchoFactory implements AgentFactory {
      readonly ctx: Context
      constructor(ctx: Context) {
        this.ctx = ctx
      }

      createAgent({ sessionId }: Parameters<AgentFactory['createAgent']>[0]): AgentHandle {
        const session = this.ctx.sessions.create(sessionId)
        const agent = {
          session,
          id: 'echo',
          send(content: string) {
            session.append('turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } })
            session.append('user/message', { content: [{ type: 'text', text: content }], source: { kind: 'user' } }, { surfaceOp: 'append' })
            session.append('turn/end', { turn: 1, reason: { kind: 'completed' } })
            return 'in-0'
          },
          whenIdle: () => Promise.resolve(),
        } as unknown as Agent
        return { agent, dispose: () => Promise.resolve() }
      }
    }
    const echoLoop = { name: 'echo-loop', inject: ['agents', 'sessions'], apply: (ctx: Context) => void ctx.agents.setFactory(new EchoFactory(ctx)) }
    await using h = await harness({ loopPlugin: echoLoop })

    expect(await h.run('hello')).toBe(['turn/start', 'user       hello', 'turn/end   completed'].join('\n'))
  })
})
