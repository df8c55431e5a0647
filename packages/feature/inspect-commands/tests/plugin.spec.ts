import { CommandRegistry } from '@deepseek-ai/dsh-commands'
import { call, harness, reply, runPluginContract, textTool, type Harness } from '@deepseek-ai/dsh-testkit'
import { describe, expect, it } from 'vitest'
import * as inspectCommands from '../src/index.ts'
import { reportContext, reportUsage } from '../src/index.ts'

const tool = textTool('look', () => 'seen '.repeat(20))

async function type(h: Harness, line: string): Promise<string> {
  const result = await h.ctx.commands.run(line, { agent: h.agent, door: {}, signal: new AbortController().signal })
  return result?.kind === 'show' ? result.markdown : 'nothing'
}

const open = (): Promise<Harness> => harness({ model: [call('look', { at: 'it' }), reply('all done')], tools: [tool], plugins: [CommandRegistry, inspectCommands] })

describe('/context', () => {
  it('accounts for every part of the request, with its origin', async () => {
    await using h = await open()
    const remove = h.ctx.systemPrompt.section({ name: 'manners', order: 1, text: 'be kind' })
    await h.run('go on')

    const { parts, characters, tokens } = reportContext(h.session, h.ctx.systemPrompt.sections())
    expect(parts.map(({ name, origin }) => `${origin}: ${name}`)).toEqual(['system prompt: manners', 'tool schema: look', 'you: messages and context', 'tool calls: look', 'tool results: look', 'model: answers'])
    const of = (name: string): number | undefined => parts.find(part => part.name === name && part.origin !== 'tool schema')?.characters
    expect([of('manners'), of('messages and context'), of('answers')]).toEqual(['be kind'.length, 'go on'.length, 'all done'.length])
    expect(characters).toBe(parts.reduce((sum, part) => sum + part.characters, 0))
    expect(tokens).toBe(h.session.events.flatMap(event => (event.type === 'assistant/message' ? [event.data.usage] : [])).map(usage => usage && usage.inputTokens + usage.outputTokens).at(-1))
    remove()
    expect(await type(h, '/context')).toMatch(/^\*\*[\d,]+ tokens in the context\*\*.*\n\n\| part /)
  })

  it('says that it guesses before anything was sent', async () => {
    await using h = await open()
    expect(await type(h, '/context')).toContain('estimated: nothing has been sent yet')
  })
})

describe('/tokens and /cost', () => {
  it('add up what each model used', async () => {
    await using h = await open()
    await h.run('go on')
    expect(reportUsage(h.session.events)).toEqual([expect.objectContaining({ model: 'script', requests: 2, costs: new Map() })])
    expect(await type(h, '/tokens')).toMatch(/\n\| script \| 2 \| /)
    expect(await type(h, '/cost')).toMatch(/^- script: price unknown \(2 requests\)/)
  })

  it('have nothing to say about a session that has not begun', async () => {
    await using h = await open()
    expect([await type(h, '/tokens'), await type(h, '/cost')]).toEqual(['Nothing has been sent yet.', 'Nothing has been sent yet.'])
  })
})

describe('/prompt', () => {
  it('shows what the first request will hold before it is sent, and then sends just that', async () => {
    await using h = await open()
    h.ctx.systemPrompt.section({ name: 'manners', order: 1, text: 'be kind' })
    const body = async (): Promise<Record<string, unknown>> => JSON.parse((await type(h, '/prompt')).replaceAll('```json', '').replaceAll('```', '')) as Record<string, unknown>
    const before = await body()
    expect(before).toMatchObject({ model: 'script', system: 'be kind', tools: [{ name: 'look' }], messages: [] })
    expect(await type(h, '/context')).toContain('tool schema')
    await h.run('go on')
    const after = await body()
    expect([after['system'], after['tools']]).toEqual([before['system'], before['tools']])
  })

  it('shows the request that would be sent, in a block that nothing in it can end', async () => {
    await using h = await harness({ model: [reply('```\nok\n```')], plugins: [CommandRegistry, inspectCommands] })
    await h.run('go on')
    const [, mark = '', body = ''] = /^(`+)json\n([^]*)\n\1$/.exec(await type(h, '/prompt')) ?? []
    expect(mark).toBe('````')
    expect(JSON.parse(body)).toEqual({ model: 'script', system: '', tools: [], messages: h.session.deriveMessages() })
  })
})

it('comes and goes without a trace', async () => {
  await expect(runPluginContract(inspectCommands, { harness: { plugins: [CommandRegistry] } })).resolves.toEqual({ added: [] })
})
