import { call, harness, reply, tempWorkspace, textTool } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'
import { readStructuredAnswer } from '../src/structured-answer.ts'

const SCHEMA = { type: 'object', properties: { n: { type: 'integer' }, at: { type: 'string', format: 'date' } }, required: ['n'], additionalProperties: false }

async function read(schema: object): Promise<Awaited<ReturnType<typeof readStructuredAnswer>>> {
  await using files = await tempWorkspace({ 'schema.json': JSON.stringify(schema) })
  return await readStructuredAnswer(files.resolve('schema.json'))
}

it.each([
  ['{"n":1}', { kind: 'valid', value: { n: 1 } }],
  ['\n```json\n{"n": 1}\n```\n', { kind: 'valid', value: { n: 1 } }],
  ['So:\n```\n{"n": 2}\n```\nThat is it.', { kind: 'valid', value: { n: 2 } }],
  ['```json\n{"n":1}\n```\n```json\n{"n":2}\n```', { kind: 'invalid', errors: [expect.stringMatching(/^it is not JSON/)] }],
  ['', { kind: 'invalid', errors: ['it is empty'] }],
  ['{"n":"x","m":1,"at":"soon"}', { kind: 'invalid', errors: ['the value must NOT have additional properties ("m")', '/n must be integer', '/at must match format "date"'] }],
])('reads %j', async (answer, checked) => {
  expect((await read(SCHEMA)).check(answer)).toEqual(checked)
})

it.each(['https://json-schema.org/draft/2020-12/schema', 'https://json-schema.org/draft/2019-09/schema', 'http://json-schema.org/draft-07/schema#'])('takes a schema of %s', async $schema => {
  const structured = await read({ $schema, type: 'integer' })
  expect([structured.check('1').kind, structured.check('"1"').kind]).toEqual(['valid', 'invalid'])
})

it('has each turn mended once, and tells of the schema once', async () => {
  await using host = await harness({ model: [call('look'), reply('one'), reply('{"n":1}'), reply('two'), reply('three')], tools: [textTool('look', () => 'seen')] })
  const structured = await read(SCHEMA)
  structured.demandOf(host.ctx, host.agent)
  await host.run('first')
  await host.run('second')
  const seen = host.session.events.flatMap(({ type }) => (type === 'context/message' || type === 'steering/message' || type === 'assistant/message' || type === 'turn/end' ? [type] : []))
  expect(seen).toEqual(['context/message', 'assistant/message', 'assistant/message', 'steering/message', 'assistant/message', 'turn/end', 'assistant/message', 'steering/message', 'assistant/message', 'turn/end'])
})
