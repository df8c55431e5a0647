import { describe, expect, it } from 'vitest'
import { RequestValidator } from '../src/index.ts'
import type { Rules } from '../src/index.ts'

type Json = Record<string, unknown>

const USER = { role: 'user', content: 'hi' }
const call = (id: string, args = '{}', name = 'bash'): Json => ({ id, type: 'function', function: { name, arguments: args } })
const calling = (...calls: Json[]): Json => ({ role: 'assistant', content: null, tool_calls: calls })
const result = (id: string, content = 'ok'): Json => ({ role: 'tool', tool_call_id: id, content })
const tool = (name: string, parameters: unknown = { type: 'object', properties: {} }, more: Json = {}): Json => ({ type: 'function', function: { name, description: 'd', parameters, ...more } })

function check(body: Json | string | Buffer, rules: Rules = {}): string | undefined {
  const bytes = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  return new RequestValidator(rules).check(bytes)?.message
}

function messages(...list: Json[]): Json {
  return { model: 'm', messages: list }
}

describe('RequestValidator', () => {
  it('accepts a conversation with parallel calls, reasoning, options and tools', () => {
    const body = {
      ...messages({ role: 'system', content: 's' }, USER, { ...calling(call('a'), call('b', '{"x":1}')), reasoning_content: '' }, result('b'), result('a'), { role: 'assistant', content: 'done' }, USER),
      stream: true,
      stream_options: { include_usage: true },
      thinking: { type: 'enabled' },
      tools: [tool('bash', { type: 'object', properties: { a: { type: 'array', items: { type: 'string', enum: ['x'] } }, b: { anyOf: [{ type: 'integer' }, { type: 'null' }] } }, required: ['a'], additionalProperties: false })],
    }
    expect(check(body, { reasoning: 'A' })).toBeUndefined()
  })

  it.each<[string, Json | string | Buffer, string]>([
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0xff]), 'not valid UTF-8'],
    ['text that is no JSON', '{"model":', 'not valid JSON'],
    ['an array', '[]', 'must be an object'],
    ['half a surrogate pair', '{"model":"m","messages":[{"role":"user","content":"\\ud83d"}]}', 'half a surrogate pair'],
    ['no model', { messages: [USER] }, 'model is missing'],
    ['no messages', { model: 'm', messages: [] }, 'non-empty array'],
    ['an unknown role', messages({ role: 'developer', content: 'x' }), 'messages[0].role "developer"'],
    ['an empty content', messages({ role: 'user', content: '' }), 'messages[0].content must not be empty'],
    ['an assistant message of nothing', messages(USER, { role: 'assistant', content: '' }), 'needs content or tool_calls'],
    ['an assistant message at the end', messages(USER, { role: 'assistant', content: 'x' }), 'must not be an assistant message'],
    ['a call without a result', messages(USER, calling(call('a')), USER), 'no result for "a"'],
    ['a call without a result at the end', messages(USER, calling(call('a'), call('b')), result('a')), 'missing: "b"'],
    ['a result without a call', messages(USER, result('a')), 'no open call "a"'],
    ['two results for one call', messages(USER, calling(call('a')), result('a'), result('a')), 'has two results'],
    ['a result behind a user message', messages(USER, calling(call('a')), USER, result('a')), 'no result for "a"'],
    ['an illegal id', messages(USER, calling(call('a:b')), result('a:b')), 'does not match'],
    ['an id used twice', messages(USER, calling(call('a')), result('a'), calling(call('a')), result('a')), 'is used twice'],
    ['an illegal name', messages(USER, calling(call('a', '{}', 'functions.bash')), result('a')), 'functions.bash'],
    ['cut arguments', messages(USER, calling(call('a', '{"x":')), result('a')), 'not a JSON object'],
    ['half a character behind an escape of the arguments', messages(USER, calling(call('a', '{"x":["\\ud83d"]}')), result('a')), 'half a surrogate pair'],
    ['arguments that are a list', messages(USER, calling(call('a', '[]')), result('a')), 'not a JSON object'],
    ['an image', messages({ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }), 'expected "text"'],
    ['options of a stream that is none', { ...messages(USER), stream_options: { include_usage: true } }, 'only allowed when stream is true'],
    ['a tool twice', { ...messages(USER), tools: [tool('a'), tool('a')] }, 'declared twice'],
    ['an illegal tool name', { ...messages(USER), tools: [tool('a.b')] }, 'does not match'],
    ['a schema that is no object', { ...messages(USER), tools: [tool('a', { type: 'string' })] }, 'whose type is "object"'],
    ['an unsupported keyword', { ...messages(USER), tools: [tool('a', { type: 'object', properties: { x: { oneOf: [] } } })] }, 'parameters.properties.x uses the unsupported keyword "oneOf"'],
    ['a list of types', { ...messages(USER), tools: [tool('a', { type: 'object', properties: { x: { type: ['string', 'null'] } } })] }, 'is not one JSON type'],
    ['an array without items', { ...messages(USER), tools: [tool('a', { type: 'object', properties: { x: { type: 'array' } } })] }, 'without items'],
    ['a required key that does not exist', { ...messages(USER), tools: [tool('a', { type: 'object', properties: {}, required: ['x'] })] }, 'not a property'],
    ['a strict tool with optional keys', { ...messages(USER), tools: [tool('a', { type: 'object', properties: { x: { type: 'string' } }, additionalProperties: false }, { strict: true })] }, 'is strict'],
  ])('refuses %s', (_name, body, expected) => {
    expect(check(body)).toContain(expected)
  })

  it('demands reasoning, forbids it, or does not care', () => {
    const without = messages(USER, calling(call('a')), result('a'))
    const withIt = messages(USER, { ...calling(call('a')), reasoning_content: 'r' }, result('a'))
    expect([check(without, { reasoning: 'A' }), check(withIt, { reasoning: 'A' })]).toEqual([expect.stringContaining('must be passed back'), undefined])
    expect([check(without, { reasoning: 'B' }), check(withIt, { reasoning: 'B' })]).toEqual([undefined, expect.stringContaining('must not be passed')])
    expect([check(without), check(withIt)]).toEqual([undefined, undefined])
  })

  it('knows the size of its window and of its body', () => {
    const body = Buffer.from(JSON.stringify(messages({ role: 'user', content: 'x'.repeat(4000) })))
    expect(new RequestValidator({ contextTokens: 500 }).check(body)).toMatchObject({ status: 400, code: 'context_length_exceeded' })
    expect(new RequestValidator({ maxBodyBytes: 100 }).check(body)).toMatchObject({ status: 413 })
  })

  it('finds in what was added what it would find in the whole', () => {
    const validator = new RequestValidator()
    const list = [USER, calling(call('a')), result('a')]
    const body = (...added: Json[]): Buffer => Buffer.from(JSON.stringify(messages(...list, ...added)))
    expect(validator.check(body(), 'c')).toBeUndefined()
    expect(validator.check(body(calling(call('b')), result('b')), 'c')).toBeUndefined()
    expect(validator.check(body(calling(call('b')), result('b'), calling(call('a')), result('a')), 'c')?.message).toContain('"a" is used twice')
    expect(validator.check(body(calling(call('b')), result('b'), USER), 'c')).toBeUndefined()
    expect(validator.check(body(calling(call('b')), result('b'), USER, { role: 'user', content: '\ud800' }), 'c')?.message).toContain('surrogate')
  })
})
