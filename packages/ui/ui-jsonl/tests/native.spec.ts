import { call, calls, fail, hang, reply, textTool } from '@deepseek-ai/dsh-testkit'
import { LlmError } from '@deepseek-ai/dsh-llm'
import { describe, expect, it } from 'vitest'
import { openDoor } from './door.ts'

const look = textTool('look', () => 'seen')
const TEXT = [{ type: 'block-start', index: 0, blockType: 'text' }, { type: 'text-delta', index: 0, text: 'Half' }] as never[]

describe('a run without input', () => {
  it('begins with the session, holds the log as it is, and ends with the result', async () => {
    await using door = await openDoor({ model: [call('look', {}, { text: 'I look.' }), reply('Done.')], tools: [look], request: { prompt: 'go' } })

    expect(await door.code).toBe(0)
    const [first, ...rest] = door.lines()
    const result = rest.pop()
    expect(first).toEqual({ type: 'session', schema: 'urn:deepseek-ai:dsh:lines:1', session_id: expect.stringMatching(/^\w{9}-\w{8}$/), cwd: process.cwd(), model: 'script', tools: ['look'], permission_mode: null, version: '0.0.0' })
    expect(rest.map(({ session_id: _, ...event }) => event)).toEqual(door.logged)
    expect(new Set(rest.map(line => line['session_id']))).toEqual(new Set([first?.['session_id']]))
    expect(result).toMatchObject({ subtype: 'success', is_error: false, result: 'Done.', stop_reason: 'completed', num_turns: 1, num_steps: 2, permission_denials: [], exit_code: 0, usage: { input_tokens: 20, output_tokens: 10 } })
  })

  it('writes only the result as json', async () => {
    await using door = await openDoor({ model: [reply('Done.')], request: { prompt: 'go' }, output: { format: 'json' } })
    expect(await door.code).toBe(0)
    expect(door.lines().map(({ type, result }) => [type, result])).toEqual([['result', 'Done.']])
  })

  it.each([
    ['a failing provider', { model: [fail(new LlmError('SERVER', 'busy'))], loop: { maxAttempts: 1 } }, 75, { subtype: 'error_provider', stop_reason: 'error', error: { code: 'SERVER', message: 'the turn failed in step 1: busy [SERVER]' } }],
    ['a refused request', { model: [fail(new LlmError('INVALID_REQUEST', 'no'))] }, 1, { subtype: 'error_during_execution', stop_reason: 'error' }],
    ['too many steps', { model: [call('look'), call('look'), call('look')], tools: [look], request: { prompt: 'go', agentOptions: { model: 'script', budget: { maxSteps: 2 } } } }, 6, { subtype: 'error_max_steps', stop_reason: 'limit', num_steps: 2 }],
    ['too much time', { model: [hang(TEXT)], request: { prompt: 'go', agentOptions: { model: 'script', budget: { deadlineMs: 50 } } } }, 3, { subtype: 'error_timeout', stop_reason: 'limit', result: 'Half' }],
  ] as const)('ends with the result after %s', async (_what, options, code, result) => {
    await using door = await openDoor({ request: { prompt: 'go' }, ...options } as never)
    expect(await door.code).toBe(code)
    expect(door.lines().at(-1)).toMatchObject({ type: 'result', is_error: true, exit_code: code, ...result })
  })

  it.each([['SIGINT', 130], ['SIGTERM', 143]] as const)('ends with the result after %s', async (signal, code) => {
    await using door = await openDoor({ model: [hang(TEXT)], request: { prompt: 'go' } })
    await door.saw(line => line['data']?.chunk?.text === 'Half')
    door.frontDoor.interrupt(signal)
    expect(await door.code).toBe(code)
    expect(door.lines().at(-1)).toMatchObject({ type: 'result', subtype: 'cancelled', is_error: true, result: 'Half', stop_reason: 'aborted', exit_code: code })
  })

  it('ends with a result also when the signal comes before the work begins', async () => {
    await using door = await openDoor({ request: { prompt: 'go' }, closed: true })
    door.frontDoor.interrupt('SIGTERM')
    door.frontDoor.open()
    expect(await door.code).toBe(143)
    expect(door.lines()).toMatchObject([{ type: 'result', subtype: 'cancelled', exit_code: 143, session_id: null }])
  })

  it('ends with a result when there is no such session', async () => {
    await using door = await openDoor({ request: { prompt: 'go', session: { start: { kind: 'resume', id: 'nowhere' }, isStored: true } } })
    expect(await door.code).toBe(4)
    expect(door.lines()).toMatchObject([{ type: 'result', subtype: 'error_session', error: { code: 'NO_STORE' }, exit_code: 4 }])
  })

  it('says how the run ended when the process ends by an error that nobody caught', async () => {
    await using door = await openDoor({ model: [hang(TEXT)], request: { prompt: 'go' } })
    await door.saw(line => line['data']?.chunk?.text === 'Half')
    await door.frontDoor.sayLastWords(new Error('boom'), 'internal error: boom')
    expect(door.lines().at(-1)).toMatchObject({ type: 'result', is_error: true, error: { message: 'internal error: boom' } })
    door.frontDoor.interrupt('SIGINT')
    await door.code
  })

  it('keeps the order of calls that overlap', async () => {
    const slow = textTool('slow', async () => { await new Promise(resolve => setTimeout(resolve, 30)); return 'slow' }, { concurrency: 'parallel' })
    const quick = textTool('quick', () => 'quick', { concurrency: 'parallel' })
    await using door = await openDoor({ model: [calls([{ name: 'slow', arguments: {} }, { name: 'quick', arguments: {} }]), reply('Done.')], tools: [slow, quick], request: { prompt: 'go' } })
    await door.code
    expect(door.lines().filter(({ type }) => type.startsWith('tool/')).map(({ type, data }) => [type, data.name ?? data.content[0].text])).toEqual([['tool/call', 'slow'], ['tool/call', 'quick'], ['tool/result', 'slow'], ['tool/result', 'quick']])
  })

  it('escapes what other readers take for the end of a line', async () => {
    await using door = await openDoor({ model: [reply('a\u2028b\u2029c')], request: { prompt: 'go' } })
    await door.code
    expect(door.raw()).not.toMatch(/[\u2028\u2029\r]/)
    expect(door.lines().at(-1)?.['result']).toBe('a\u2028b\u2029c')
  })

  it('refuses at once what needs a permission, and tells of it', async () => {
    const { askFirst } = await import('./ask-first.ts')
    await using door = await openDoor({ model: [call('look', { at: 'x' }), reply('I could not.')], tools: [look], plugins: [askFirst], request: { prompt: 'go' } })
    expect(await door.code).toBe(5)
    expect(door.lines().filter(({ type }) => type.startsWith('approval')).map(({ type }) => type)).toEqual(['approval/asked', 'approval/decided'])
    expect(door.lines().at(-1)).toMatchObject({ subtype: 'success', is_error: false, exit_code: 5, permission_denials: [{ tool: 'look', arguments: { at: 'x' }, code: 'PERMISSION_REQUIRED' }] })
  })

  it('stops the work when the reader goes', async () => {
    await using door = await openDoor({ model: [hang(TEXT)], request: { prompt: 'go' } })
    await door.saw(line => line['data']?.chunk?.text === 'Half')
    door.stdout.destroy()
    expect(await door.code).toBe(141)
  })
})

it('lets another front door answer once it is unloaded', async () => {
  await using door = await openDoor({ model: [hang(TEXT)], request: { prompt: 'go' }, output: { inputFormat: 'jsonl' } })
  await door.saw(line => line['data']?.chunk?.text === 'Half')
  expect(door.host.ctx.get('approval')?.hasAnswerer).toBe(true)
  await door.unload()
  expect(door.host.ctx.get('approval')?.hasAnswerer).toBe(false)
  const before = door.raw()
  await door.frontDoor.sayLastWords(new Error('boom'), 'boom')
  expect(door.raw()).toBe(before)
})

describe('a run with input', () => {
  const output = { inputFormat: 'jsonl' } as const

  it('takes messages until the input ends, and says with one result what came of them', async () => {
    await using door = await openDoor({ model: [reply('One.'), reply('Two.')], output })
    door.say({ type: 'user', text: 'first' })
    await door.saw(({ type }) => type === 'turn/end')
    door.say({ type: 'user', content: [{ type: 'text', text: 'second' }] })
    door.stdin.end()

    expect(await door.code).toBe(0)
    expect(door.lines().filter(({ type }) => type === 'result')).toMatchObject([{ result: 'Two.', num_turns: 2 }])
    expect(door.lines().filter(({ type }) => type === 'user/message').map(({ data }) => data.content[0].text)).toEqual(['first', 'second'])
  })

  it('finishes what is queued after the input has ended', async () => {
    await using door = await openDoor({ model: [reply('One.'), reply('Two.'), reply('Three.')], output, request: { prompt: 'zero' } })
    door.stdin.end('{"type":"user","text":"one"}\n{"type":"user","text":"two, cut at the end"}')
    expect(await door.code).toBe(0)
    expect(door.lines().filter(({ type }) => type === 'user/message').map(({ data }) => data.content[0].text)).toEqual(['zero', 'one', 'two, cut at the end'])
  })

  it('steers, cancels, and sets model and permission mode', async () => {
    await using door = await openDoor({ model: [hang(TEXT), reply('Two.')], output })
    door.host.ctx.get('approval')?.registerMode({ name: 'calm', description: 'a test' })
    door.say({ type: 'user', text: 'first' })
    await door.saw(line => line['data']?.chunk?.text === 'Half')
    door.say({ type: 'cancel' })
    await door.saw(({ type, data }) => type === 'turn/end' && data.reason.kind === 'aborted')
    door.say({ type: 'set', permission: 'calm' }, { type: 'set', permission: 'clam' }, { type: 'set', model: 'script' }, { type: 'steer', text: 'second' })
    await door.saw(({ type, data }) => type === 'turn/end' && data.turn === 2)
    door.stdin.end()
    expect(await door.code).toBe(0)
    expect(door.lines().filter(({ type }) => type === 'error' || type === 'approval/mode').map(({ data, ...line }) => data ?? [line['code'], line['line']])).toEqual([{ mode: 'calm' }, ['UNKNOWN_MODE', 4]])
    expect(door.lines().at(-1)).toMatchObject({ subtype: 'success', result: 'Two.' })
  })

  it('tells of each bad line and lives on', async () => {
    await using door = await openDoor({ model: [reply('Done.')], output, config: { maxLineBytes: 1024 } })
    door.say('{bad', '[]', '{"type":"nothing"}', '{"type":"user"}', '{"type":"user","text":" "}', '{"type":"user","text":"a","content":"b"}', `{"type":"user","text":"${'x'.repeat(2000)}"}`, '{"type":"set"}', { type: 'user', text: 'go' })
    door.stdin.end()
    expect(await door.code).toBe(0)
    expect(door.lines().filter(({ type }) => type === 'error').map(({ code, line }) => [code, line])).toEqual([['BAD_LINE', 1], ['BAD_LINE', 2], ['BAD_LINE', 3], ['BAD_LINE', 4], ['BAD_LINE', 5], ['BAD_LINE', 6], ['LINE_TOO_LONG', 7], ['BAD_LINE', 8]])
    expect(door.lines().at(-1)).toMatchObject({ type: 'result', result: 'Done.' })
  })

  it('ends with 2 when there was no message', async () => {
    await using door = await openDoor({ output })
    door.stdin.end()
    expect(await door.code).toBe(2)
    expect(door.lines().map(({ type, subtype }) => [type, subtype])).toEqual([['session', undefined], ['result', 'error_usage']])
  })

  it('takes no more turns than it may', async () => {
    await using door = await openDoor({ model: [reply('One.')], output, request: { maxTurns: 1 } })
    door.say({ type: 'user', text: 'first' })
    await door.saw(({ type }) => type === 'turn/end')
    door.say({ type: 'user', text: 'second' })
    door.stdin.end()
    expect(await door.code).toBe(6)
    expect(door.lines().at(-1)).toMatchObject({ subtype: 'error_max_turns', exit_code: 6 })
    expect(door.host.script.requests).toHaveLength(1)
  })
})
