import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { deferred, eventsOf, harness, hang, reply, call, textTool } from '@deepseek-ai/dsh-testkit'
import { Inbox } from '../src/inbox.ts'

const user = { kind: 'user' as const }

function inboxEvents(h: { session: { events: readonly SessionEvent[] } }): unknown[] {
  return h.session.events.filter(({ type }) => type.startsWith('inbox/')).map(({ type, data }) => [type, data])
}

function queued(seq: number, id: string, target: 'turn' | 'step' = 'turn'): SessionEvent {
  return { type: 'inbox/queued', seq, time: 0, data: { id, target, content: [{ type: 'text', text: id }], source: user } }
}

describe('Inbox', () => {
  it('is a fold: queued, claimed, dropped, whatever repeats or is unknown', () => {
    const inbox = new Inbox([
      queued(0, 'a'),
      queued(1, 'b', 'step'),
      queued(2, 'c'),
      { type: 'inbox/claimed', seq: 3, time: 0, data: { ids: ['a', 'a', 'x'], turn: 1 } },
      { type: 'inbox/dropped', seq: 4, time: 0, data: { ids: ['a'], reason: '' } },
    ])

    expect([inbox.all().map(({ id }) => id), inbox.steering().map(({ id }) => id), inbox.size, inbox.has('a'), inbox.has('b')]).toEqual([['b', 'c'], ['b'], 2, false, true])
  })
})

describe('send', () => {
  it('has the input in the log before it returns', async () => {
    await using h = await harness({ model: [reply('ok')] })
    const id = h.agent.send('hello', { source: { kind: 'plugin', plugin: 'p' } })

    expect(inboxEvents(h)).toEqual([['inbox/queued', { id, target: 'turn', content: [{ type: 'text', text: 'hello' }], source: { kind: 'plugin', plugin: 'p' } }]])
    await h.agent.whenIdle()
    expect(inboxEvents(h).at(-1)).toEqual(['inbox/claimed', { ids: [id], turn: 1 }])
  })

  it('does not share the blocks with the caller', async () => {
    await using h = await harness({ model: [reply('ok')] })
    const block = { type: 'text' as const, text: 'before' }
    h.agent.send([block])
    block.text = 'after'
    await h.agent.whenIdle()

    expect(eventsOf(h, 'user/message').map(({ data }) => data.content)).toEqual([[{ type: 'text', text: 'before' }]])
  })

  it('makes one turn of everything that waits, each message put before the plugins by itself', async () => {
    await using h = await harness({ model: [reply('ok')] })
    const seen: unknown[] = []
    h.ctx.on('agent/prompt-submit', async (_agent, content, _source, next) => {
      seen.push(content)
      return await next()
    })
    h.agent.send('one')
    h.agent.send('two')
    await h.agent.whenIdle()

    expect(h.transcript()).toBe(['turn/start', 'user       one', 'user       two', 'assistant  ok', 'turn/end   completed'].join('\n'))
    expect(seen).toEqual([[{ type: 'text', text: 'one' }], [{ type: 'text', text: 'two' }]])
  })

  it('announces what was accepted', async () => {
    await using h = await harness({ model: [reply('ok')] })
    const seen: unknown[] = []
    h.ctx.on('agent/queued', (agent, content, info) => void seen.push([agent.id, content, info]))
    const id = h.agent.send('hello')
    await h.agent.whenIdle()

    expect(seen).toEqual([[h.agent.id, [{ type: 'text', text: 'hello' }], { id, source: user, steering: false }]])
  })
})

describe('steer', () => {
  it('shows the model a message before the next step', async () => {
    const gate = deferred()
    await using h = await harness({
      model: [call('wait'), reply('noted')],
      tools: [textTool('wait', async () => {
        await gate.promise
        return 'ok'
      })],
    })
    h.agent.send('go')
    await h.saw('tool/call')
    h.agent.steer('stop after this')
    gate.resolve()
    await h.agent.whenIdle()

    expect(h.transcript()).toBe(
      ['turn/start', 'user       go', 'assistant  wait {}', 'tool       ok', 'steering   stop after this', 'assistant  noted', 'turn/end   completed'].join('\n'),
    )
  })

  it('keeps a turn going that would have ended', async () => {
    await using h = await harness({ model: [reply('done'), reply('more')] })
    h.ctx.on('agent/step-result', async (agent, { step }, _message, next) => {
      if (step === 1) agent.steer('one more thing')
      return await next()
    })

    expect(await h.run('go')).toBe(['turn/start', 'user       go', 'assistant  done', 'steering   one more thing', 'assistant  more', 'turn/end   completed'].join('\n'))
  })

  it('is like send when nothing runs', async () => {
    await using h = await harness({ model: [reply('ok')] })
    h.agent.steer('hello')
    await h.agent.whenIdle()

    expect(h.transcript()).toBe(['turn/start', 'user       hello', 'assistant  ok', 'turn/end   completed'].join('\n'))
  })

  it('that came too late for its turn opens the next one', async () => {
    await using h = await harness({ model: [reply('one'), reply('two')] })
    h.ctx.on('session/event', (_session, event) => {
      if (event.type === 'turn/end' && event.data.turn === 1) h.agent.steer('late')
    })

    expect(await h.run('go')).toBe(['turn/start', 'user       go', 'assistant  one', 'turn/end   completed', 'turn/start', 'user       late', 'assistant  two', 'turn/end   completed'].join('\n'))
  })
})

describe('unqueue', () => {
  it('takes back what has not been claimed, once', async () => {
    await using h = await harness({ model: [reply('ok')] })
    const first = h.agent.send('one')
    const second = h.agent.send('two')

    expect([h.agent.unqueue(first, 'typo'), h.agent.unqueue(first), h.agent.unqueue('nothing')]).toEqual([true, false, false])
    await h.agent.whenIdle()
    expect(h.transcript()).toBe(['turn/start', 'user       two', 'assistant  ok', 'turn/end   completed'].join('\n'))
    expect(h.agent.unqueue(second)).toBe(false)
  })

  it('works while a plugin still thinks about the message', async () => {
    const gate = deferred()
    await using h = await harness()
    h.ctx.on('agent/prompt-submit', async (_agent, _content, _source, next) => {
      await gate.promise
      return await next()
    })
    const id = h.agent.send('hello')
    await h.saw('turn/start')
    expect(h.agent.unqueue(id)).toBe(true)
    gate.resolve()
    await h.agent.whenIdle()

    expect(h.transcript()).toBe(['turn/start', 'turn/end   rejected it was taken back'].join('\n'))
  })
})

describe('inject', () => {
  it('makes a turn of its own when idle and does not wake the model', async () => {
    await using h = await harness({ model: [reply('ok')] })
    h.agent.inject('the build is green', { source: { kind: 'plugin', plugin: 'ci' } })
    await h.agent.whenIdle()
    expect([h.transcript(), h.script.requests.length]).toEqual([['turn/start injection', 'context    the build is green', 'turn/end   completed'].join('\n'), 0])

    await h.run('hello')
    expect(eventsOf(h, 'turn/start').map(({ data }) => data.turn)).toEqual([1, 2])
  })

  it('joins the open turn', async () => {
    await using h = await harness({ model: [reply('ok')] })
    h.ctx.on('agent/pre-step', async agent => agent.inject('note', { source: { kind: 'plugin', plugin: 'p' } }))

    expect(await h.run('hello')).toBe(['turn/start', 'user       hello', 'context    note', 'assistant  ok', 'turn/end   completed'].join('\n'))
  })

  it('reports a store that fails, and lives', async () => {
    await using h = await harness()
    const failed: unknown[] = []
    h.ctx.on('session/flush', async () => {
      throw new Error('disk full')
    })
    h.ctx.on('agent/error', (_agent, turn, step, error) => void failed.push([turn, step, error.message]))
    h.agent.inject('note', { source: { kind: 'plugin', plugin: 'p' } })
    await new Promise(resolve => setImmediate(resolve))

    expect(failed).toEqual([[1, 0, 'disk full']])
  })
})

describe('a seed', () => {
  it('brings its queue along: what was accepted before a crash runs', async () => {
    await using h = await harness({ model: [reply('ok')], create: { seed: [queued(0, 'in-0'), queued(1, 'in-1', 'step'), { type: 'inbox/dropped', seq: 2, time: 0, data: { ids: ['in-1'], reason: 'x' } }], source: 'resume' } })
    await h.agent.whenIdle()

    expect(h.transcript()).toBe(['turn/start', 'user       in-0', 'assistant  ok', 'turn/end   completed'].join('\n'))
  })

  it('of a turn that was cut loses no message that had not reached the conversation', async () => {
    // The crash came while plugins were being asked about the second message.
    const first = await harness({ model: [hang()] })
    const gate = deferred()
    first.ctx.on('agent/prompt-submit', async (_agent, content, _source, next) => {
      if (content[0]?.type === 'text' && content[0].text === 'two') await gate.promise
      return await next()
    })
    first.agent.send('one')
    first.agent.send('two')
    await first.saw('user/message')
    const stored = JSON.parse(JSON.stringify(first.session.events)) as SessionEvent[]
    gate.resolve()
    await first.dispose()

    await using second = await harness({ model: [reply('ok')], create: { seed: stored } })
    await second.agent.whenIdle()

    expect(second.transcript()).toBe(['turn/start', 'user       one', 'turn/end   interrupted', 'turn/start', 'user       two', 'assistant  ok', 'turn/end   completed'].join('\n'))
  })

  it('of a fork does not bring the queue of the session that it came from', async () => {
    await using h = await harness({ create: { seed: [queued(0, 'in-0')], meta: { parentSession: 'other', seedLength: 1 } } })
    await h.agent.whenIdle()

    expect(inboxEvents(h).slice(1)).toEqual([['inbox/dropped', { ids: ['in-0'], reason: 'queued for the session that this one was forked from' }]])
    expect(eventsOf(h, 'turn/start')).toEqual([])
  })

  it('of a fork that is resumed brings its own queue', async () => {
    await using h = await harness({ model: [reply('ok')], create: { seed: [queued(0, 'in-0')], meta: { parentSession: 'other', seedLength: 0 }, source: 'resume' } })
    await h.agent.whenIdle()

    expect(h.transcript()).toBe(['turn/start', 'user       in-0', 'assistant  ok', 'turn/end   completed'].join('\n'))
  })

  it('that ends in a turn is closed first, keeping what was visible', async () => {
    const first = await harness({ model: [hang([{ type: 'text-delta', index: 0, text: 'Half an ans' }])] })
    first.agent.send('go')
    await first.saw('assistant/chunk')
    const stored = JSON.parse(JSON.stringify(first.session.events)) as SessionEvent[]
    await first.dispose()

    await using second = await harness({ model: [reply('whole')], create: { seed: stored } })

    expect(await second.run('again')).toBe(
      ['turn/start', 'user       go', 'assistant  Half an ans …', 'turn/end   interrupted', 'turn/start', 'user       again', 'assistant  whole', 'turn/end   completed'].join('\n'),
    )
  })
})
