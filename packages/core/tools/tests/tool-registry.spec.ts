import { describe, expect, it } from 'vitest'
import { extendScope, scopeOf } from '@deepseek-ai/dsh-scope'
import { isHarnessError } from '@deepseek-ai/dsh-errors'
import { captureLog, textTool } from '@deepseek-ai/dsh-testkit'
import type { Context } from 'cordis'
import { callOf, shown, withTools } from './pipeline.ts'

function codeOf(run: () => unknown): string {
  try {
    run()
  } catch (error) {
    if (isHarnessError(error)) return error.code
    throw error
  }
  return 'no error'
}

const tool = (name: string): ReturnType<typeof textTool> => textTool(name, () => name)

describe('register', () => {
  it('offers a tool until its plugin goes, and announces both', async () => {
    const ctx = await withTools()
    let changes = 0
    ctx.on('tools/change', () => void changes++)
    const fiber = ctx.plugin({ name: 'p', inject: ['tools'], apply: (inner: Context) => void inner.tools.register(tool('read')) })
    await fiber
    expect([ctx.tools.list().map(({ name }) => name), (await ctx.systemPrompt.assemble()).tools, changes]).toEqual([
      ['read'],
      [{ name: 'read', description: 'The test tool read.', parameters: { type: 'object' } }],
      1,
    ])

    await fiber.dispose()

    expect([ctx.tools.list(), (await ctx.systemPrompt.assemble()).tools, changes]).toEqual([[], [], 2])
    await ctx.fiber.dispose()
  })

  it('refuses a name twice in one scope, names that providers refuse, and schemas that nobody can send', async () => {
    const ctx = await withTools(tool('read'))
    const withSchema = (parameters: unknown): (() => void) => () => void ctx.tools.register({ ...tool('x'), parameters: parameters as never })

    expect([
      codeOf(() => ctx.tools.register(tool('read'))),
      codeOf(() => ctx.tools.register(tool('read file'))),
      codeOf(() => ctx.tools.register(tool(''))),
      codeOf(() => ctx.tools.register(tool('x'.repeat(65)))),
      codeOf(withSchema({ type: 'string' })),
      codeOf(withSchema({ type: 'object', properties: { a: { default: undefined } } })),
    ]).toEqual(['DUPLICATE_TOOL', 'INVALID_NAME', 'INVALID_NAME', 'INVALID_NAME', 'INVALID_SCHEMA', 'INVALID_SCHEMA'])
    await ctx.fiber.dispose()
  })

  it('in a deeper scope replaces the outer tool there and nowhere else', async () => {
    const ctx = await withTools(textTool('who', () => 'outer'))
    const inner = extendScope(ctx, 'inner')
    inner.tools.register(textTool('who', () => 'inner'))
    inner.tools.register(tool('only-inner'))
    const sibling = extendScope(ctx, 'sibling')
    const names = (at: Context): string[] => ctx.tools.list(scopeOf(at)).map(({ name }) => name)
    const whoIn = async (at: Context): Promise<string> => shown(await ctx.tools.execute({ ...callOf('who'), agent: { scope: scopeOf(at) } as never }))

    expect([names(ctx), names(inner), names(sibling)]).toEqual([['who'], ['only-inner', 'who'], ['who']])
    expect([await whoIn(inner), await whoIn(sibling)]).toEqual(['inner', 'outer'])
    await ctx.fiber.dispose()
  })
})

describe('a tool that is not there', () => {
  it.each([
    ['Read', 'there is no tool "Read"; did you mean "read"? Available: read, write'],
    ['functions.read', 'there is no tool "functions.read"; did you mean "read"? Available: read, write'],
    ['read ', 'there is no tool "read "; did you mean "read"? Available: read, write'],
    ['', 'there is no tool ""; Available: read, write'],
    ['launch_rocket', 'there is no tool "launch_rocket"; Available: read, write'],
  ])('named %j is answered with the names that exist', async (name, expected) => {
    const ctx = await withTools(tool('read'), tool('write'))

    expect(shown(await ctx.tools.execute(callOf(name)))).toBe(`! Error: ${expected} [UNKNOWN_TOOL]`)
    await ctx.fiber.dispose()
  })

  it('in the request is refused even if it is registered', async () => {
    const ctx = await withTools(tool('read'), tool('secret'))

    expect(shown(await ctx.tools.execute(callOf('secret'), new Set(['read'])))).toBe('! Error: there is no tool "secret"; Available: read [UNKNOWN_TOOL]')
    expect(shown(await ctx.tools.execute(callOf('read'), new Set(['read'])))).toBe('read')
    await ctx.fiber.dispose()
  })
})

describe('concurrencyOf', () => {
  it('is exclusive unless the tool says otherwise and can', async () => {
    const run = (): string => ''
    const ctx = await withTools(
      textTool('silent', run),
      textTool('reader', run, { concurrency: 'parallel' }),
      textTool('depends', run, { concurrency: args => (args['force'] === true ? 'exclusive' : 'parallel') }),
      textTool('broken', run, {
        concurrency: () => {
          throw new Error('boom')
        },
      }),
    )
    const log = captureLog(ctx)
    const of = (name: string, args = {}): string => ctx.tools.concurrencyOf({ name, arguments: args })

    expect([of('silent'), of('reader'), of('depends'), of('depends', { force: true }), of('broken'), of('unknown')]).toEqual(['exclusive', 'parallel', 'parallel', 'exclusive', 'exclusive', 'exclusive'])
    expect(log.map(({ text }) => text)).toEqual(['the tool broken cannot tell whether it may run in parallel: Error: boom'])
    await ctx.fiber.dispose()
  })
})
