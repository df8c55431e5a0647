/** `dsh explain` and `dsh doctor` from outside: what runs and why, and what is wrong and how to mend it. */

import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'

it('explains every row, its state, its values with their places, and what the model is offered', async () => {
  await using box = await sandbox()
  await box.home.write('.config/dsh/settings.yml', 'disable: [tool-todo]\nrows:\n  llm-deepseek: { apiKey: sk-very-secret }\n')

  const { code, stdout, stderr } = await box.run(['explain'])

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^model deepseek-flash {2}\(default\)\n/)
  expect(stdout).toMatch(/^active {3}agent-core {2}@deepseek-ai\/dsh-agent-core {2}required {2}\(composition, .*cordis\.yml:\d+:\d+\)$/m)
  expect(stdout).toMatch(/^disabled tool-todo/m)
  expect(stdout).toMatch(/^active {3}ui-text .*command line/m)
  expect(stdout).toMatch(/^ {4}mode = ask {2}\(.*cordis\.yml:\d+\)$/m)
  expect(stdout).toMatch(/^ {4}apiKey = \*{8} {2}\(.*settings\.yml:3\)$/m)
  expect(stdout).toMatch(/^ {2}tools\/pre-execute: permission-rules, /m)
  for (const tool of ['read', 'write', 'edit', 'grep', 'glob', 'bash']) expect(stdout).toContain(`{"name":"${tool}"`)
  expect(stdout).not.toContain('todo_write')
  expect(stdout).not.toContain('sk-very-secret')
})

it('explains the same as JSON', async () => {
  await using box = await sandbox()

  const explained = JSON.parse((await box.run(['explain', '--json'])).stdout)

  expect(Object.keys(explained).sort()).toEqual(['contributions', 'events', 'model', 'rows', 'trusted', 'untrusted'])
  expect(explained.model).toEqual({ value: 'offline', from: 'default' })
  expect(explained.rows.filter(({ state }: { state: string }) => state !== 'active')).toEqual([])
  expect(explained.contributions['prompt sections']).toEqual([{ name: 'identity', order: 0 }])
})

it('finds nothing to mend where everything is right, and shows no secret', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  const address = server.url.replace('://', '://me:hunter2@')

  const { code, stdout, stderr } = await box.run(['doctor'], { env: { DEEPSEEK_BASE_URL: `${address}/` } })

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  expect(stdout).toMatch(/^ok {4}node/m)
  expect(stdout).toMatch(/^ok {4}endpoint .* answers$/m)
  expect(stdout).toMatch(/^ok {4}ripgrep/m)
  expect(stdout).not.toMatch(/hunter2|sk-test/)
})

it('names the place of every row that is not up', async () => {
  const builtIn = await readFile(new URL('../../cordis.yml', import.meta.url), 'utf8')
  await using box = await sandbox({ 'cordis.yml': `${builtIn}\n- id: ghost\n  name: ./ghost.ts\n- id: spirit\n  name: ./spirit.ts\n` })

  const { code, stdout } = await box.run(['doctor', '--config', 'cordis.yml'])

  expect(code).toBe(1)
  expect(stdout).toMatch(/^fail {2}composition {2}\S*cordis\.yml:\d+:3: there is no file \.\/ghost\.ts, .*; \S*cordis\.yml:\d+:3: there is no file \.\/spirit\.ts/m)
})

it('says what to do about each thing that is not right, and fails only where something must be mended', async () => {
  await using box = await sandbox()

  const fine = await box.run(['doctor', '--json'], { env: { PATH: '/nowhere' } })
  const broken = await box.run(['doctor', '--json', '--set', 'agent-core.lop=false'], { env: { DEEPSEEK_API_KEY: 'sk-x', DEEPSEEK_BASE_URL: 'http://127.0.0.1:9' } })

  const states = (text: string) => Object.fromEntries((JSON.parse(text) as { name: string; state: string }[]).map(({ name, state }) => [name, state]))
  expect(fine.code).toBe(0)
  expect(states(fine.stdout)).toMatchObject({ node: 'ok', composition: 'ok', key: 'warn', endpoint: 'warn', bash: 'warn', git: 'warn' })
  expect(broken.code).toBe(1)
  expect(states(broken.stdout)).toMatchObject({ composition: 'fail', node: 'ok', bash: 'ok' })
  expect(JSON.parse(broken.stdout).find(({ name }: { name: string }) => name === 'composition')).toEqual({ name: 'composition', state: 'fail', detail: expect.stringMatching(/lop.*did you mean "loop"/), fix: expect.any(String) })
  for (const check of JSON.parse(fine.stdout)) expect(check.state === 'ok' || check.fix !== undefined).toBe(true)
})
