import { describe, expect, it } from 'vitest'
import { call, eventsOf, harness, reply, runPluginContract, tempWorkspace, textTool } from '@deepseek-ai/dsh-testkit'
import type { Context } from 'cordis'

describe('harness', () => {
  it('runs a conversation and shows it as text', async () => {
    await using h = await harness({ model: [call('add', { a: 1 }), reply('2')], tools: [textTool('add', () => 'two')] })

    expect(await h.run('add')).toBe(['turn/start', 'user       add', 'assistant  add {"a":1}', 'tool       two', 'assistant  2', 'turn/end   completed'].join('\n'))
    expect(eventsOf(h, 'tool/call').map(({ data }) => data.arguments)).toEqual(['{"a":1}'])
    expect(h.script.left).toBe(0)
  })

  it('waits for events, past and future, and says what came instead', async () => {
    await using h = await harness({ model: [reply('hi')] })
    const end = h.saw('turn/end')
    await h.run('hello')

    expect((await end).data.reason).toEqual({ kind: 'completed' })
    expect((await h.saw('turn/start')).data.turn).toBe(1)
    await expect(h.saw('tool/call', { timeoutMs: 10 })).rejects.toThrow(/^no tool\/call within 10 ms; the log holds inbox\/queued, turn\/start, /)
  })

  it('mounts plugins with their config', async () => {
    const seen: unknown[] = []
    const plugin = { name: 'p', apply: (_ctx: Context, config: unknown) => void seen.push(config) }
    await using h = await harness({ plugins: [[plugin, { a: 1 }]] })

    expect([seen, h.log]).toEqual([[{ a: 1 }], []])
  })

  it('complains about a listener on the root that is left behind', async () => {
    const h = await harness()
    h.ctx.events._hooks['agent/created'] = [{ ctx: h.ctx, callback: () => undefined }]

    await expect(h.dispose()).rejects.toThrow('left behind after disposal: listener of agent/created +1')
  })

  it('complains about a timer that is left running', async () => {
    const h = await harness()
    const timer = setTimeout(() => undefined, 60_000)

    await expect(h.dispose()).rejects.toThrow(/^left behind after disposal: Timeout made at .*harness\.spec\.ts:\d+/)
    clearTimeout(timer)
  })
})

describe('tempWorkspace', () => {
  it('holds real files and is gone afterwards', async () => {
    const workspace = await tempWorkspace({ 'src/a.ts': 'a' })
    await workspace.write('b/c.txt', 'c')
    expect([await workspace.read('src/a.ts'), await workspace.read('b/c.txt')]).toEqual(['a', 'c'])

    await workspace.dispose()

    await expect(workspace.read('src/a.ts')).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('runPluginContract', () => {
  const inject = ['tools', 'systemPrompt']

  it('reports what a plugin brings each time it comes', async () => {
    const plugin = {
      name: 'good',
      inject,
      apply(ctx: Context) {
        ctx.tools.register(textTool('t', () => ''))
        ctx.systemPrompt.section({ name: 's', order: 1, text: 's' })
        ctx.on('agent/created', () => undefined)
      },
    }

    expect(await runPluginContract(plugin)).toEqual({ added: ['listener agent/created', 'section s', 'tool t'] })
  })

  it('finds what a plugin leaves behind', async () => {
    const plugin = { name: 'leaky', inject, apply: (ctx: Context) => void ctx.root.on('agent/created', () => undefined) }

    await expect(runPluginContract(plugin)).rejects.toThrow('round 1 left behind: listener agent/created')
  })

  it('finds a plugin that brings less the second time', async () => {
    let loads = 0
    const plugin = {
      name: 'forgetful',
      inject,
      apply(ctx: Context) {
        if (loads++ === 0) ctx.tools.register(textTool('t', () => ''))
      },
    }

    await expect(runPluginContract(plugin)).rejects.toThrow('round 2 added nothing, but round 1 tool t')
  })

  it('finds a plugin that never starts', async () => {
    const plugin = { name: 'waiting', inject: ['nothingOfThatName'], apply: () => undefined }

    await expect(runPluginContract(plugin)).rejects.toThrow('round 1: the plugin did not start; it waits for nothingOfThatName')
  })
})
