import { describe, expect, it } from 'vitest'
import { deferred, eventsOf, harness, reply, textTool, call, hang, type Harness } from '@deepseek-ai/dsh-testkit'
import { windows } from './windows.ts'

function ends(h: Harness): unknown[] {
  return eventsOf(h, 'turn/end').map(({ data }) => data.reason)
}

describe.each(windows)('a cancel $name', ({ name, reach }) => {
  const before = name === 'before the turn'
  const aborted = before ? [] : [{ kind: 'aborted', reason: 'enough' }]

  it('ends the turn with its reason, without waiting for what ignores it', async () => {
    const { h, go } = await reach({ loop: { abortGraceMs: 0 } })
    h.agent.cancel('enough')
    h.agent.cancel('a second reason')
    await h.agent.whenIdle()

    expect([ends(h), h.agent.status, h.session.openTurn]).toEqual([aborted, 'idle', undefined])
    go()
    await h.dispose()
  })

  it('drops what is queued, and says so in the log', async () => {
    const { h, go } = await reach({ loop: { abortGraceMs: 0 } })
    const id = h.agent.send('later')
    h.agent.cancel('enough')
    await h.agent.whenIdle()

    const dropped = eventsOf(h, 'inbox/dropped').flatMap(({ data }) => data.ids)
    expect([dropped.includes(id), ends(h)]).toEqual([true, aborted])
    go()
    await h.dispose()
  })

  it('can keep the queue, which then waits for the next message', async () => {
    const { h, go } = await reach({ loop: { abortGraceMs: 0 } })
    h.agent.send('later')
    h.agent.cancel('enough', { queue: 'keep' })
    await h.agent.whenIdle()
    expect([ends(h), eventsOf(h, 'inbox/dropped')]).toEqual([aborted, []])
    go()

    h.script.push(reply('both'), reply('both'))
    h.agent.send('now')
    await h.agent.whenIdle()

    const said = eventsOf(h, 'user/message').map(({ data }) => (data.content[0]?.type === 'text' ? data.content[0].text : ''))
    expect([said.slice(-2), ends(h).at(-1)]).toEqual([['later', 'now'], { kind: 'completed' }])
    await h.dispose()
  })

  it('does not lose a message that is sent while it converges', async () => {
    const { h, go } = await reach({ loop: { abortGraceMs: 0 } })
    h.agent.cancel('enough')
    h.script.push(reply('heard you'), reply('heard you'))
    h.agent.send('but now this')
    go()
    await h.agent.whenIdle()

    const last = h.transcript().split('\n').filter(line => line.startsWith('user'))
    expect([last.at(-1), ends(h)]).toEqual(['user       but now this', [...aborted, { kind: 'completed' }]])
    await h.dispose()
  })
})

describe('cancel', () => {
  it('does nothing when nothing runs', async () => {
    await using h = await harness({ model: [reply('ok')] })
    h.agent.cancel()
    await h.agent.whenIdle()
    expect(h.session.events).toEqual([])

    expect(await h.run('hello')).toBe(['turn/start', 'user       hello', 'assistant  ok', 'turn/end   completed'].join('\n'))
    h.agent.cancel()
    expect(ends(h)).toEqual([{ kind: 'completed' }])
  })

  it('at the end of a turn cannot change how it ended, but drops what is queued', async () => {
    await using h = await harness({ model: [reply('ok')] })
    h.ctx.on('session/event', (_session, { type }) => {
      if (type === 'assistant/message') h.agent.send('next')
      if (type === 'turn/end') h.agent.cancel('too late')
    })
    await h.run('go')

    expect([ends(h), eventsOf(h, 'inbox/dropped').map(({ data }) => data.reason)]).toEqual([[{ kind: 'completed' }], ['too late']])
  })

  it('keeps what was visible of the answer and shows the model where it was cut', async () => {
    await using h = await harness({ model: [hang([{ type: 'reasoning-delta', index: 0, text: 'hm' }, { type: 'text-delta', index: 1, text: 'The answer is' }, { type: 'tool-call-delta', index: 2, id: 'x', name: 'work', argumentsDelta: '{' }]), reply('42')] })
    h.agent.send('go')
    await h.saw('assistant/chunk', { where: ({ data }) => data.chunk.type === 'tool-call-delta' })
    h.agent.cancel()
    await h.agent.whenIdle()
    await h.run('go on')

    expect(eventsOf(h, 'assistant/message')[0]?.data).toEqual({
      turn: 1,
      step: 1,
      content: [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'The answer is' }],
      finish: { kind: 'aborted' },
      model: 'script',
      interrupted: true,
    })
    expect(h.script.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  it('keeps a complete answer that a plugin was still looking at', async () => {
    await using h = await harness({ model: [reply('all of it')], loop: { abortGraceMs: 0 } })
    const gate = deferred()
    h.ctx.on('agent/step-result', async (agent, _info, _message, next) => {
      agent.cancel()
      await gate.promise
      return await next()
    })

    expect(await h.run('go')).toBe(['turn/start', 'user       go', 'assistant  all of it …', 'turn/end   aborted cancelled'].join('\n'))
    gate.resolve()
  })

  it('gives a tool time to stop, and its result stands in the log', async () => {
    const started = deferred()
    const slow = textTool('slow', async (_args, { signal }) => {
      started.resolve()
      await new Promise(resolve => signal.addEventListener('abort', resolve))
      await new Promise(resolve => setTimeout(resolve, 20))
      return 'cleaned up'
    })
    await using h = await harness({ model: [call('slow')], tools: [slow] })
    h.agent.send('go')
    await started.promise
    h.agent.cancel()
    await h.agent.whenIdle()

    expect(h.transcript()).toBe(['turn/start', 'user       go', 'assistant  slow {}', 'tool       cleaned up', 'turn/end   aborted cancelled'].join('\n'))
  })

  it('goes on without a tool that does not stop, and says that it may still be running', async () => {
    const started = deferred()
    const gate = deferred()
    const deaf = textTool('deaf', async () => {
      started.resolve()
      await gate.promise
      return 'late'
    })
    await using h = await harness({ model: [call('deaf')], tools: [deaf], loop: { abortGraceMs: 10 } })
    h.agent.send('go')
    await started.promise
    h.agent.cancel()
    await h.agent.whenIdle()
    const length = h.session.seq
    gate.resolve()
    await new Promise(resolve => setImmediate(resolve))

    expect(h.transcript()).toBe(
      ['turn/start', 'user       go', 'assistant  deaf {}', 'tool !     Error: this call did not stop when it was cancelled; it may still be running.', 'turn/end   aborted cancelled'].join('\n'),
    )
    expect(h.session.seq).toBe(length)
  })

  it('leaves the calls that had not begun marked as such for the next request', async () => {
    const { h, go } = await (windows.find(({ name }) => name === 'between two tools') ?? raise()).reach({ loop: { abortGraceMs: 0 } })
    h.agent.cancel()
    await h.agent.whenIdle()
    go()

    expect(h.transcript().split('\n').slice(3)).toEqual(['tool       worked', 'tool !     Error: this call was not started; it had no effect.', 'turn/end   aborted cancelled'])
    await h.dispose()
  })

  it('can come from a listener of every event, again and again, and the agent stays usable', async () => {
    await using h = await harness({ model: [] })
    h.ctx.on('session/event', (_session, event) => {
      if (event.type === 'user/message' && event.data.source.kind === 'plugin') h.agent.cancel('listener')
    })
    h.agent.send('x', { source: { kind: 'plugin', plugin: 'p' } })
    await h.agent.whenIdle()
    h.script.push(reply('fine'))
    await h.run('hello')

    expect(ends(h)).toEqual([{ kind: 'aborted', reason: 'listener' }, { kind: 'completed' }])
  })
})

describe('a store that hangs', () => {
  it('at the end of a turn holds nothing up once it is cancelled, and is reported', async () => {
    const gate = deferred()
    await using h = await harness({ model: [reply('ok'), reply('ok')], loop: { abortGraceMs: 5 } })
    h.ctx.on('session/flush', async session => {
      if (session.openTurn === undefined) await gate.promise
    })
    h.agent.send('go')
    await h.saw('turn/end')
    h.agent.cancel()
    await h.agent.whenIdle()
    gate.resolve()

    expect([ends(h), h.log.map(({ text }) => text)]).toEqual([
      [{ kind: 'completed' }],
      [`turn 1 of ${h.agent.id} failed in step 0: the end of the turn may not be stored: the store did not finish in time`],
    ])
  })
})

describe('whenIdle', () => {
  it('resolves at once when idle, and at the end of everything that is queued', async () => {
    await using h = await harness({ model: [reply('one'), reply('two')] })
    await h.agent.whenIdle()
    expect(h.session.seq).toBe(0)
    h.ctx.on('session/event', (_session, event) => {
      if (event.type === 'turn/end' && event.data.turn === 1) h.agent.send('second')
    })
    h.agent.send('first')
    await h.agent.whenIdle()

    expect([ends(h).length, h.agent.status]).toEqual([2, 'idle'])
  })

  it('resolves when what was queued is cancelled before it began', async () => {
    await using h = await harness()
    h.agent.send('first')
    const idle = h.agent.whenIdle()
    h.agent.cancel()
    await idle

    expect(eventsOf(h, 'turn/start')).toEqual([])
  })

  it('resolves for everybody who waits', async () => {
    await using h = await harness({ model: [reply('one')] })
    h.agent.send('first')

    await Promise.all([h.agent.whenIdle(), h.agent.whenIdle()])
    expect(h.agent.status).toBe('idle')
  })
})

function raise(): never {
  throw new Error('no such window')
}

it('tells listeners that get no signal of their own when the turn is stopped', async () => {
  await using h = await harness({ model: [reply('never')] })
  const seen: unknown[] = []
  h.ctx.on('agent/prompt-submit', async (agent, _content, _source, next) => {
    agent.turnSignal?.addEventListener('abort', () => seen.push('stopped'), { once: true })
    agent.cancel('enough')
    return await next()
  })

  await h.run('go')

  expect([seen, h.agent.turnSignal]).toEqual([['stopped'], undefined])
})
