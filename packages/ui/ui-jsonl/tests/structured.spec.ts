import { mkdirSync, readFileSync, symlinkSync, readlinkSync } from 'node:fs'
import { reply, tempWorkspace } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'
import { openDoor } from './door.ts'

const SCHEMA = JSON.stringify({ type: 'object', properties: { n: { type: 'integer' } }, required: ['n'], additionalProperties: false })

it.each([
  ['as it is', ['{"n":1}']],
  ['in a fence with words around it', ['Here it is:\n```json\n{"n": 1}\n```\nDone.']],
  ['in the second attempt', ['It is one.', '{"n":1}']],
])('takes an answer of the schema %s', async (_what, answers) => {
  await using files = await tempWorkspace({ 'schema.json': SCHEMA })
  await using door = await openDoor({ model: answers.map(answer => reply(answer)), request: { prompt: 'go' }, output: { schemaFile: files.resolve('schema.json') } })
  expect(await door.code).toBe(0)
  expect(door.lines().at(-1)).toMatchObject({ subtype: 'success', result: '{"n":1}', structured_output: { n: 1 }, num_turns: 1 })
  expect(door.lines().filter(({ type }) => type === 'context/message')).toHaveLength(1)
})

it('tells the model what is wrong once, and then the script', async () => {
  await using files = await tempWorkspace({ 'schema.json': SCHEMA })
  await using door = await openDoor({ model: [reply('{"n":"x","m":1}'), reply('{}')], request: { prompt: 'go' }, output: { schemaFile: files.resolve('schema.json'), format: 'stream-json' } })
  expect(await door.code).toBe(1)
  expect(door.lines().at(-1)).toMatchObject({ type: 'result', subtype: 'error_max_structured_output_retries', is_error: true, errors: [expect.stringContaining("must have required property 'n'")] })
  expect(JSON.stringify(door.host.script.requests.at(-1)?.messages)).toContain('must NOT have additional properties (\\"m\\")')
  expect(door.host.script.requests).toHaveLength(2)
})

it.each([
  ['that is not there', {}, 'cannot be read as JSON'],
  ['that is not JSON', { 'schema.json': '{' }, 'cannot be read as JSON'],
  ['that is no schema', { 'schema.json': '{"type":"strng"}' }, 'is not a usable JSON Schema'],
  ['that is a list', { 'schema.json': '[]' }, 'holds no JSON Schema'],
  ['that refers elsewhere', { 'schema.json': '{"$ref":"https://example.org/x"}' }, 'is not a usable JSON Schema'],
])('ends with 2 for a schema %s', async (_what, content, words) => {
  await using files = await tempWorkspace(content as Record<string, string>)
  await using door = await openDoor({ request: { prompt: 'go' }, output: { schemaFile: files.resolve('schema.json') } })
  expect(await door.code).toBe(2)
  expect(door.lines()).toMatchObject([{ type: 'result', subtype: 'error_usage', error: { code: 'USAGE', message: expect.stringMatching(new RegExp(`schema\\.json.*${words}|schema\\.json ${words}`)) } }])
})

it('writes the last message into a file too, through a link', async () => {
  await using files = await tempWorkspace({ 'old.txt': 'old' })
  symlinkSync('old.txt', files.resolve('link'))
  await using door = await openDoor({ model: [reply('New.')], request: { prompt: 'go' }, output: { lastMessageFile: files.resolve('link') } })
  expect(await door.code).toBe(0)
  expect([readFileSync(files.resolve('old.txt'), 'utf8'), readlinkSync(files.resolve('link'))]).toEqual(['New.\n', 'old.txt'])
})

it('makes a failure of the run of a file that cannot be written', async () => {
  await using files = await tempWorkspace({})
  mkdirSync(files.resolve('folder'))
  await using door = await openDoor({ model: [reply('New.')], request: { prompt: 'go' }, output: { lastMessageFile: files.resolve('folder') } })
  expect(await door.code).toBe(1)
  expect(door.lines().at(-1)).toMatchObject({ subtype: 'error_output', is_error: true, result: 'New.', error: { code: 'OUTPUT_FILE', message: expect.stringContaining('EISDIR') } })
})
