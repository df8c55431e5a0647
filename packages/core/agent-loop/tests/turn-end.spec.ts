import { describe, expect, it } from 'vitest'
import { call, eventsOf, harness, reply, textTool, type Harness } from '@deepseek-ai/dsh-testkit'
import { LlmAdapter, LlmError, text, type StreamChunk } from '@deepseek-ai/dsh-llm'
import { fail } from '@deepseek-ai/dsh-testkit'

const plugin = { kind: 'plugin' as const, plugin: 'p' }

function ends(h: Harness): unknown[] {
  return eventsOf(h, 'turn/end').map(({ data }) => data.reason)
}

const work = textTool('work', () => 'worked')
const manyCalls = (count: number): ReturnType<typeof call>[] => Array.from({ length: count }, () => call('work'))

describe('a turn', () => {
  it('is rejected when every prompt is blocked, with the last reason and without a step', async () => {
    await using h = await harness()
    h.ctx.on('agent/prompt-submit', async (_agent, content) => ({ kind: 'block', reason: `no ${content[0]?.type === 'text' ? content[0].text : ''}` }))
    h.agent.send('one')
    h.agent.send('two')
    await h.agent.whenIdle()

    expect(h.transcript()).toBe(['turn/start', 'blocked    no one', 'blocked    no two', 'turn/end   rejected no two'].join('\n'))
  })

  it('goes on with what is allowed, as the plugin has rewritten it, with its context', async () => {
    await using h = await harness({ model: [reply('ok')] })
    h.ctx.on('agent/prompt-submit', async (_agent, content, _source, next) => {
      if (content[0]?.type === 'text' && content[0].text === 'bad') return { kind: 'block', reason: 'no' }
      return (await next()).kind === 'allow' ? { kind: 'allow', content: [text('GOOD')], additionalContext: { content: [text('it is late')], source: plugin } } : { kind: 'block', reason: 'no' }
    })
    h.agent.send('bad')
    h.agent.send('good')
    await h.agent.whenIdle()

    expect(h.transcript()).toBe(['turn/start', 'blocked    no', 'user       GOOD', 'context    it is late', 'assistant  ok', 'turn/end   completed'].join('\n'))
  })

  it('that was cut by the token limit says so, keeps the text and does not run the calls', async () => {
    let ran = 0
    await using h = await harness({
      model: [call('work', {}, { text: 'I will', finish: { kind: 'max-tokens' } })],
      tools: [textTool('work', () => `${++ran}`)],
    })

    expect(await h.run('go')).toBe(['turn/start', 'user       go', 'assistant  I will', 'turn/end   max-tokens'].join('\n'))
    expect(ran).toBe(0)
  })

  it('that was cut does not run calls that a plugin adds either', async () => {
    await using h = await harness({ model: [reply('cut', { finish: { kind: 'max-tokens' } })], tools: [work] })
    h.ctx.on('agent/step-result', async (_agent, _info, message) => ({ ...message, content: [...message.content, { type: 'tool-call', id: 'x', name: 'work', arguments: '' }] }))

    expect(await h.run('go')).toBe(['turn/start', 'user       go', 'assistant  cut', 'turn/end   max-tokens'].join('\n'))
  })

  it('is max-tokens even if later steps are complete', async () => {
    await using h = await harness({ model: [reply('cut', { finish: { kind: 'max-tokens' } }), reply('rest')] })
    h.ctx.on('agent/turn-continuation', async (_agent, _turn, _decision, next) => {
      if (h.script.left > 0) return { action: 'continue' }
      return await next()
    })
    await h.run('go')

    expect(ends(h)).toEqual([{ kind: 'max-tokens' }])
  })

  it('that thought until the limit leaves a history that the next request can send', async () => {
    await using h = await harness({ model: [{ kind: 'answer', reasoning: 'hm hm', finish: { kind: 'max-tokens' } }, reply('short')] })
    await h.run('go')
    await h.run('again')

    expect(ends(h)).toEqual([{ kind: 'max-tokens' }, { kind: 'completed' }])
    expect(h.script.requests[1]?.messages.map(({ role }) => role)).toEqual(['user', 'user'])
  })

  it('that fails before all its messages were asked about drops the rest, and none springs up later', async () => {
    await using h = await harness({ model: [reply('ok')] })
    const remove = h.ctx.on('agent/prompt-submit', async (_agent, content, _source, next) => {
      if (content[0]?.type === 'text' && content[0].text === 'two') throw new Error('plugin is broken')
      return await next()
    })
    const ids = ['one', 'two', 'three'].map(message => h.agent.send(message))
    await h.agent.whenIdle()
    remove()
    await h.run('four')

    expect(eventsOf(h, 'inbox/dropped').map(({ data }) => data)).toEqual([{ ids: ids.slice(1), reason: 'the turn ended first: error' }])
    expect(h.transcript()).toBe(['turn/start', 'user       one', 'turn/end   error UNKNOWN plugin is broken', 'turn/start', 'user       four', 'assistant  ok', 'turn/end   completed'].join('\n'))
  })

  it('without a model ends in an error that says what to do', async () => {
    await using h = await harness({ options: { model: '' } })
    await h.run('go')

    expect(ends(h)).toEqual([{ kind: 'error', step: 1, message: 'no model was chosen: set `model` in the settings or use --model', code: 'NO_MODEL' }])
  })

  it('that fails is reported on agent/error and in the log of the process, and the next one works', async () => {
    await using h = await harness({ model: [fail(new LlmError('AUTH', 'the key is refused')), reply('ok')] })
    const heard: unknown[] = []
    h.ctx.on('agent/error', (agent, turn, step, error) => void heard.push([agent.id, turn, step, error.message]))
    await h.run('go')
    await h.run('again')

    expect(ends(h)).toEqual([{ kind: 'error', step: 1, message: 'the key is refused', code: 'AUTH' }, { kind: 'completed' }])
    expect([heard, h.log.map(({ text: line }) => line)]).toEqual([[[h.agent.id, 1, 1, 'the key is refused']], [`turn 1 of ${h.agent.id} failed in step 1: the key is refused`]])
  })

  it('gives each of several failing stores a name in its error', async () => {
    await using h = await harness()
    h.ctx.on('session/flush', async () => {
      throw Object.assign(new Error('no space left'), { code: 'ENOSPC' })
    })
    await h.run('go')

    expect(ends(h)).toEqual([{ kind: 'error', step: 1, message: 'no space left', code: 'ENOSPC' }])
  })
})

describe('a budget', () => {
  it('of steps ends the turn after the results of the last one', async () => {
    await using h = await harness({ model: manyCalls(3), tools: [work], options: { budget: { maxSteps: 2 } } })
    await h.run('go')

    expect([ends(h), eventsOf(h, 'tool/result').length, h.script.left]).toEqual([[{ kind: 'limit', which: 'steps' }], 2, 1])
  })

  it('is not exceeded by a turn that wants nothing more', async () => {
    await using h = await harness({ model: [call('work'), reply('done')], tools: [work], options: { budget: { maxSteps: 2 } } })
    await h.run('go')

    expect(ends(h)).toEqual([{ kind: 'completed' }])
  })

  it('of tokens counts every kind, failed attempts included', async () => {
    const usage = { inputTokens: 10, outputTokens: 10, cacheReadTokens: 10, cacheWriteTokens: 10, reasoningTokens: 5 }
    await using h = await harness({ model: [reply('', { usage }), call('work', {}, { usage }), call('work')], tools: [work], options: { budget: { maxTokens: 80 } } })
    h.ctx.on('agent/request-error', async () => ({ kind: 'retry', delayMs: 0 }))
    await h.run('go')

    expect([ends(h), h.script.requests.length]).toEqual([[{ kind: 'limit', which: 'tokens' }], 2])
  })

  it('of money follows the price of the model that answered', async () => {
    await using h = await harness({ model: manyCalls(5).map(step => ({ ...step, usage: { inputTokens: 1_000_000, outputTokens: 0 } })), tools: [work], options: { budget: { maxCost: 5 } } })
    h.script.info = name => ({ name, price: { currency: 'USD', input: 2, output: 0 } })
    await h.run('go')

    expect([ends(h), h.script.requests.length]).toEqual([[{ kind: 'limit', which: 'cost' }], 3])
  })

  it('of money is not enforced where the price is unknown', async () => {
    await using h = await harness({ model: [...manyCalls(3), reply('done')], tools: [work], options: { budget: { maxCost: 0.000001 } } })
    await h.run('go')

    expect(ends(h)).toEqual([{ kind: 'completed' }])
  })

  it('of time stops whatever runs', async () => {
    await using h = await harness({
      model: [call('wait')],
      tools: [textTool('wait', async (_args, { signal }) => await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))))],
      options: { budget: { deadlineMs: 30 } },
    })
    await h.run('go')

    expect(ends(h)).toEqual([{ kind: 'limit', which: 'deadline' }])
  })

  it('of a month does not stop at once', async () => {
    await using h = await harness({ model: [reply('ok', { delayMs: 30 })], options: { budget: { deadlineMs: 31 * 24 * 3_600_000 } } })
    await h.run('go')

    expect(ends(h)).toEqual([{ kind: 'completed' }])
  })

  it('cannot be renewed by a plugin that always wants more', async () => {
    await using h = await harness({ model: [reply('one'), reply('two'), reply('three'), reply('four')], options: { budget: { maxSteps: 2 } } })
    h.ctx.on('agent/turn-continuation', async () => ({ action: 'continue', reason: { content: [text('more!')], source: plugin } }))
    await h.run('go')

    expect(h.transcript()).toBe(['turn/start', 'user       go', 'assistant  one', 'steering   more!', 'assistant  two', 'turn/end   limit steps'].join('\n'))
  })

  it('can be set for the next turn', async () => {
    await using h = await harness({ model: [...manyCalls(2), reply('done'), ...manyCalls(2)], tools: [work] })
    await h.run('go')
    h.agent.configure({ budget: { maxSteps: 1 } })
    await h.run('again')

    expect(ends(h)).toEqual([{ kind: 'completed' }, { kind: 'limit', which: 'steps' }])
  })
})

describe('turn-continuation', () => {
  it('can stop a turn after tool calls', async () => {
    await using h = await harness({ model: [call('work')], tools: [work] })
    h.ctx.on('agent/turn-continuation', async (_agent, _turn, decision) => {
      expect(decision).toEqual({ action: 'continue' })
      return { action: 'stop' }
    })
    await h.run('go')

    expect([ends(h), h.script.requests.length]).toEqual([[{ kind: 'completed' }], 1])
  })
})

describe('steering', () => {
  it('that comes in a step makes going on the default', async () => {
    await using h = await harness({ model: [reply('one'), reply('two')] })
    const defaults: unknown[] = []
    h.ctx.on('agent/step-result', async (agent, { step }, _message, next) => {
      if (step === 1) agent.steer('wait')
      return await next()
    })
    h.ctx.on('agent/turn-continuation', async (_agent, _turn, decision, next) => {
      defaults.push(decision.action)
      return await next()
    })
    await h.run('go')

    expect(defaults).toEqual(['continue', 'stop'])
  })

  it('that waits overrides a plugin that stops the turn', async () => {
    await using h = await harness({ model: [reply('one'), reply('two')] })
    h.ctx.on('agent/turn-continuation', async agent => {
      if (h.script.left > 0) agent.steer('wait')
      return { action: 'stop' }
    })

    expect(await h.run('go')).toBe(['turn/start', 'user       go', 'assistant  one', 'steering   wait', 'assistant  two', 'turn/end   completed'].join('\n'))
  })
})

describe('an adapter that ignores its signal', () => {
  it('does not hold up a cancel, and what it says later is not heard', async () => {
    let release: (() => void) | undefined
    class Deaf extends LlmAdapter {
      override async *stream(): AsyncIterable<StreamChunk> {
        yield { type: 'text-delta', index: 0, text: 'one ' }
        await new Promise<void>(resolve => (release = resolve))
        yield { type: 'text-delta', index: 0, text: 'two' }
      }
    }
    await using h = await harness({ options: { model: 'deaf' }, loop: { abortGraceMs: 5 } })
    h.ctx.llm.registerAdapter(['deaf'], new Deaf())
    h.agent.send('go')
    await h.saw('assistant/chunk')
    h.agent.cancel()
    await h.agent.whenIdle()
    const length = h.session.seq
    release?.()
    await new Promise(resolve => setImmediate(resolve))

    expect([h.transcript(), h.session.seq]).toEqual([['turn/start', 'user       go', 'assistant  one  …', 'turn/end   aborted cancelled'].join('\n'), length])
  })
})
