import { describe, expect, it } from 'vitest'
import { call, calls, fail, hang, harness, reply, textTool, type Harness, type HarnessOptions } from '@deepseek-ai/dsh-testkit'
import * as agentCore from '@deepseek-ai/dsh-agent-core'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { LlmError, text, type StreamChunk } from '@deepseek-ai/dsh-llm'
import type { Session, SessionEvent, SessionHeader } from '@deepseek-ai/dsh-session'
import type { Context } from 'cordis'
import { createRoot } from 'cordis/host'
import { compareLogs, replaySession } from '../src/index.ts'

interface Recording {
  header: SessionHeader
  events: SessionEvent[]
}

/** What would be read back from a disk. */
function recordingOf({ header, events }: Session): Recording {
  return JSON.parse(JSON.stringify({ header, events })) as Recording
}

async function record(options: HarnessOptions, play: (h: Harness) => Promise<void>): Promise<Recording> {
  const h = await harness(options)
  try {
    await play(h)
  } finally {
    await h.dispose()
  }
  // A shutdown is in the log, too.
  return recordingOf(h.session)
}

/** The difference between a record and its replay through the spine alone. */
async function replay(recording: Recording, options: { patienceMs?: number } = {}): Promise<{ difference: string | undefined; unplayed?: string }> {
  const root = createRoot()
  await root.plugin(agentCore, agentCore.Config({} as agentCore.AgentCoreConfig))
  while (root.get('agents')?.ready !== true) await new Promise(resolve => setTimeout(resolve, 1))
  try {
    const { events, unplayed } = await replaySession(root, recording, { signal: new AbortController().signal, patienceMs: 2000, ...options })
    return { difference: await compareLogs(recording.events, events), ...(unplayed !== undefined && { unplayed }) }
  } finally {
    await root.fiber.dispose()
  }
}

const slow = textTool('slow', async (_args, { signal }) => {
  await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
  return ''
})
let crashed: Recording | undefined

const fast = textTool('fast', ({ n }) => `fast ${String(n)}`, { concurrency: 'parallel' })

describe('a replay makes the recorded log again', () => {
  it('of plain answers and tools', async () => {
    const recording = await record({ model: [call('fast', { n: 1 }), reply('done', { deltas: 3 }), reply('again')], tools: [fast] }, async h => {
      await h.run('go')
      await h.run('once more')
    })
    expect(await replay(recording)).toEqual({ difference: undefined })
  })

  it('of calls that overlap and calls that do not', async () => {
    const recording = await record({ model: [calls([{ name: 'fast', arguments: { n: 1 } }, { name: 'fast', arguments: { n: 2 } }, { name: 'lone', arguments: {} }, { name: 'fast', arguments: { n: 1 } }]), reply('done')], tools: [fast, textTool('lone', () => 'alone')] }, async h => void (await h.run('go')))
    expect(recording.events.filter(({ type }) => /^tool/.test(type)).map(({ type }) => type).join(' ')).toBe('tool/call tool/call tool/result tool/result tool/call tool/result tool/call tool/result')
    expect(await replay(recording)).toEqual({ difference: undefined })
  })

  it('of steering between steps, and of input that waits for the next turn', async () => {
    const recording = await record({ model: [call('fast', { n: 1 }), reply('noted'), reply('second')], tools: [fast] }, async h => {
      h.agent.send('go')
      await h.saw('tool/call')
      h.agent.steer('stop after this')
      h.agent.send('and then')
      await h.agent.whenIdle()
    })
    expect(recording.events.some(({ type }) => type === 'steering/message')).toBe(true)
    expect(await replay(recording)).toEqual({ difference: undefined })
  })

  it.each(['drop', 'keep'] as const)('of an answer that was cancelled while it streamed, with a queue to %s', async queue => {
    const recording = await record({ model: [hang(textChunks('half an ans')), reply('more')] }, async h => {
      h.agent.send('go')
      await h.saw('assistant/chunk', { where: ({ data }) => data.chunk.type === 'text-delta' })
      h.agent.send('later')
      h.agent.cancel('enough', { queue })
      await h.agent.whenIdle()
      await h.run('go on')
    })
    expect(recording.events.some(event => event.type === 'assistant/message' && event.data.interrupted === true)).toBe(true)
    expect(await replay(recording)).toEqual({ difference: undefined })
  })

  it('of a tool that was cancelled while it ran', async () => {
    const recording = await record({ model: [calls([{ name: 'fast', arguments: { n: 1 } }, { name: 'slow', arguments: {} }, { name: 'fast', arguments: { n: 2 } }]), reply('more')], tools: [fast, slow] }, async h => {
      h.agent.send('go')
      await h.saw('tool/call', { where: ({ data }) => data.name === 'slow' })
      await new Promise(resolve => setTimeout(resolve, 20))
      h.agent.send('later')
      h.agent.cancel('enough')
      await h.agent.whenIdle()
      await h.run('go on')
    })
    expect(recording.events.flatMap(event => (event.type === 'tool/result' ? [event.data.error?.code ?? 'ok'] : []))).toEqual(['ok', 'ABORTED'])
    expect(await replay(recording)).toEqual({ difference: undefined })
  })

  it('of attempts that failed, and of one that failed for good', async () => {
    const refused = new LlmError('AUTH', 'no', { status: 401 })
    const broken = new LlmError('STREAM_CLOSED', 'gone')
    const retry = { name: 'retry', apply: (ctx: Context) => void ctx.on('agent/request-error', () => Promise.resolve({ kind: 'retry', delayMs: 1 })) }
    const recording = await record({ model: [fail(broken, textChunks('hal')), fail(broken), reply('whole'), fail(refused)], plugins: [retry] }, async h => {
      await h.run('go')
      await h.run('again')
    })
    expect(recording.events.filter(({ type }) => type === 'llm/attempt')).toHaveLength(3)
    expect(await replay(recording)).toEqual({ difference: undefined })
  })

  it('of what plugins added: context, events of their own, rewritten and refused prompts, a stop', async () => {
    const plugin = {
      name: 'meddler',
      apply(ctx: Context) {
        ctx.on('agent/prompt-submit', async (_agent, content, _source, next) => {
          const said = content[0]?.type === 'text' ? content[0].text : ''
          if (said === 'bad') return { kind: 'block', reason: 'not that' }
          return said === 'odd' ? { kind: 'allow', content: [text('even')], additionalContext: { content: [text('by the way')], source: { kind: 'plugin', plugin: 'meddler' } } } : await next()
        })
        ctx.on('agent/turn-continuation', async (_agent, turn, _default, next) => (turn === 3 ? { action: 'stop' } : await next()))
      },
    }
    const recording = await record({ model: [reply('one'), call('fast', { n: 1 })], tools: [fast], plugins: [plugin] }, async h => {
      h.agent.inject('early', { source: { kind: 'plugin', plugin: 'meddler' } })
      await h.run('odd')
      h.session.append('session/title', { title: 'T', source: { kind: 'user' } })
      await h.run('stop it')
      await h.run('bad')
    }).catch((error: unknown) => { throw error })
    expect(await replay(recording)).toEqual({ difference: undefined })
  })

  it('of a turn that ran out of steps, of tokens, of time', async () => {
    for (const budget of [{ maxSteps: 2 }, { maxTokens: 30 }, { deadlineMs: 30 }]) {
      const usage = { inputTokens: 10, outputTokens: 10 }
      const recording = await record({ model: [call('fast', { n: 1 }, { usage }), call('fast', { n: 2 }, { usage }), hang()], tools: [fast], options: { budget } }, async h => void (await h.run('go')))
      expect(recording.events.at(-1)).toMatchObject({ type: 'turn/end', data: { reason: { kind: 'limit' } } })
      expect(await replay(recording)).toEqual({ difference: undefined })
    }
  })
})

describe('what came from outside', () => {
  it('comes again at its place: a cancel before a call could start', async () => {
    const recording = await record({ model: [calls([{ name: 'fast', arguments: { n: 1 } }, { name: 'slow', arguments: {} }]), reply('more')], tools: [fast, slow] }, async h => {
      h.ctx.on('session/event', (_session, event) => {
        if (event.type === 'tool/call' && event.data.name === 'slow') h.agent.cancel('enough', { queue: 'keep' })
      })
      await h.run('go')
      await h.run('go on')
    })
    expect(recording.events.flatMap(event => (event.type === 'tool/result' ? [event.data.error?.code ?? 'ok'] : []))).toEqual(['ok', 'ABORTED'])
    expect(await replay(recording)).toEqual({ difference: undefined })
  })

  it('comes again at its place: a listener that failed before the input was claimed', async () => {
    const thrower = { name: 'thrower', apply: (ctx: Context) => void ctx.on('agent/prompt-submit', (agent, _content, _source, next) => (agent.session.turns === 1 ? Promise.reject(new HarnessError('BROKEN', 'no')) : next())) }
    const recording = await record({ model: [reply('one')], plugins: [thrower] }, async h => {
      await h.run('lost')
      await h.run('go')
    })
    expect(recording.events.filter(({ type }) => type === 'inbox/dropped')).toHaveLength(1)
    expect(await replay(recording)).toEqual({ difference: undefined })
  })

  it('comes again at its place: what takes the place of others on the surface', async () => {
    const compactor = {
      name: 'compactor',
      apply: (ctx: Context) => void ctx.on('agent/pre-step', async ({ session }, { turn }) => {
        const [first, second] = session.surfaceEvents
        if (turn === 2 && first && second) session.append('user/message', { content: [text('in short')], source: { kind: 'plugin', plugin: 'compactor' } }, { surfaceOp: { op: 'replace', start: first.seq, end: second.seq } })
        await Promise.resolve()
      }),
    }
    const recording = await record({ model: [reply('one'), reply('two')], plugins: [compactor] }, async h => {
      await h.run('go')
      await h.run('once more')
    })
    expect(recording.events.filter(({ type, surfaceOp }) => type === 'user/message' && surfaceOp !== 'append')).toHaveLength(1)
    expect(await replay(recording)).toEqual({ difference: undefined })
  })

  it('is all there is when the record ends with it', async () => {
    const recording = await record({ model: [reply('done')] }, async h => void (await h.run('go')))
    expect(await replay({ ...recording, events: recording.events.slice(0, 1) })).toEqual({ difference: undefined })
    for (let length = 2; length < recording.events.length; length++) expect(await replay({ ...recording, events: recording.events.slice(0, length) })).toEqual({ difference: undefined })
  })

  it('comes again at its place: a store that failed before a tool, at the end of a step, and before a request', async () => {
    for (const failing of [1, 2, 3]) {
      let flushes = 0
      const store = {
        name: 'store',
        apply: (ctx: Context) => void ctx.on('session/flush', () => (++flushes === failing ? Promise.reject(new HarnessError('STORE_FULL', 'the disk is full')) : Promise.resolve())),
      }
      const recording = await record({ model: [call('fast', { n: 1 }), reply('done'), reply('again')], tools: [fast], plugins: [store] }, async h => {
        await h.run('go')
        await h.run('once more')
      })
      expect(recording.events.filter(event => event.type === 'turn/end').map(({ data }) => data.reason.kind)).toEqual(['error', 'completed'])
      expect(await replay(recording)).toEqual({ difference: undefined })
    }
  })

  it('comes again at its place: a shutdown while an answer streams and while a tool runs', async () => {
    for (const model of [hang(textChunks('half')), call('slow')]) {
      const first = await record({ model: [model], tools: [slow], create: { sessionId: 'lived' } }, async h => {
        h.agent.send('go')
        if (model.kind === 'hang') await h.saw('assistant/chunk', { where: ({ data }) => data.chunk.type === 'text-delta' })
        else await h.saw('tool/call')
        await new Promise(resolve => setTimeout(resolve, 10))
      })
      const second = await record({ model: [reply('back')], create: { sessionId: 'lived', seed: first.events, source: 'resume' } }, async h => void (await h.run('go on')))
      expect(second.events.filter(event => event.type === 'turn/end').map(({ data }) => data.reason.kind)).toEqual(['disposed', 'completed'])
      expect(await replay(second)).toEqual({ difference: undefined })
    }
  })

  it('comes again at its place: input that another process found waiting', async () => {
    const first = await record({ model: [hang(textChunks('half'))], create: { sessionId: 'lived' } }, async h => {
      h.agent.send('go')
      await h.saw('assistant/chunk', { where: ({ data }) => data.chunk.type === 'text-delta' })
      h.agent.send('kept')
      h.agent.cancel('enough', { queue: 'keep' })
      await h.agent.whenIdle()
    })
    const second = await record({ model: [reply('found it')], create: { sessionId: 'lived', seed: first.events, source: 'resume' } }, async h => {
      await h.saw('turn/end', { where: ({ data }) => data.reason.kind === 'completed' })
      await h.agent.whenIdle()
    })
    expect(await replay(second)).toEqual({ difference: undefined })
  })

  it('is not waited for when the replay is stopped', async () => {
    const recording = await record({ model: [reply('done')] }, async h => void (await h.run('go')))
    const root = createRoot()
    await expect(replaySession(root, recording, { signal: new AbortController().signal })).rejects.toMatchObject({ code: 'NO_LOOP' })
    await root.plugin(agentCore, agentCore.Config({} as agentCore.AgentCoreConfig))
    while (root.get('agents')?.ready !== true) await new Promise(resolve => setTimeout(resolve, 1))
    await expect(replaySession(root, recording, { signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow('stopped')
    await root.fiber.dispose()
  })
})

describe('a session that lived in several processes', () => {
  it('is replayed through each of its crashes', async () => {
    const first = await record({ model: [calls([{ name: 'fast', arguments: { n: 1 } }, { name: 'slow', arguments: {} }])], tools: [fast, slow] }, async h => {
      h.agent.send('go')
      await h.saw('tool/call', { where: ({ data }) => data.name === 'slow' })
      crashed = recordingOf(h.session)
      h.agent.cancel()
      await h.agent.whenIdle()
    })
    expect(first.header).toEqual(crashed?.header)
    const { events = [], header } = crashed ?? {}
    const second = await record({ model: [reply('resumed')], create: { seed: events, source: 'resume', meta: header ?? {} } }, async h => void (await h.run('go on')))
    expect(second.events.find(event => event.type === 'turn/end' && event.data.reason.kind === 'interrupted')).toBeDefined()

    expect(await replay({ header: second.header, events })).toEqual({ difference: undefined })
    expect(await replay(second)).toEqual({ difference: undefined })
  })

  it('is replayed from the end of what it was forked from', async () => {
    const parent = await record({ model: [reply('one')] }, async h => void (await h.run('go')))
    const cut = parent.events.findIndex(({ type }) => type === 'assistant/message')
    const seed = parent.events.slice(0, cut)
    const fork = await record({ model: [reply('two')], create: { seed, meta: { parentSession: parent.header.id, seedLength: seed.length } } }, async h => void (await h.run('another way')))
    expect(await replay(fork)).toEqual({ difference: undefined })
  })
})

describe('a record that the loop would not make', () => {
  it('is told apart, with the place', async () => {
    const recording = await record({ model: [call('fast', { n: 1 }), reply('done')], tools: [fast] }, async h => void (await h.run('go')))
    const tampered = structuredClone(recording)
    for (const event of tampered.events) if (event.type === 'assistant/message' && event.data.content[0]?.type === 'text') event.data.content[0].text = 'Done.'

    const { difference, unplayed } = await replay(tampered)

    expect(unplayed).toMatch(/^the replay left the record after event \d+/)
    expect(difference).toContain('content[0].text: "Done." became "done"')
    expect(difference).toMatch(/^The logs differ, first at event \d+ \(- recorded, \+ replayed\):\n {2}… \d+ entries alike …\n/)
  })

  it('is given up when nothing happens any more', async () => {
    const recording = await record({ model: [reply('done')] }, async h => void (await h.run('go')))
    const events = recording.events.filter(({ type }) => type !== 'turn/end').map((event, seq) => ({ ...event, seq }))
    events.push({ type: 'step/start', seq: events.length, time: 0, data: { turn: 1, step: 2 } })

    const { difference } = await replay({ ...recording, events }, { patienceMs: 300 })

    expect(difference).toContain('+ turn/end')
  })
})

function textChunks(said: string): StreamChunk[] {
  return [{ type: 'block-start', index: 0, blockType: 'text' }, { type: 'text-delta', index: 0, text: said }]
}
