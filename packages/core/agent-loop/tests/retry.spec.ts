import { describe, expect, it } from 'vitest'
import { call, chunks, eventsOf, fail, harness, reply, textTool, type Harness } from '@deepseek-ai/dsh-testkit'
import { LlmError, type StreamChunk } from '@deepseek-ai/dsh-llm'

const broken = new LlmError('SERVER', 'overloaded', { status: 503 })

function attempts(h: Harness): unknown[] {
  return eventsOf(h, 'llm/attempt').map(({ data }) => data)
}

function ends(h: Harness): unknown[] {
  return eventsOf(h, 'turn/end').map(({ data }) => data.reason)
}

function alwaysRetry(h: Harness, delayMs = 0): void {
  h.ctx.on('agent/request-error', async () => ({ kind: 'retry', delayMs }))
}

describe('a failed attempt', () => {
  it('ends the turn when nobody wants another', async () => {
    await using h = await harness({ model: [fail(broken)] })
    await h.run('go')

    expect([attempts(h), ends(h)]).toEqual([
      [{ turn: 1, step: 1, attempt: 1, error: { name: 'LlmError', code: 'SERVER', message: 'overloaded', status: 503 } }],
      [{ kind: 'error', step: 1, message: 'overloaded', code: 'SERVER' }],
    ])
  })

  it('is followed by another when a listener says so, and each is in the log', async () => {
    await using h = await harness({ model: [fail(broken), fail(broken), reply('ok')] })
    const seen: unknown[] = []
    h.ctx.on('agent/request-error', async (agent, { turn, step, attempt, error, signal }) => {
      seen.push([agent.id, turn, step, attempt, error.message, signal.aborted])
      return { kind: 'retry', delayMs: attempt }
    })

    expect(await h.run('go')).toBe(['turn/start', 'user       go', 'attempt    1 SERVER', 'attempt    2 SERVER', 'assistant  ok', 'turn/end   completed'].join('\n'))
    expect(attempts(h)).toEqual([
      { turn: 1, step: 1, attempt: 1, error: { name: 'LlmError', code: 'SERVER', message: 'overloaded', status: 503 }, retryInMs: 1 },
      { turn: 1, step: 1, attempt: 2, error: { name: 'LlmError', code: 'SERVER', message: 'overloaded', status: 503 }, retryInMs: 2 },
    ])
    expect(seen).toEqual([
      [h.agent.id, 1, 1, 1, 'overloaded', false],
      [h.agent.id, 1, 1, 2, 'overloaded', false],
    ])
  })

  it('is the last at the loop’s own cap, whatever a listener answers', async () => {
    await using h = await harness({ model: Array.from({ length: 9 }, () => fail(broken)), loop: { maxAttempts: 3 } })
    alwaysRetry(h)
    await h.run('go')

    expect([h.script.requests.length, attempts(h).length, ends(h)]).toEqual([3, 3, [{ kind: 'error', step: 1, message: 'overloaded', code: 'SERVER' }]])
  })

  it.each(['AUTH', 'INVALID_REQUEST', 'QUOTA', 'NO_ADAPTER', 'UNSUPPORTED'] as const)('with %s is never repeated', async code => {
    await using h = await harness({ model: [fail(new LlmError(code, 'no'))] })
    alwaysRetry(h)
    await h.run('go')

    expect([h.script.requests.length, ends(h)]).toEqual([1, [{ kind: 'error', step: 1, message: 'no', code }]])
  })

  it('waits no longer than the loop allows', async () => {
    await using h = await harness({ model: [fail(broken), reply('ok')], loop: { maxRetryDelayMs: 5 } })
    alwaysRetry(h, 3_600_000)
    await h.run('go')

    expect(attempts(h)).toMatchObject([{ retryInMs: 5 }])
  })

  it('can be one that the stream announces itself', async () => {
    await using h = await harness({ model: [chunks([{ type: 'finish', reason: { kind: 'error', message: 'engine fault', code: 'SERVER' } }]), chunks([{ type: 'finish', reason: { kind: 'aborted' } }]), reply('ok')] })
    alwaysRetry(h)
    await h.run('go')

    expect(attempts(h)).toMatchObject([{ error: { code: 'SERVER', message: 'engine fault' } }, { error: { code: 'ABORTED' } }])
    expect(ends(h)).toEqual([{ kind: 'completed' }])
  })

  it('is followed by one with the sections of that moment', async () => {
    await using h = await harness({ model: [fail(broken), reply('ok')] })
    h.ctx.on('agent/request-error', async () => {
      h.ctx.systemPrompt.section({ name: 's', order: 1, text: 'Be brief.' })
      return { kind: 'retry', delayMs: 0 }
    })
    await h.run('go')

    expect([h.script.requests.map(({ system }) => system), eventsOf(h, 'request/header').length]).toEqual([[undefined, 'Be brief.'], 2])
  })

  it('makes a new request, so that a listener can shorten the history in between', async () => {
    await using h = await harness({ model: [fail(new LlmError('CONTEXT_OVERFLOW', 'too long')), reply('ok')] })
    h.ctx.on('agent/request-error', async (agent, { turn }) => {
      const [first] = agent.session.surfaceEvents
      agent.session.append('user/message', { content: [{ type: 'text', text: 'summary' }], source: { kind: 'plugin', plugin: `compact ${turn}` } }, { surfaceOp: { op: 'replace', start: first?.seq ?? 0, end: first?.seq ?? 0 } })
      return { kind: 'retry', delayMs: 0 }
    })
    await h.run('a very long question')

    expect(h.script.requests.map(({ messages }) => messages.map(({ content }) => content))).toEqual([[[{ type: 'text', text: 'a very long question' }]], [[{ type: 'text', text: 'summary' }]]])
  })
})

describe('an answer without substance', () => {
  const empty: [string, StreamChunk[], string][] = [
    ['nothing', [], 'the model answered with nothing'],
    ['blank text', [{ type: 'text-delta', index: 0, text: ' \n' }], 'the model answered with nothing'],
    ['thoughts alone', [{ type: 'reasoning-delta', index: 0, text: 'hm' }], 'the model answered with reasoning but no text and no tool call'],
  ]
  it.each(empty)('(%s) is a failure that may be repeated', async (_what, said, message) => {
    await using h = await harness({ model: [chunks([...said, { type: 'finish', reason: { kind: 'stop' } }]), reply('ok')] })
    alwaysRetry(h)
    await h.run('go')

    expect(attempts(h)).toEqual([{ turn: 1, step: 1, attempt: 1, error: { name: 'LlmError', code: 'EMPTY_RESPONSE', message }, retryInMs: 0 }])
    expect(h.transcript().split('\n').at(-2)).toBe('assistant  ok')
  })
})

describe('a second attempt', () => {
  const half: StreamChunk[] = [
    { type: 'reasoning-delta', index: 0, text: 'thinking' },
    { type: 'text-delta', index: 1, text: 'Hello wor' },
    { type: 'tool-call-delta', index: 2, id: 'x', name: 'note', argumentsDelta: '{"a":' },
  ]

  it('stands alone: nothing of the first is glued to it', async () => {
    const ran: unknown[] = []
    await using h = await harness({
      model: [fail(broken, half), fail(broken, half.slice(0, 1)), call('note', { a: 1 }, { text: 'Hello world', id: 'x' }), reply('done')],
      tools: [textTool('note', args => `noted ${ran.push(args)}`)],
    })
    alwaysRetry(h)
    await h.run('go')

    expect(ran).toEqual([{ a: 1 }])
    expect(h.transcript()).toBe(
      ['turn/start', 'user       go', 'attempt    1 SERVER', 'attempt    2 SERVER', 'assistant  Hello world note {"a":1}', 'tool       noted 1', 'assistant  done', 'turn/end   completed'].join('\n'),
    )
    // For readers of the log, the attempt is the mark after which the chunks count.
    const types = h.session.events.map(({ type }) => type)
    const after = h.session.events.slice(types.lastIndexOf('llm/attempt'), types.indexOf('assistant/message'))
    const said = after.flatMap(event => (event.type === 'assistant/chunk' && event.data.chunk.type === 'text-delta' ? [event.data.chunk.text] : []))
    expect(said.join('')).toBe('Hello world')
  })

  it('that never comes leaves no half answer in the conversation', async () => {
    await using h = await harness({ model: [fail(broken, half), reply('fresh')] })
    await h.run('go')
    await h.run('again')

    expect(h.script.requests[1]?.messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'go' }] },
      { role: 'user', content: [{ type: 'text', text: 'again' }] },
    ])
  })
})
