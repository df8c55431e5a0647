import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'
import { toJsonSchema } from '@deepseek-ai/dsh-tools'
import { textTool } from '@deepseek-ai/dsh-testkit'
import { callOf, shown, withTools } from './pipeline.ts'

const parameters = toJsonSchema({
  path: { type: 'string', required: true },
  limit: { type: 'integer', minimum: 1 },
  ratio: { type: 'number' },
  hidden: { type: 'boolean' },
  mode: { type: 'string', enum: ['fast', 'slow'] },
  tags: { type: 'array', items: { type: 'string' } },
  edits: { type: 'array', minItems: 1, items: { type: 'object', properties: { old: { type: 'string', required: true }, count: { type: 'integer' } } } },
})

/** What the body receives, or what the model is told. */
async function received(args: JsonObject): Promise<unknown> {
  let seen: JsonObject | undefined
  const ctx = await withTools(textTool('t', given => {
    seen = given
    return ''
  }, { parameters }))
  const result = await ctx.tools.execute(callOf('t', args))
  await ctx.fiber.dispose()
  return seen ?? shown(result)
}

describe('arguments', () => {
  const repaired: [string, JsonObject, JsonObject][] = [
    ['numbers and booleans in quotes', { path: 'a', limit: '5', ratio: '0.5', hidden: 'true' }, { path: 'a', limit: 5, ratio: 0.5, hidden: true }],
    ['a list and an object written as text', { path: 'a', tags: '["x"]', edits: '[{"old":"b","count":"2"}]' }, { path: 'a', tags: ['x'], edits: [{ old: 'b', count: 2 }] }],
    ['null for what is optional', { path: 'a', limit: null, tags: null }, { path: 'a' }],
    ['text that looks like a number where text is wanted: not at all', { path: '5' }, { path: '5' }],
  ]
  it.each(repaired)('are repaired: %s', async (_what, args, expected) => {
    expect(await received(args)).toEqual(expected)
  })

  it('stay text where text is one of several types', async () => {
    let seen: JsonObject | undefined
    const ctx = await withTools(textTool('t', given => {
      seen = given
      return ''
    }, { parameters: { type: 'object', properties: { id: { type: ['string', 'integer'] } } } }))
    await ctx.tools.execute(callOf('t', { id: '007' }))
    await ctx.tools.execute(callOf('t', { id: '7' }))

    expect(seen).toEqual({ id: '7' })
    await ctx.fiber.dispose()
  })

  const refused: [JsonObject, string][] = [
    [{}, '"path" is required'],
    [{ path: null }, 'path: Instance type "null" is invalid. Expected "string".'],
    [{ path: 'a', limt: 3 }, 'there is no parameter "limt"; did you mean "limit"?'],
    [JSON.parse('{"path":"a","__proto__":{"b":1}}') as JsonObject, 'there is no parameter "__proto__"; known: path, limit, ratio, hidden, mode, tags, edits'],
    [{ path: 'a', limit: 'many' }, 'limit: Instance type "string" is invalid. Expected "integer".'],
    [{ path: 'a', limit: 0 }, 'limit: 0 is less than 1.'],
    [{ path: 'a', mode: 'warp' }, 'mode: Instance does not match any of ["fast","slow"].'],
    [{ path: 'a', edits: [{ old: 'x' }, { new: 'y' }] }, 'edits[1]: Instance does not have required property "old".; edits[1]: Property "new" does not match additional properties schema.; edits[1].new: False boolean schema.'],
  ]
  it.each(refused)('%j are refused in words', async (args, expected) => {
    expect(await received(args)).toBe(`! Error: invalid arguments for t: ${expected} [INVALID_ARGS]`)
  })

  it('that fit are never changed', async () => {
    const fitting = fc.record(
      {
        path: fc.string(),
        limit: fc.integer({ min: 1 }),
        ratio: fc.double({ noNaN: true, noDefaultInfinity: true }).map(value => value + 0),
        hidden: fc.boolean(),
        tags: fc.array(fc.string()),
        edits: fc.array(fc.record({ old: fc.string(), count: fc.integer() }, { requiredKeys: ['old'], noNullPrototype: true }), { minLength: 1 }),
      },
      { requiredKeys: ['path'], noNullPrototype: true },
    )
    let seen: JsonValue | undefined
    const ctx = await withTools(textTool('t', given => {
      seen = given
      return ''
    }, { parameters }))
    await fc.assert(
      fc.asyncProperty(fitting, async args => {
        seen = undefined
        await ctx.tools.execute(callOf('t', args as JsonObject))
        expect(seen).toEqual(args)
      }),
      { numRuns: 100 },
    )
    await ctx.fiber.dispose()
  })
})
