import { CommandRegistry, type CommandDoor } from '@deepseek-ai/dsh-commands'
import { harness, reply, runPluginContract, type Harness } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import * as modelCommand from '../src/index.ts'

const open = (): Promise<Harness> => harness({ model: [reply('ok')], plugins: [CommandRegistry, modelCommand] })

async function type(h: Harness, line: string, door: CommandDoor = {}): Promise<unknown> {
  return await h.ctx.commands.run(line, { agent: h.agent, door, signal: new AbortController().signal })
}

describe('/model', () => {
  it('changes the model of the next step', async () => {
    await using h = await open()
    h.ctx.llm.registerAdapter(['other'], { stream: () => h.ctx.llm.stream({ model: 'script', messages: [], signal: new AbortController().signal }) })
    expect(await type(h, '/model other')).toEqual({ kind: 'show', markdown: 'From the next step on the model is other.' })
    expect(h.agent.options.model).toBe('other')
  })

  it('lets choose where the front door can, and changes nothing without a choice', async () => {
    await using h = await open()
    const asked: string[] = []
    const door: CommandDoor = { choose: async (title, choices) => void asked.push(title, ...choices.map(({ value }) => value)) }
    expect(await type(h, '/model', door)).toEqual({ kind: 'show', markdown: 'The model is script.' })
    expect(asked).toEqual(['model (now script)', 'script'])
    expect(await type(h, '/model')).toEqual({ kind: 'show', markdown: 'The model is script.' })
  })

  it('refuses what no adapter serves, with what was probably meant', async () => {
    await using h = await open()
    await expect(type(h, '/model scirpt')).rejects.toThrow(expect.objectContaining({ code: 'UNKNOWN_MODEL', message: expect.stringContaining('did you mean script?') as string }))
    expect(h.agent.options.model).toBe('script')
  })
})

it('comes and goes without a trace', async () => {
  await expect(runPluginContract(modelCommand, { harness: { plugins: [CommandRegistry] } })).resolves.toEqual({ added: [] })
})
