import { describe, expect, it, vi } from 'vitest'
import { call, eventsOf, harness, reply, textTool, hang } from '@deepseek-ai/dsh-testkit'
import { Session, type SessionEvent } from '@deepseek-ai/dsh-session'

describe('a request', () => {
  it('carries the effort that the agent was given, from the next step on', async () => {
    await using h = await harness({ model: [reply('1'), reply('2'), reply('3')] })
    const efforts: unknown[] = []
    h.ctx.on('llm/stream', (options, next) => {
      efforts.push(options.effort)
      return next()
    })

    await h.run('one')
    h.agent.configure({ effort: 'high' })
    await h.run('two')
    h.agent.configure({ effort: undefined })
    await h.run('three')

    expect(efforts).toEqual([undefined, 'high', undefined])
  })
})

describe('request/header', () => {
  it('is logged when system text or tools change, and only then', async () => {
    await using h = await harness({ model: [call('a'), reply('1'), reply('2'), reply('3'), reply('4')], tools: [textTool('a', () => '')] })
    await h.run('one')
    expect(eventsOf(h, 'request/header').map(({ data }) => [data.turn, data.step, data.system, data.tools.map(({ name }) => name)])).toEqual([[1, 1, '', ['a']]])

    const remove = h.ctx.systemPrompt.section({ name: 's', order: 1, text: 'Be brief.' })
    await h.run('two')
    h.ctx.tools.register(textTool('b', () => ''))
    await h.run('three')
    remove()
    await h.run('four')

    const headers = eventsOf(h, 'request/header').map(({ data }) => data)
    expect(headers.map(({ turn, system, tools }) => [turn, system, tools.map(({ name }) => name)])).toEqual([
      [1, '', ['a']],
      [2, 'Be brief.', ['a']],
      [3, 'Be brief.', ['a', 'b']],
      [4, '', ['a', 'b']],
    ])
    expect(new Set(headers.map(({ hash }) => hash)).size).toBe(4)
  })

  it('is not repeated when a session is resumed unchanged', async () => {
    const first = await harness({ model: [reply('1')], options: { systemPrompt: 'Be kind.' } })
    await first.run('one')
    const stored = JSON.parse(JSON.stringify(first.session.events)) as SessionEvent[]
    await first.dispose()

    await using second = await harness({ model: [reply('2')], create: { seed: stored }, options: { systemPrompt: 'Be kind.' } })
    await second.run('two')

    expect(eventsOf(second, 'request/header').map(({ data }) => data.turn)).toEqual([1])
  })
})

describe('the request', () => {
  it('carries sections, then the agent’s own text, the tools by name, and the log’s messages', async () => {
    await using h = await harness({ model: [reply('ok')], tools: [textTool('b', () => ''), textTool('a', () => '')], options: { systemPrompt: ' You are Bob. ' } })
    h.ctx.systemPrompt.section({ name: 's', order: 1, text: 'Be brief.' })
    await h.run('hello')

    const [request] = h.script.requests
    expect({ ...request, signal: undefined }).toEqual({
      model: 'script',
      system: 'Be brief.\n\nYou are Bob.',
      tools: ['a', 'b'].map(name => ({ name, description: `The test tool ${name}.`, parameters: { type: 'object' } })),
      messages: [{ role: 'user', content: [{ type: 'text', text: 'hello' }] }],
      sessionId: h.session.id,
    })
    expect(Object.isFrozen(request?.messages[0])).toBe(true)
  })

  it('keeps every earlier message the same object from step to step', async () => {
    await using h = await harness({ model: [call('t'), call('t'), reply('ok')], tools: [textTool('t', () => 'x')] })
    await h.run('hello')
    const [first, second, third] = h.script.requests.map(({ messages }) => messages)

    expect([first?.length, second?.length, third?.length]).toEqual([1, 3, 5])
    expect(third?.slice(0, 3).every((message, index) => message === (second?.[index] ?? first?.[index]))).toBe(true)
  })
})

describe('derivation/repaired', () => {
  it('names what was mended once, in the step that first sends it', async () => {
    const first = await harness({ model: [call('t', {}, { id: 'lost' }), hang()], tools: [textTool('t', async () => await new Promise(() => undefined))], loop: { abortGraceMs: 1 } })
    first.agent.send('go')
    await first.saw('tool/call')
    const stored = JSON.parse(JSON.stringify(first.session.events)) as SessionEvent[]
    await first.dispose()

    await using h = await harness({ model: [reply('ok'), reply('ok')], create: { seed: stored } })
    await h.run('again')
    await h.run('and again')

    expect(eventsOf(h, 'derivation/repaired').map(({ data }) => data)).toEqual([{ turn: 2, step: 1, repairs: [{ kind: 'missing-result', callId: 'lost', state: 'outcome-unknown' }] }])
    expect(h.script.violations).toEqual([])
  })
})

describe('the cost of a step', () => {
  it('does not grow with the length of the session', async () => {
    const steps = 60
    await using h = await harness({ model: [...Array.from({ length: steps }, () => call('t')), reply('ok')], tools: [textTool('t', () => 'x')] })
    const fold = (h.session as unknown as { fold: { advance(event: SessionEvent): void } }).fold
    const advance = vi.spyOn(fold, 'advance')
    const perStep: number[] = []
    h.ctx.on('session/event', (_session, { type }) => {
      if (type === 'step/end') perStep.push(advance.mock.calls.length)
    })
    await h.run('go')
    const costs = perStep.map((count, index) => count - (perStep[index - 1] ?? 0))

    // The user's message, then an answer and a result each.
    expect(costs).toEqual([1, ...Array.from({ length: steps }, () => 2)])
    expect(new Session(h.session.header, h.session.events).deriveMessages()).toEqual(h.session.deriveMessages())
  })
})
