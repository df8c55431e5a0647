import { Context } from 'cordis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CommandRegistry, type Command, type CommandCall } from '../src/index.ts'

const CALL = { door: {}, signal: new AbortController().signal } as unknown as CommandCall

async function open(): Promise<Context> {
  const ctx = new Context()
  onTestFinished(() => ctx.fiber.dispose())
  await ctx.plugin(CommandRegistry)
  return ctx
}

function echo(name: string, more: Partial<Command> = {}): Command {
  return { name, description: name, run: async args => ({ kind: 'show', markdown: `${name}(${args})` }), ...more }
}

describe('a command', () => {
  it('runs with what stands behind its name, also by an alias', async () => {
    const { commands } = await open()
    commands.register(echo('copy', { aliases: ['yank'] }))

    expect(await commands.run('/copy  all of it\nand more ', CALL)).toEqual({ kind: 'show', markdown: 'copy(all of it\nand more)' })
    expect(await commands.run('yank', CALL)).toEqual({ kind: 'show', markdown: 'copy()' })
    expect(commands.list().map(({ name }) => name)).toEqual(['copy'])
  })

  it('goes with its plugin, and both are announced', async () => {
    const ctx = await open()
    const heard: string[][] = []
    ctx.on('commands/change', () => void heard.push(ctx.commands.list().map(({ name }) => name)))
    const fiber = ctx.plugin({ name: 'plugin', inject: ['commands'], apply: (inner: Context) => void inner.commands.register(echo('diff')) })
    await fiber
    await fiber.dispose()

    expect(heard).toEqual([['diff'], []])
  })

  it.each([
    ['/cpoy', 'UNKNOWN_COMMAND', 'did you mean /copy?'],
    ['/', 'UNKNOWN_COMMAND', '/help lists them'],
  ])('%s is refused with %s', async (line, code, message) => {
    const { commands } = await open()
    commands.register(echo('copy'))
    await expect(commands.run(line, CALL)).rejects.toThrow(expect.objectContaining({ code, message: expect.stringContaining(message) as string }))
  })

  it.each([
    [echo('copy'), 'DUPLICATE_COMMAND'],
    [echo('other', { aliases: ['copy'] }), 'DUPLICATE_COMMAND'],
    [echo('Two Words'), 'INVALID_COMMAND'],
  ])('%o cannot be registered: %s', async (command, code) => {
    const { commands } = await open()
    commands.register(echo('copy'))
    expect(() => commands.register(command)).toThrow(expect.objectContaining({ code }))
    expect(commands.list().map(({ name }) => name)).toEqual(['copy'])
  })
})
