/** Parts that others wrote take the place of ours, or join them, from compositions on disk. */

import { cp, readFile } from 'node:fs/promises'
import { callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox, type Sandbox } from './program.ts'

const COMPOSITIONS = new URL('../compositions/', import.meta.url)

/** Outside of the repository, so that nothing can be found through its node_modules. */
async function bring(box: Sandbox, name: string): Promise<void> {
  await cp(new URL(name, COMPOSITIONS), box.workspace.resolve(name), { recursive: true })
}

it('runs one shot with another loop, which sees the same tools and permissions', async () => {
  await using server = await provider([callAnswer({ name: 'read', arguments: { file_path: 'a.txt' } }), textAnswer('It says hello.')])
  await using box = await sandbox({ 'a.txt': 'hello\n' }, server)
  await bring(box, 'own-loop')

  const run = await box.run(['-p', '--config', 'own-loop/cordis.yml', 'what does a.txt say?'])

  expect(run).toEqual({ code: 0, stdout: 'It says hello.\n', stderr: '● read a.txt\n' })
  expect(server.requests.map(({ body }) => body.messages[0]?.['content'])).toEqual(['own loop\n', 'own loop\n'])
  expect(JSON.stringify(server.requests[1]?.body.messages.at(-1))).toContain('hello')
  server.assertStrict()
})

it('ends with the budget that the other loop keeps', async () => {
  await using server = await provider(() => callAnswer({ name: 'read', arguments: { file_path: 'a.txt' } }))
  await using box = await sandbox({ 'a.txt': 'hello\n' }, server)
  await bring(box, 'own-loop')

  const run = await box.run(['-p', '--quiet', '--config', 'own-loop/cordis.yml', 'go on'])

  expect({ code: run.code, requests: server.requests.length }).toEqual({ code: 6, requests: 4 })
})

it('refuses two loops in one composition', async () => {
  await using box = await sandbox()
  await bring(box, 'own-loop')

  const run = await box.run(['-p', '--config', 'own-loop/cordis.yml', '--set', 'agent-core.loop=true', 'go'])

  expect(run).toEqual({ code: 2, stdout: '', stderr: expect.stringMatching(/own-loop\/cordis\.yml:\d+:\d+: row "agent-core": .*another agent loop is mounted already/) })
})

/** The built-in composition with the rows of `third-party`, and its package installed with a framework of its own. */
async function withThirdParty(box: Sandbox): Promise<void> {
  await bring(box, 'third-party')
  await cp(new URL('third-party/packages/shout', COMPOSITIONS), box.workspace.resolve('node_modules/dsh-plugin-shout'), { recursive: true })
  await box.workspace.write('node_modules/dsh-plugin-shout/node_modules/cordis/package.json', '{ "name": "cordis", "version": "3.0.0", "type": "module", "exports": "./index.js" }')
  await box.workspace.write('node_modules/dsh-plugin-shout/node_modules/cordis/index.js', 'throw new Error("the second copy was loaded")\n')
  const builtIn = await readFile(new URL('../../cordis.yml', import.meta.url), 'utf8')
  const rows = await box.workspace.read('third-party/rows.yml')
  await box.workspace.write('third-party/cordis.yml', `${builtIn}\n${rows}`)
}

it('offers the tool of a TypeScript file beside the composition, and gives a package the host\'s framework', async () => {
  await using server = await provider([callAnswer({ name: 'word_count', arguments: { text: 'one two three', unit: 'words' } }), textAnswer('THREE.')])
  await using box = await sandbox({}, server)
  await withThirdParty(box)

  const run = await box.run(['-p', '--config', 'third-party/cordis.yml', 'count'])

  expect(run).toEqual({ code: 0, stdout: 'THREE.\n', stderr: '● word_count {"text":"one two three","unit":"words"}\n' })
  expect(server.requests[0]?.body.messages[0]?.['content']).toContain('ANSWER IN CAPITALS.')
  expect(server.requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: '3 words' })
  server.assertStrict()
})

it('adds the plugins of the user\'s settings, named from there', async () => {
  await using server = await provider([callAnswer({ name: 'word_count', arguments: { text: 'four', unit: 'letters' } }), textAnswer('ok')])
  await using box = await sandbox({}, server)
  await cp(new URL('third-party/word-count.ts', COMPOSITIONS), box.home.resolve('.config/dsh/plugins/word-count.ts'), { recursive: true })
  await box.home.write('.config/dsh/settings.yml', 'plugins:\n  - id: word-count\n    name: ./plugins/word-count.ts\n')

  const run = await box.run(['-p', '--quiet', 'count'])

  expect(run).toEqual({ code: 0, stdout: 'ok\n', stderr: '' })
  expect(server.requests[1]?.body.messages.at(-1)).toMatchObject({ role: 'tool', content: '4 letters' })
})
