import { call, hang, reply, textTool } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'
import { askFirst } from './ask-first.ts'
import { openDoor, type Parsed } from './door.ts'

const look = textTool('look', () => 'seen')
const TEXT = [{ type: 'block-start', index: 0, blockType: 'text' }, { type: 'text-delta', index: 0, text: 'Half' }] as never[]
const output = { format: 'stream-json', inputFormat: 'stream-json' } as const
const user = (content: unknown): object => ({ type: 'user', message: { role: 'user', content }, parent_tool_use_id: null, session_id: '' })
const request = (id: string, subtype: string, rest: object = {}): object => ({ type: 'control_request', request_id: id, request: { subtype, ...rest } })
const brief = ({ type, subtype, message, event }: Parsed): string => [type, subtype, message?.content?.[0]?.type, event?.type].filter(Boolean).join(' ')

it('writes messages and one result', async () => {
  await using door = await openDoor({ model: [call('look', { at: 'x' }, { text: 'I look.' }), reply('Done.')], tools: [look], request: { prompt: 'go' }, output: { format: 'stream-json' } })
  expect(await door.code).toBe(0)
  expect(door.lines().map(brief)).toEqual(['system init', 'assistant text', 'user tool_result', 'assistant text', 'result success'])
  expect(door.lines()[1]?.['message'].content[1]).toMatchObject({ type: 'tool_use', name: 'look', input: { at: 'x' } })
  expect(door.lines().at(-1)).toMatchObject({ is_error: false, result: 'Done.', num_turns: 2, stop_reason: 'end_turn', usage: { input_tokens: 20, output_tokens: 10 } })
})

it('writes the pieces of messages when they are asked for', async () => {
  await using door = await openDoor({ model: [call('look', { at: 'x' }, { text: 'I look.' }), reply('Done.')], tools: [look], request: { prompt: 'go' }, output: { format: 'stream-json', includePartialMessages: true } })
  await door.code
  const pieces = door.lines().filter(({ type }) => type === 'stream_event').map(({ event }) => event)
  expect(pieces.map(({ type }) => type).join(' ')).toBe('message_start content_block_start content_block_delta content_block_stop content_block_start content_block_delta content_block_stop message_delta message_stop message_start content_block_start content_block_delta content_block_stop message_delta message_stop')
  expect(pieces.filter(({ type }) => type === 'content_block_start').map(({ content_block: block }) => block)).toMatchObject([{ type: 'text' }, { type: 'tool_use', name: 'look' }, { type: 'text' }])
  expect(pieces.filter(({ delta }) => delta?.type === 'input_json_delta').map(({ delta }) => delta.partial_json).join('')).toBe('{"at":"x"}')
})

it('writes a result for each message', async () => {
  await using door = await openDoor({ model: [reply('One.'), reply('Two.')], output })
  door.say(user('first'), user([{ type: 'text', text: 'second' }]))
  door.stdin.end()
  expect(await door.code).toBe(0)
  expect(door.lines().filter(({ type }) => type === 'result').map(({ result, num_turns: turns }) => [result, turns])).toEqual([['One.', 1], ['Two.', 1]])
  expect(door.lines().at(-1)?.type).toBe('result')
})

it('answers control requests under their id', async () => {
  await using door = await openDoor({ model: [hang(TEXT), reply('Two.')], output })
  door.host.ctx.get('approval')?.registerMode({ name: 'read-only', description: 'a test' })
  door.say(request('a', 'initialize'), request('b', 'set_model', { model: 'script' }), request('c', 'set_permission_mode', { mode: 'plan' }), request('d', 'set_permission_mode', { mode: 'auto' }), request('e', 'rewind_files'), user('first'))
  await door.saw(({ type }) => type === 'control_response')
  while (!door.logged.some(event => JSON.stringify(event).includes('"Half"'))) await new Promise(resolve => setTimeout(resolve, 5))
  door.say(request('f', 'interrupt'), user('second'))
  door.stdin.end()
  expect(await door.code).toBe(0)
  const responses = door.lines().filter(({ type }) => type === 'control_response').map(({ response }) => [response.request_id, response.subtype])
  expect(responses).toEqual([['a', 'success'], ['b', 'success'], ['c', 'success'], ['d', 'error'], ['e', 'error'], ['f', 'success']])
  expect(door.lines().filter(({ type }) => type === 'result').map(({ subtype, is_error: isError, result }) => [subtype, isError, result])).toEqual([['error_during_execution', true, 'Half'], ['success', false, 'Two.']])
})

it('asks by can_use_tool, and takes the answer by its id', async () => {
  await using door = await openDoor({ model: [call('look', { at: 'x' }), call('look', { at: 'y' }), call('look', { at: 'z' }), reply('Done.')], tools: [look], plugins: [askFirst], output })
  door.say(user('go'))
  const answer = async (at: string, response: object): Promise<Parsed> => {
    const asked = await door.saw(({ type, request: asks }) => type === 'control_request' && asks.input.at === at)
    door.say({ type: 'control_response', response: { subtype: 'success', request_id: asked['request_id'], response } })
    return asked
  }
  const first = await answer('x', { behavior: 'allow', updatedInput: { at: 'x' } })
  expect(first['request']).toEqual({ subtype: 'can_use_tool', tool_name: 'look', input: { at: 'x' }, permission_suggestions: [{ type: 'addRules', rules: [{ toolName: 'look', ruleContent: 'here' }], behavior: 'allow', destination: 'session' }], tool_use_id: expect.any(String), decision_reason: 'it may change something' })
  await answer('y', { behavior: 'deny', message: 'not that' })
  await answer('z', { behavior: 'allow', updatedInput: { at: 'elsewhere' } })
  door.stdin.end()
  await door.code
  expect(door.lines().filter(({ type }) => type === 'user').map(({ message }) => message.content[0].content[0].text)).toEqual(['seen', 'Error: refused: not that', 'Error: refused: the answer was not understood'])
  expect(door.lines().filter(({ subtype }) => subtype === 'error')).toMatchObject([{ code: 'BAD_ANSWER', message: expect.stringContaining('updatedInput') }])
})

it('withdraws a question when the turn is interrupted, and a late answer reaches nobody', async () => {
  await using door = await openDoor({ model: [call('look', { at: 'x' }), reply('Done.')], tools: [look], plugins: [askFirst], output })
  door.say(user('go'))
  const asked = await door.saw(({ type }) => type === 'control_request')
  door.say(request('stop', 'interrupt'))
  await door.saw(({ type }) => type === 'control_cancel_request')
  door.say({ type: 'control_response', response: { subtype: 'success', request_id: asked['request_id'], response: { behavior: 'allow' } } })
  await door.saw(({ subtype, code }) => subtype === 'error' && code === 'UNKNOWN_ID')
  door.stdin.end()
  expect(await door.code).toBe(130)
  expect(door.lines().at(-1)).toMatchObject({ type: 'result', subtype: 'error_during_execution' })
  expect(door.raw()).not.toContain('seen')
})

it('ends with a result when the input holds no message', async () => {
  await using door = await openDoor({ output })
  door.say(request('a', 'initialize'))
  door.stdin.end()
  expect(await door.code).toBe(2)
  expect(door.lines().map(({ type }) => type)).toEqual(['system', 'control_response', 'result'])
})
