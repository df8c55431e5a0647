import { describe, expect, it } from 'vitest'
import type { PostToolDecision, PreToolDecision, ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import { defineTool, text } from '@deepseek-ai/dsh-tools'
import { textTool } from '@deepseek-ai/dsh-testkit'
import { callOf, shown, withTools } from './pipeline.ts'

const echo = defineTool({
  name: 'echo',
  description: 'Says it again.',
  parameters: { say: { type: 'string', required: true }, times: { type: 'integer', minimum: 1 } },
  execute: async ({ say, times = 1 }) => [text(say.repeat(times))],
})

describe('pre-execute', () => {
  const cases: [PreToolDecision, string][] = [
    [{ kind: 'allow' }, 'hi'],
    [{ kind: 'allow', arguments: { say: 'ho', times: '2' } }, 'hoho'],
    [{ kind: 'allow', arguments: { shout: 'ho' } }, '! Error: invalid arguments for echo: "say" is required; there is no parameter "shout"; known: say, times [INVALID_ARGS]'],
    [{ kind: 'deny', reason: 'not today' }, '! Error: not today [DENIED]'],
    [{ kind: 'deny', reason: 'a rule', code: 'RULE' }, '! Error: a rule [RULE]'],
    [{ kind: 'ask', reason: 'it deletes' }, '! Error: this call needs a permission that nobody here can give: it deletes [PERMISSION_REQUIRED]'],
    [undefined as never, "! Error: Cannot read properties of undefined (reading 'kind')"],
  ]
  it.each(cases)('turns %j into a result', async (decision, expected) => {
    const ctx = await withTools(echo)
    ctx.on('tools/pre-execute', async () => decision)

    expect(shown(await ctx.tools.execute(callOf('echo', { say: 'hi' })))).toBe(expected)
    await ctx.fiber.dispose()
  })

  it('is not asked about arguments that do not fit', async () => {
    const ctx = await withTools(echo)
    let asked = 0
    ctx.on('tools/pre-execute', async (_call, _tool, next) => {
      asked++
      return await next()
    })

    expect(shown(await ctx.tools.execute(callOf('echo', { say: 'hi', times: 0 })))).toBe('! Error: invalid arguments for echo: times: 0 is less than 1. [INVALID_ARGS]')
    expect(asked).toBe(0)
    await ctx.fiber.dispose()
  })

  it('sees arguments that are repaired already', async () => {
    const ctx = await withTools(echo)
    const seen: unknown[] = []
    ctx.on('tools/pre-execute', async (call, _tool, next) => {
      seen.push(call.arguments)
      return await next()
    })

    await ctx.tools.execute(callOf('echo', { say: 'hi', times: '3' }))

    expect(seen).toEqual([{ say: 'hi', times: 3 }])
    await ctx.fiber.dispose()
  })

  it('that throws means an error result, not a call', async () => {
    let ran = false
    const ctx = await withTools(textTool('t', () => {
      ran = true
      return ''
    }))
    ctx.on('tools/pre-execute', async () => {
      throw new Error('policy is broken')
    })

    expect(shown(await ctx.tools.execute(callOf('t')))).toBe('! Error: policy is broken')
    expect(ran).toBe(false)
    await ctx.fiber.dispose()
  })

  it('that takes until after the cancel keeps the body from starting', async () => {
    const abort = new AbortController()
    let ran = false
    const ctx = await withTools(textTool('t', () => {
      ran = true
      return ''
    }))
    ctx.on('tools/pre-execute', async (_call, _tool, next) => {
      abort.abort(new Error('stop'))
      return await next()
    })

    expect(shown(await ctx.tools.execute(callOf('t', {}, abort.signal)))).toBe('! Error: this call was cancelled before it started; it had no effect [ABORTED]')
    expect(ran).toBe(false)
    await ctx.fiber.dispose()
  })
})

describe('execute', () => {
  it('wraps the body: a cache answers in its place, under the id of this call', async () => {
    let ran = 0
    const ctx = await withTools(textTool('t', () => `run ${++ran}`))
    let kept: ToolExecutionResult | undefined
    ctx.on('tools/execute', async (_call, _tool, next) => (kept ??= await next()))

    await ctx.tools.execute(callOf('t'))
    const second = await ctx.tools.execute({ ...callOf('t'), callId: 'c2' })

    expect([shown(second), second.callId]).toEqual(['run 1', 'c2'])
    await ctx.fiber.dispose()
  })

  it('makes an error result of whatever the body throws, with its code', async () => {
    const ctx = await withTools(
      textTool('plain', () => {
        throw new Error('no disk', { cause: new Error('EIO') })
      }),
      textTool('text', () => {
        throw 'just text'
      }),
      textTool('coded', () => {
        throw Object.assign(new Error('gone'), { code: 'FS_NOT_FOUND' })
      }),
    )

    const results = await Promise.all(['plain', 'text', 'coded'].map(async name => shown(await ctx.tools.execute(callOf(name)))))
    expect(results).toEqual(['! Error: no disk: EIO', '! Error: just text', '! Error: gone [FS_NOT_FOUND]'])
    await ctx.fiber.dispose()
  })

  it('tells a body that was cancelled from one that failed', async () => {
    const abort = new AbortController()
    const ctx = await withTools(textTool('t', (_args, { signal }) => {
      abort.abort(new Error('stop'))
      throw signal.reason
    }))

    expect(shown(await ctx.tools.execute(callOf('t', {}, abort.signal)))).toBe('! Error: this call was cancelled; it may have had effects already [ABORTED]')
    await ctx.fiber.dispose()
  })

  it('does not suspect effects of a call that was cancelled while it waited for a decision', async () => {
    const abort = new AbortController()
    const ctx = await withTools(textTool('t', () => 'done'))
    ctx.on('tools/pre-execute', async () => {
      abort.abort(new Error('stop'))
      throw abort.signal.reason
    })

    expect(shown(await ctx.tools.execute(callOf('t', {}, abort.signal)))).toBe('! Error: this call was cancelled before it started; it had no effect [ABORTED]')
    await ctx.fiber.dispose()
  })

  it.each([
    ['nothing', undefined, '! Error: the tool t returned undefined instead of a result [INVALID_RESULT]'],
    ['null', null, '! Error: the tool t returned null instead of a result [INVALID_RESULT]'],
    ['what is no block', [null], '! Error: the tool t returned what cannot be logged: result.content is not a list of blocks [INVALID_RESULT]'],
    ['a text block without text', [{ type: 'text' }], '! Error: the tool t returned what cannot be logged: result.content is not a list of blocks [INVALID_RESULT]'],
    ['a string', { content: 'text' }, '! Error: the tool t returned what cannot be logged: result.content is not a list of blocks [INVALID_RESULT]'],
    ['a map', { content: [], meta: new Map() }, '! Error: the tool t returned what cannot be logged: result.meta is an instance of Map [INVALID_RESULT]'],
  ])('refuses a body that returns %s', async (_what, returned, expected) => {
    const ctx = await withTools({ name: 't', description: '', parameters: { type: 'object' }, execute: async () => returned as never })

    expect(shown(await ctx.tools.execute(callOf('t')))).toBe(expected)
    await ctx.fiber.dispose()
  })

  it('keeps meta and the error flag of the body', async () => {
    const ctx = await withTools({ name: 't', description: '', parameters: { type: 'object' }, execute: async () => ({ content: [text('x')], isError: true, meta: { exitCode: 1 } }) })

    expect(await ctx.tools.execute(callOf('t'))).toEqual({ callId: 'c1', content: [text('x')], isError: true, meta: { exitCode: 1 } })
    await ctx.fiber.dispose()
  })

  it('cuts long texts in the middle, also those that a listener puts in', async () => {
    const ctx = await withTools(textTool('t', () => 'a'.repeat(300_000)))
    const own = shown(await ctx.tools.execute(callOf('t')))
    ctx.on('tools/post-execute', async () => ({ kind: 'accept', content: [text('b'.repeat(300_000))] }))
    const replaced = shown(await ctx.tools.execute(callOf('t')))

    expect([own.length, replaced.length].map(length => length < 200_100)).toEqual([true, true])
    expect(own).toMatch(/^a+\n… \d+ characters left out …\na+$/)
    expect(replaced).toMatch(/^b+\n… \d+ characters left out …\nb+$/)
    await ctx.fiber.dispose()
  })
})

describe('post-execute', () => {
  const note = { content: [text('mind the gap')], source: { kind: 'plugin' as const, plugin: 'p' } }
  const cases: [PostToolDecision, Partial<ToolExecutionResult>][] = [
    [{ kind: 'accept' }, { content: [text('out')], isError: false, meta: { n: 1 } }],
    [{ kind: 'accept', content: [text('better')], additionalContext: note }, { content: [text('better')], isError: false, meta: { n: 1 }, additionalContext: [note] }],
    [{ kind: 'block', feedback: [text('no')] }, { content: [text('no')], isError: true }],
    [{ kind: 'block', feedback: [text('no')], additionalContext: note }, { content: [text('no')], isError: true, additionalContext: [note] }],
  ]
  it.each(cases)('%j decides what the model reads', async (decision, expected) => {
    const ctx = await withTools({ name: 't', description: '', parameters: { type: 'object' }, execute: async () => ({ content: [text('out')], meta: { n: 1 } }) })
    ctx.on('tools/post-execute', async (_call, result) => {
      // What is done to the result itself does not count.
      result.content.length = 0
      return decision
    })

    expect(await ctx.tools.execute(callOf('t'))).toEqual({ callId: 'c1', ...expected })
    await ctx.fiber.dispose()
  })

  it('sees denials, and collects the context of every listener', async () => {
    const ctx = await withTools(echo)
    const seen: string[] = []
    ctx.on('tools/pre-execute', async () => ({ kind: 'deny', reason: 'no' }))
    ctx.on('tools/post-execute', async (_call, result, next) => {
      seen.push(shown(result))
      return await next()
    })

    await ctx.tools.execute(callOf('echo', { say: 'hi' }))

    expect(seen).toEqual(['! Error: no [DENIED]'])
    await ctx.fiber.dispose()
  })

  it('that throws makes an error result', async () => {
    const ctx = await withTools(textTool('t', () => 'fine'))
    ctx.on('tools/post-execute', async () => {
      throw new Error('judge is ill')
    })

    expect(shown(await ctx.tools.execute(callOf('t')))).toBe('! Error: judge is ill')
    await ctx.fiber.dispose()
  })
})
