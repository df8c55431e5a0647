import { call, harness, reply, textTool, type Harness } from '@deepseek-ai/dsh-testkit'
import { Service, type Context } from 'cordis'
import { describe, expect, it } from 'vitest'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import * as llmReplay from '../src/index.ts'

/** A store that has one session. */
function storeOf(events: readonly SessionEvent[]) {
  return class Store extends Service {
    static readonly provide = 'sessionPersistence'

    constructor(ctx: Context) {
      super(ctx, 'sessionPersistence')
    }

    async find(): Promise<string> {
      return 'recorded'
    }

    async load(): Promise<{ events: readonly SessionEvent[] }> {
      return { events }
    }
  }
}

async function record(): Promise<SessionEvent[]> {
  await using h = await harness({ model: [call('a'), reply('first'), reply('second')], tools: [textTool('a', () => 'the result')] })
  await h.run('one')
  await h.run('two')
  return JSON.parse(JSON.stringify(h.session.events)) as SessionEvent[]
}

async function play(events: readonly SessionEvent[], prompts: readonly string[], work: (h: Harness) => void = () => undefined): Promise<string> {
  await using h = await harness({
    plugins: [storeOf(events) as never, [llmReplay as never, { session: 'rec', paceMs: 0 }]],
    tools: [textTool('a', () => { throw new Error('a replay runs no tool') })],
    options: { model: llmReplay.REPLAYED_MODEL },
  })
  work(h)
  let shown = ''
  for (const prompt of prompts) shown = await h.run(prompt)
  return shown
}

describe('a recorded session as a model', () => {
  it('answers turn by turn, with the recorded results, and says where it ends', async () => {
    const shown = await play(await record(), ['x', 'y', 'z'])

    expect(shown).toMatch(/user +x[^]*the result|user +x[^]*tool +ok/)
    expect(shown.match(/assistant +\S.*/g)?.map(line => line.replace(/ +/g, ' '))).toEqual(['assistant a {}', 'assistant first', 'assistant second', 'assistant This is where the recording ends.'])
  })

  it('asks nobody for permission', async () => {
    let asked = 0
    await play(await record(), ['x'], h => void h.ctx.on('tools/pre-execute', async (_call, _tool, next) => {
      asked++
      return await next()
    }))

    expect(asked).toBe(0)
  })

  it('leaves other models alone', async () => {
    await using h = await harness({ model: [reply('mine')], plugins: [storeOf([]) as never, [llmReplay as never, { session: 'rec' }]] })

    expect(await h.run('hi')).toContain('mine')
  })
})
