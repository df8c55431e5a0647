import { Context } from 'cordis'
import { describe, expect, it, onTestFinished } from 'vitest'
import { CommandRegistry, type Command, type CommandCall } from '../src/index.ts'

const CALL = { agent: { session: { header: { cwd: '/work' } } }, door: {}, signal: new AbortController().signal } as unknown as CommandCall

async function open(): Promise<Context> {
  const ctx = new Context()
  onTestFinished(() => ctx.fiber.dispose())
  await ctx.plugin(CommandRegistry)
  return ctx
}

function echo(name: string, more: Partial<Command> = {}): Command {
  return { name, description: name, run: async args => ({ kind: 'show', markdown: `${name}(${args})` }), ...more }
}

async function namesIn(commands: CommandRegistry): Promise<string[]> {
  return (await commands.available('/work', CALL.signal)).map(({ name }) => name)
}

describe('a command', () => {
  it('runs with what stands behind its name, also by an alias', async () => {
    const { commands } = await open()
    commands.register(echo('copy', { aliases: ['yank'] }))

    expect(await commands.run('/copy  all of it\nand more ', CALL)).toEqual({ kind: 'show', markdown: 'copy(all of it\nand more)' })
    expect(await commands.run('yank', CALL)).toEqual({ kind: 'show', markdown: 'copy()' })
    expect(await namesIn(commands)).toEqual(['copy', 'help'])
    expect(commands.registered()).toEqual(['copy', 'help'])
  })

  it('is refused at a front door that cannot do what it needs, with a way out', async () => {
    const { commands } = await open()
    commands.register(echo('login', { needs: 'askSecret', otherwise: 'dsh auth does the same' }))

    await expect(commands.run('/login', CALL)).rejects.toThrow(expect.objectContaining({ code: 'NOT_AT_THIS_DOOR', message: '/login cannot be carried out here: there is no way to ask for something without showing it; dsh auth does the same' }))
    expect(await commands.run('/login', { ...CALL, door: { askSecret: async () => undefined } })).toEqual({ kind: 'show', markdown: 'login()' })
  })

  it('says of which lines nothing is to be kept, also where the name is misspelt', async () => {
    const { commands } = await open()
    commands.register(echo('login', { isPrivate: true, aliases: ['key'] }))
    commands.register(echo('model'))

    expect(['/login sk-1', ' /login\nsk-1', '/key sk-1', '/LOGIN sk-1', '/logi sk-1', '/logn sk-1', '/lgoin sk-1'].map(line => commands.isPrivate(line))).toEqual(Array(7).fill(true))
    expect(['/login', '/model x', '/modle x', 'login sk-1', '/nonsense x', '/', '/ sk-1'].map(line => commands.isPrivate(line))).toEqual(Array(7).fill(false))
  })

  it('is not taken for another one that is spelt nearly so', async () => {
    const { commands } = await open()
    commands.register(echo('login', { isPrivate: true, needs: 'askSecret' }))
    commands.addSource({ commands: async () => [echo('logic')] })
    await commands.available('/work', CALL.signal)

    expect(['/logic x', '/login x', '/logim x'].map(line => commands.isPrivate(line))).toEqual([false, true, true])
    expect(['/logic', '/login', '/LOGIN'].map(line => commands.asksSecret(line))).toEqual([false, true, true])
  })

  it('goes with its plugin, and both are announced', async () => {
    const ctx = await open()
    const heard: Promise<string[]>[] = []
    ctx.on('commands/change', () => void heard.push(namesIn(ctx.commands)))
    const fiber = ctx.plugin({ name: 'plugin', inject: ['commands'], apply: (inner: Context) => void inner.commands.register(echo('diff')) })
    await fiber
    await fiber.dispose()

    expect(await Promise.all(heard)).toEqual([['diff', 'help'], ['help']])
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
    expect(await namesIn(commands)).toEqual(['copy', 'help'])
  })
})

describe('a source', () => {
  it('adds commands of the directory, and hides none that is registered', async () => {
    const ctx = await open()
    ctx.commands.register(echo('copy', { aliases: ['yank'] }))
    const asked: string[] = []
    const fiber = ctx.plugin({
      name: 'files',
      inject: ['commands'],
      apply: (inner: Context) => void inner.commands.addSource({
        commands: async cwd => {
          asked.push(cwd)
          return [echo('copy', { run: async () => ({ kind: 'show', markdown: 'the false one' }) }), echo('yank'), echo('team:review')]
        },
      }),
    })
    await fiber

    expect(await namesIn(ctx.commands)).toEqual(['copy', 'help', 'team:review'])
    expect(await ctx.commands.run('/team:review now', CALL)).toEqual({ kind: 'show', markdown: 'team:review(now)' })
    expect(await ctx.commands.run('/copy', CALL)).toEqual({ kind: 'show', markdown: 'copy()' })
    expect(new Set(asked)).toEqual(new Set(['/work']))
    await fiber.dispose()
    expect(await namesIn(ctx.commands)).toEqual(['copy', 'help'])
  })
})

describe('/help', () => {
  it('lists what there is, with arguments and aliases', async () => {
    const { commands } = await open()
    commands.register(echo('copy', { aliases: ['yank'], argumentHint: '[N]' }))
    commands.register(echo('resume', { needs: 'open' }))
    const result = await commands.run('/help', CALL)
    expect(result?.kind === 'show' && result.markdown.split('\n')).toEqual([
      '- **/copy** [N]: copy (also /yank)',
      '- **/help**: the commands that there are',
      '',
      'Anything else is a message. **!** runs a command in the shell, **@** names a file.',
    ])
  })
})
