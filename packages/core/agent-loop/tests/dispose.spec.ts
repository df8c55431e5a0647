import { describe, expect, it } from 'vitest'
import { AgentLoop, type AgentLoopConfig } from '@deepseek-ai/dsh-agent-loop'
import { call, deferred, eventsOf, hang, harness, reply, textTool } from '@deepseek-ai/dsh-testkit'
import { windows } from './windows.ts'

describe.each(windows)('disposal $name', ({ name, reach }) => {
  it('ends the turn as disposed, and the agent is gone', async () => {
    const { h, go } = await reach({ loop: { abortGraceMs: 0 } })
    const heard: string[] = []
    h.ctx.on('agent/disposed', agent => void heard.push(agent.id))
    h.ctx.on('agent/status', (_agent, status) => void heard.push(status))
    await h.ctx.fiber.dispose()

    expect(eventsOf(h, 'turn/end').map(({ data }) => data.reason)).toEqual(name === 'before the turn' ? [] : [{ kind: 'disposed' }])
    expect([h.agent.status, h.session.openTurn]).toEqual(['disposed', undefined])
    await h.agent.whenIdle()
    expect(() => h.agent.send('more')).toThrow(`the agent ${h.agent.id} has been disposed`)
    go()
    h.invariants.assertHeld()
    await h.dispose()
  })
})

describe('a handle', () => {
  it('can be disposed of twice, and tells listeners of the agent itself how its turn ended', async () => {
    await using h = await harness({ model: [hang()] })
    const { agent, dispose } = h.create()
    const heard: string[] = []
    agent.ctx.on('session/event', (_session, { type }) => void heard.push(type))
    agent.send('go')
    while (agent.session.openStep === undefined) await new Promise(resolve => setImmediate(resolve))
    const [first, second] = [dispose(), dispose()]

    expect(first).toBe(second)
    await first
    expect(heard.slice(-2)).toEqual(['step/end', 'turn/end'])
    expect([h.ctx.agents.get(agent.id), h.ctx.sessions.get(agent.session.id)]).toEqual([undefined, undefined])
  })

  it('is not held up by a listener of session-start, which is reported if it fails later', async () => {
    const gate = deferred()
    await using h = await harness()
    h.ctx.on('agent/session-start', async () => await gate.promise)
    const { dispose } = h.create()
    await dispose()
    gate.reject(new Error('too late'))
    await new Promise(resolve => setImmediate(resolve))

    expect(h.log.map(({ text }) => text)).toEqual([expect.stringMatching(/^turn 0 of .* failed in step 0: too late$/)])
  })

  it('lets everybody who waits for the agent go, whatever is still queued', async () => {
    await using h = await harness({ model: [hang()] })
    const { agent, dispose } = h.create()
    agent.send('one')
    while (agent.session.openStep === undefined) await new Promise(resolve => setImmediate(resolve))
    agent.send('two')
    const idle = agent.whenIdle()
    await dispose()

    await idle
    expect(agent.status).toBe('disposed')
  })

  it('may be disposed of by a tool that the agent itself runs', async () => {
    await using h = await harness({ model: [call('leave')], loop: { abortGraceMs: 5 } })
    const { agent, dispose } = h.create()
    agent.ctx.tools.register(textTool('leave', async () => {
      await dispose()
      return 'gone'
    }))
    agent.send('go')
    await agent.whenIdle()
    await dispose()

    expect(agent.session.events.at(-1)?.data).toEqual({ turn: 1, reason: { kind: 'disposed' } })
  })

  it('leaves queued input in the log for the next time', async () => {
    await using h = await harness({ model: [hang()] })
    const { agent, dispose } = h.create()
    agent.send('one')
    while (agent.session.openStep === undefined) await new Promise(resolve => setImmediate(resolve))
    agent.send('two')
    await dispose()

    expect(agent.session.events.filter(({ type }) => type === 'inbox/dropped')).toEqual([])
    h.script.push(reply('ok'))
    const again = h.create({ sessionId: 'again', seed: agent.session.events })
    await again.agent.whenIdle()
    expect(again.agent.session.events.filter(({ type }) => type === 'user/message')).toHaveLength(2)
  })
})

describe('the end of the loop’s plugin', () => {
  it('ends all its agents, and another loop can take its place', async () => {
    await using h = await harness({ model: [hang([{ type: 'text-delta', index: 0, text: 'Hm' }]), reply('ok')] })
    h.agent.send('go')
    await h.saw('assistant/chunk')
    const [fiber] = h.ctx.registry.get(AgentLoop)?.fibers ?? []
    await fiber?.dispose()
    expect([h.agent.status, h.ctx.agents.list(), h.ctx.agents.ready]).toEqual(['disposed', [], false])

    await h.ctx.plugin(AgentLoop, {} as AgentLoopConfig)
    const { agent } = h.create()
    agent.send('hello')
    await agent.whenIdle()

    expect(agent.session.events.at(-1)?.data).toEqual({ turn: 1, reason: { kind: 'completed' } })
  })
})
