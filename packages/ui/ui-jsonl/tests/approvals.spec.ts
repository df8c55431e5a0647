import { call, reply, textTool } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'
import { NativeInput } from '../src/native-input.ts'
import type { ScriptHost } from '../src/types.ts'
import { askFirst } from './ask-first.ts'
import { openDoor } from './door.ts'

const output = { inputFormat: 'jsonl' } as const
const look = textTool('look', () => 'seen')

it('asks with the exact call, and the answer counts for the scope it names', async () => {
  await using door = await openDoor({ model: [call('look', { at: 'x' }, { id: 'c1' }), reply('Done.')], tools: [look], plugins: [askFirst], output })
  door.say({ type: 'user', text: 'go' })
  const asked = await door.saw(({ type }) => type === 'approval_request')
  expect(asked).toEqual({ type: 'approval_request', id: 'c1#1', tool: 'look', arguments: { at: 'x' }, reason: 'it may change something', remember: ['look(here)'], scopes: ['once', 'turn', 'session', 'project'], session_id: expect.any(String) })
  door.say({ type: 'approval', id: 'c1#1', decision: 'allow', scope: 'session' })
  door.stdin.end()
  expect(await door.code).toBe(0)
  expect(door.lines().filter(({ type }) => type === 'approval/decided').map(({ data }) => data)).toEqual([{ id: 'c1#1', answer: { kind: 'allow', scope: 'session' } }])
})

it.each([
  ['a no with words', { decision: 'deny', reason: 'not here' }, 'refused: not here', []],
  ['a decision that is none', { decision: 'always' }, 'refused: the answer was not understood', ['BAD_ANSWER']],
  ['a scope that is none', { decision: 'allow', scope: 'for ever' }, 'refused: the answer was not understood', ['BAD_ANSWER']],
] as const)('runs nothing after %s', async (_what, answer, text, errors) => {
  let runs = 0
  await using door = await openDoor({ model: [call('look', {}, { id: 'c1' }), reply('Done.')], tools: [textTool('look', () => `${++runs}`)], plugins: [askFirst], output })
  door.say({ type: 'user', text: 'go' })
  await door.saw(({ type }) => type === 'approval_request')
  door.say({ type: 'approval', id: 'c1#1', ...answer })
  door.stdin.end()
  await door.code
  expect(runs).toBe(0)
  expect(door.lines().find(({ type }) => type === 'tool/result')?.['data'].content[0].text).toBe(`Error: ${text}`)
  expect(door.lines().filter(({ type }) => type === 'error').map(({ code }) => code)).toEqual(errors)
})

it('takes no answer for another question, twice, or late', async () => {
  await using door = await openDoor({ model: [call('look', {}, { id: 'c1' }), call('look', {}, { id: 'c2' }), reply('Done.')], tools: [look], plugins: [askFirst], output })
  door.say({ type: 'approval', id: 'c1#1', decision: 'allow' }, { type: 'user', text: 'go' })
  await door.saw(({ type, id }) => type === 'approval_request' && id === 'c1#1')
  door.say({ type: 'answer', id: 'c1#1', answers: [] }, { type: 'approval', id: 'c2#2', decision: 'allow' }, { type: 'approval', id: 'c1#1', decision: 'allow' }, { type: 'approval', id: 'c1#1', decision: 'allow' })
  await door.saw(({ type, id }) => type === 'approval_request' && id === 'c2#2')
  door.say({ type: 'cancel' })
  await door.saw(({ type, data }) => type === 'turn/end' && data.reason.kind === 'aborted')
  door.say({ type: 'approval', id: 'c2#2', decision: 'allow' })
  door.stdin.end()
  expect(await door.code).toBe(130)
  expect(door.lines().filter(({ type }) => type === 'error').map(({ code, line }) => [code, line])).toEqual([['UNKNOWN_ID', 1], ['UNKNOWN_ID', 3], ['UNKNOWN_ID', 4], ['UNKNOWN_ID', 6], ['UNKNOWN_ID', 8]])
  expect(door.lines().filter(({ type }) => type === 'tool/result').map(({ data }) => data.content[0].text)).toEqual(['seen', expect.stringContaining('cancelled')])
})

it('refuses what is open, and what is asked later, when the input ends', async () => {
  await using door = await openDoor({ model: [call('look'), call('look'), reply('Done.')], tools: [look], plugins: [askFirst], output })
  door.say({ type: 'user', text: 'go' })
  await door.saw(({ type }) => type === 'approval_request')
  door.stdin.end()
  expect(await door.code).toBe(5)
  expect(door.lines().filter(({ type }) => type === 'approval_request')).toHaveLength(1)
  expect(door.lines().at(-1)).toMatchObject({ exit_code: 5, permission_denials: [{ tool: 'look' }, { tool: 'look' }] })
})

it('pairs answers with questions of several sessions, whatever their order', async () => {
  const input = new NativeInput()
  const written: unknown[] = []
  const host = { write: (line: unknown) => void written.push(line) } as unknown as ScriptHost
  const { signal } = new AbortController()
  const question = (id: string): never => ({ id, agent: { session: { id: 's' } }, callId: id, tool: 'look', arguments: {}, remember: [], scopes: ['once'] }) as never
  const answerer = input.answerer(host)
  const both = Promise.all([answerer.approve(question('a'), signal), answerer.approve(question('b'), signal)])
  input.take({ type: 'approval', id: 'b', decision: 'deny', reason: 'b' }, host)
  input.take({ type: 'approval', id: 'a', decision: 'allow' }, host)
  expect(await both).toEqual([{ kind: 'allow', scope: 'once' }, { kind: 'deny', reason: 'b' }])
  expect(written).toHaveLength(2)
})

it('puts the questions of the model, and takes answers or a refusal', async () => {
  const input = new NativeInput()
  const written: { id?: string }[] = []
  const host = { write: (line: object) => void written.push(line) } as unknown as ScriptHost
  const { signal } = new AbortController()
  const inquiry = (id: string): never => ({ id, agent: { session: { id: 's' } }, callId: id, questions: [{ question: 'Which?', options: ['a', 'b'] }, { question: 'Why?' }] }) as never
  const answerer = input.answerer(host)
  const answers = Promise.all(['i', 'j', 'k'].map(async id => await answerer.inquire?.(inquiry(id), signal)))
  input.take({ type: 'answer', id: 'i', answers: [['a'], 'because'] }, host)
  input.take({ type: 'answer', id: 'j', declined: true, reason: 'busy' }, host)
  expect(() => input.take({ type: 'answer', id: 'k', answers: [['a']] }, host)).toThrow('"answers" has to hold 2 lists')
  expect(await answers).toEqual([{ kind: 'answered', answers: [['a'], ['because']] }, { kind: 'declined', reason: 'busy' }, { kind: 'declined', reason: 'the answer was not understood' }])
  expect(written[0]).toEqual({ type: 'inquiry_request', id: 'i', questions: [{ question: 'Which?', options: ['a', 'b'] }, { question: 'Why?' }], session_id: 's' })
})
