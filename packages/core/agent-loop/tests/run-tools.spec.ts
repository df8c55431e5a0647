import { describe, expect, it } from 'vitest'
import { call, calls, chunks, deferred, eventsOf, harness, reply, textTool, type Harness } from '@deepseek-ai/dsh-testkit'
import { text } from '@deepseek-ai/dsh-llm'

const plugin = { kind: 'plugin' as const, plugin: 'p' }

/** Calls and results in the order of the log. */
function order(h: Harness): string[] {
  return eventsOf(h, 'tool/call', 'tool/result').map(({ type, data }) => `${type} ${data.callId}`)
}

/** What the model reads as results. */
function results(h: Harness): string[] {
  return eventsOf(h, 'tool/result').map(({ data }) => `${data.isError ? '! ' : ''}${data.content.map(block => (block.type === 'text' ? block.text : block.type)).join('')}${data.error ? ` [${data.error.code}]` : ''}`)
}

function three(name = 'read'): ReturnType<typeof calls> {
  return calls(['a', 'b', 'c'].map(id => ({ name, arguments: { id }, id })))
}

describe('parallel calls', () => {
  it('overlap, all announced before any starts, and are answered in the model’s order', async () => {
    const started: unknown[] = []
    const gates = { a: deferred(), b: deferred(), c: deferred() }
    const finished: string[] = []
    const read = textTool('read', async ({ id }) => {
      started.push([id, order(h).length])
      await gates[id as 'a'].promise
      finished.push(String(id))
      return String(id)
    }, { concurrency: 'parallel' })
    await using h = await harness({ model: [three(), reply('done')], tools: [read] })
    h.agent.send('go')
    while (started.length < 3) await new Promise(resolve => setImmediate(resolve))
    gates.c.resolve()
    gates.b.resolve()
    await new Promise(resolve => setImmediate(resolve))
    expect(order(h)).toEqual(['tool/call a', 'tool/call b', 'tool/call c'])
    gates.a.resolve()
    await h.agent.whenIdle()

    expect([started, finished]).toEqual([[['a', 3], ['b', 3], ['c', 3]], ['c', 'b', 'a']])
    expect(order(h).slice(3)).toEqual(['tool/result a', 'tool/result b', 'tool/result c'])
  })

  it('overlap only up to the bound', async () => {
    let running = 0
    let most = 0
    const read = textTool('read', async () => {
      most = Math.max(most, ++running)
      await new Promise(resolve => setTimeout(resolve, 2))
      running--
      return ''
    }, { concurrency: 'parallel' })
    await using h = await harness({ model: [calls(Array.from({ length: 7 }, () => ({ name: 'read', arguments: {} }))), reply('done')], tools: [read], loop: { maxParallelTools: 3 } })
    await h.run('go')

    expect([most, results(h).length]).toEqual([3, 7])
  })

  it('do not overlap with an exclusive one between them', async () => {
    const log: string[] = []
    const make = (name: string, concurrency: 'parallel' | 'exclusive'): ReturnType<typeof textTool> =>
      textTool(name, async ({ id }) => {
        log.push(`+${String(id)}`)
        await new Promise(resolve => setTimeout(resolve, 2))
        log.push(`-${String(id)}`)
        return ''
      }, { concurrency })
    const list = [['read', 'a'], ['read', 'b'], ['write', 'c'], ['read', 'd'], ['read', 'e']] as const
    await using h = await harness({ model: [calls(list.map(([name, id]) => ({ name, arguments: { id }, id }))), reply('done')], tools: [make('read', 'parallel'), make('write', 'exclusive')] })
    await h.run('go')

    expect(log.join(' ')).toBe('+a +b -a -b +c -c +d +e -d -e')
    expect(order(h).map(line => line.replace('tool/', '')).join(' ')).toBe('call a call b result a result b call c result c call d call e result d result e')
  })

  it('survive a neighbour that fails', async () => {
    const read = textTool('read', ({ id }) => {
      if (id === 'a') throw new Error('no such file')
      return String(id)
    }, { concurrency: 'parallel' })
    await using h = await harness({ model: [three(), reply('done')], tools: [read] })
    await h.run('go')

    expect(results(h)).toEqual(['! Error: no such file', 'b', 'c'])
  })
})

describe('a call', () => {
  it('whose arguments are not JSON is not run; the model reads where they break', async () => {
    let ran = 0
    await using h = await harness({ model: [call('t', '{"path": "a.ts", "limit": }'), call('t', '["a"]'), call('t', ''), reply('done')], tools: [textTool('t', () => `${++ran}`)] })
    await h.run('go')

    expect(eventsOf(h, 'tool/call').map(({ data }) => [data.arguments, data.parseError])).toEqual([
      ['{"path": "a.ts", "limit": }', "not valid JSON at offset 26 of 27: Unexpected token '}'"],
      ['["a"]', 'expected a JSON object, found an array'],
      ['', undefined],
    ])
    expect(results(h)).toEqual([
      "! Error: the arguments of t cannot be read: not valid JSON at offset 26 of 27: Unexpected token '}'. The call was not run; send it again with complete arguments. [INVALID_ARGS]",
      '! Error: the arguments of t cannot be read: expected a JSON object, found an array. The call was not run; send it again with complete arguments. [INVALID_ARGS]',
      '1',
    ])
  })

  it('of an unknown tool gets the names that exist, and the turn goes on', async () => {
    await using h = await harness({ model: [call('Read_File'), reply('sorry')], tools: [textTool('read', () => '')] })
    await h.run('go')

    expect([results(h), h.transcript().split('\n').at(-1)]).toEqual([['! Error: there is no tool "Read_File"; Available: read [UNKNOWN_TOOL]'], 'turn/end   completed'])
  })

  it('of a tool that the request did not offer is refused', async () => {
    await using h = await harness({ model: [call('secret'), reply('ok')], tools: [textTool('secret', () => 'leaked'), textTool('read', () => '')] })
    h.ctx.on('agent/request', async (_agent, _info, _options, next) => {
      const options = await next()
      return { ...options, tools: options.tools?.filter(({ name }) => name !== 'secret') }
    })
    await h.run('go')

    expect(results(h)).toEqual(['! Error: there is no tool "secret"; Available: read [UNKNOWN_TOOL]'])
  })

  it('without an id, or with one that was used before, gets one of its own', async () => {
    await using h = await harness({
      model: [calls([{ name: 't', arguments: {}, id: 'x' }, { name: 't', arguments: {}, id: 'x' }]), call('t', {}, { id: 'x' }), chunks([{ type: 'block-end', index: 0, block: { type: 'tool-call', id: '', name: 't', arguments: '{}' } }]), reply('done')],
      tools: [textTool('t', () => 'ok')],
    })
    await h.run('go')

    expect(eventsOf(h, 'tool/call').map(({ data }) => data.callId)).toEqual(['x', 'x-1-1-1', 'x-1-2-0', 'call-1-3-0'])
    expect(results(h)).toEqual(['ok', 'ok', 'ok', 'ok'])
  })

  it('that a plugin adds to the answer is made unique too', async () => {
    await using h = await harness({ model: [call('t', {}, { id: 'x' }), reply('done')], tools: [textTool('t', () => 'ok')] })
    h.ctx.on('agent/step-result', async (_agent, { step }, _message, next) => {
      const message = await next()
      return step === 1 ? { ...message, content: [...message.content, ...message.content] } : message
    })
    await h.run('go')

    expect(order(h)).toEqual(['tool/call x', 'tool/result x', 'tool/call x-1-1-1', 'tool/result x-1-1-1'])
  })

  it('runs in the folder of the session, with the agent that asked', async () => {
    const seen: unknown[] = []
    await using h = await harness({ model: [call('t'), reply('done')], tools: [textTool('t', (_args, { cwd, agent, callId }) => `${seen.push([cwd, agent?.id, callId])}`)], create: { meta: { cwd: '/somewhere' } } })
    await h.run('go')

    expect(seen).toEqual([['/somewhere', h.agent.id, 'script-1']])
  })

  it('does not start before the log is stored; if it cannot be, its result says so and the turn ends', async () => {
    let ran = 0
    await using h = await harness({ model: [call('t')], tools: [textTool('t', () => `${++ran}`)] })
    h.ctx.on('session/flush', async session => {
      if (session.events.at(-1)?.type === 'tool/call') throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    })
    await h.run('go')

    expect([ran, results(h), h.transcript().split('\n').at(-1)]).toEqual([0, ['! Error: this call was not started; it had no effect. [ENOSPC]'], 'turn/end   error ENOSPC no space left'])
  })
})

describe('context from post-execute', () => {
  it('comes after the last result, in order', async () => {
    await using h = await harness({ model: [three(), reply('done')], tools: [textTool('read', ({ id }) => String(id), { concurrency: 'parallel' })] })
    h.ctx.on('tools/post-execute', async ({ callId }) => ({ kind: 'accept', additionalContext: { content: [text(`about ${callId}`)], source: plugin } }))

    expect((await h.run('go')).split('\n').slice(3, -2)).toEqual(['tool       a', 'tool       b', 'tool       c', 'context    about a', 'context    about b', 'context    about c'])
    expect(h.script.violations).toEqual([])
  })

  it('that is injected while tools run does not come between them for the model either', async () => {
    await using h = await harness({
      model: [three(), reply('done')],
      tools: [textTool('read', ({ id }, { agent }) => {
        if (id === 'a') agent?.inject('meanwhile', { source: plugin })
        return String(id)
      })],
    })
    await h.run('go')

    expect(h.script.violations).toEqual([])
    expect(h.script.requests[1]?.messages.map(({ content }) => content[0]?.type)).toEqual(['text', 'tool-call', 'tool-result', 'tool-result', 'tool-result', 'text'])
  })
})
