import { describe, expect, it } from 'vitest'
import { describeDifference } from '@deepseek-ai/dsh-invariants'
import { harness, reply } from '@deepseek-ai/dsh-testkit'

describe('the request', () => {
  it('is found to differ from the log when a listener slips something into it', async () => {
    const h = await harness({ model: [reply('ok')] })
    h.ctx.on('agent/request', async (_agent, _info, _options, next) => {
      const options = await next()
      return { ...options, messages: [...options.messages, { role: 'user', content: [{ type: 'text', text: 'psst' }] }] }
    })
    await h.run('hello')

    expect(h.invariants.violations).toEqual([
      {
        sessionId: h.session.id,
        message: 'the request is not the fold of the log:\n  messages[1]: added {"role":"user","content":[{"type":"text","text":"psst"}]}',
      },
    ])
    await expect(h.dispose()).rejects.toThrow('1 invariants were broken:')
  })

  it('may have its system text and tools changed, because the log says so', async () => {
    await using h = await harness({ model: [reply('ok'), reply('ok')] })
    h.ctx.on('agent/request', async (_agent, _info, _options, next) => ({ ...(await next()), system: 'be brief', tools: [{ name: 't', description: '', parameters: { type: 'object' } }] }))
    await h.run('hello')
    await h.run('again')

    expect([h.invariants.violations, h.invariants.requestsChecked, h.session.requestHeader?.system]).toEqual([[], 2, 'be brief'])
  })

  it('from outside a step is nobody’s fold', async () => {
    await using h = await harness({ model: [reply('a title')] })
    const chunks = await Array.fromAsync(h.ctx.llm.stream({ model: 'script', messages: [], sessionId: h.session.id, signal: new AbortController().signal }))

    expect([chunks.length > 0, h.invariants.violations, h.invariants.requestsChecked]).toEqual([true, [], 0])
  })
})

describe('an agent', () => {
  it('is never idle while its turn is open', async () => {
    const h = await harness()
    h.session.append('turn/start', { turn: 1, trigger: { kind: 'message', source: { kind: 'user' } } })
    h.ctx.emit(h.agent.scope as never, 'agent/status', h.agent, 'running')
    h.ctx.emit(h.agent.scope as never, 'agent/status', h.agent, 'idle')

    expect(h.invariants.violations).toEqual([{ sessionId: h.session.id, message: `the agent ${h.agent.id} is idle while turn 1 is open` }])
    await expect(h.dispose()).rejects.toThrow('is idle while turn 1 is open')
  })
})

describe('the log', () => {
  it('is watched as it grows, and every complaint is logged', async () => {
    const h = await harness()
    h.session.append('step/start', { turn: 1, step: 1 })

    expect(h.invariants.violations).toEqual([{ sessionId: h.session.id, seq: 0, message: 'step/start: outside every turn' }])
    expect(h.log).toEqual([{ type: 'error', text: `invariant broken: ${h.session.id} event 0: step/start: outside every turn` }])
    await expect(h.dispose()).rejects.toThrow('step/start: outside every turn')
  })

  it('of a seed is read from its first event', async () => {
    const h = await harness()
    h.ctx.sessions.create('seeded', { seed: [{ type: 'step/end', seq: 0, time: 1, data: { turn: 1, step: 1 } }] })

    expect(h.invariants.violations).toEqual([{ sessionId: 'seeded', seq: 0, message: 'step/end: outside every turn' }])
    await expect(h.dispose()).rejects.toThrow('outside every turn')
  })
})

describe('describeDifference', () => {
  it('names the places and both values', () => {
    expect(describeDifference({ a: [1, { b: 'x' }], c: true }, { a: [1, { b: 'y', d: null }, 3] })).toBe(
      ['  a[1].b: "x" became "y"', '  a[1].d: added null', '  a[2]: added 3', '  c: missing true'].join('\n'),
    )
  })

  it('stops after a few places and cuts long values', () => {
    expect(describeDifference(0, 'x'.repeat(500))).toBe(`  value: 0 became "${'x'.repeat(199)}…`)
    expect(describeDifference([1, 2, 3, 4, 5, 6, 7], [0, 0, 0, 0, 0, 0, 0]).split('\n').at(-1)).toBe('  … and 2 more places')
  })
})
