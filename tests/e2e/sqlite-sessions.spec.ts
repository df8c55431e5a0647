/** The whole program with its sessions in a database, as a user's settings choose it. */

import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox as plainSandbox, type Sandbox } from './program.ts'

const SETTINGS = `disable: [session-persistence-jsonl]
plugins:
  - id: session-persistence-sqlite
    name: '@deepseek-ai/dsh-session-persistence-sqlite'
`

async function sandbox(server?: Parameters<typeof plainSandbox>[1]): Promise<Sandbox> {
  const box = await plainSandbox({}, server)
  await box.home.write('.config/dsh/settings.yml', SETTINGS)
  return box
}

it('goes on with sessions of the database, and lists, finds, shows, repairs and deletes them', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox(server)

  await box.run(['-p', 'where is the needle?'])
  await box.run(['-p', '-c', 'and now?'])

  expect(server.requests.map(({ body }) => body.messages.filter(({ role }) => role !== 'system').map(({ content }) => content))).toEqual([['where is the needle?'], ['where is the needle?', 'answer 0', 'and now?']])
  const [session] = JSON.parse((await box.run(['sessions', 'list', '--json'])).stdout) as { id: string; title: string; turns: number }[]
  expect(session).toMatchObject({ title: 'where is the needle?', turns: 2 })
  const id = session?.id ?? ''
  expect((await box.run(['sessions', 'search', 'needle'])).stdout).toContain(id.slice(0, 8))
  expect((await box.run(['sessions', 'show', id])).stdout).toContain('answer 1')
  expect((await box.run(['sessions', 'repair', id])).stdout).toContain('is sound')
  expect((await box.run(['replay', id])).code).toBe(0)
  expect((await box.run(['sessions', 'delete', '--force', id])).code).toBe(0)
  expect((await box.run(['sessions', 'list', '--json'])).stdout.trim()).toBe('[]')
  expect([existsSync(box.home.resolve('.local/share/dsh/sessions.sqlite')), existsSync(box.home.resolve('.local/share/dsh/sessions'))]).toEqual([true, false])
})

it('ends a turn that cannot be stored with what is wrong and what can be done', async () => {
  await using server = await provider(() => textAnswer('here'))
  await using box = await sandbox(server)
  await box.home.write('.local/share/dsh/sessions.sqlite', '')
  await writeFile(box.home.resolve('.local/share/dsh/sessions.sqlite'), 'these are my notes\n'.repeat(500))

  const run = await box.run(['-p', 'hello'])
  const list = await box.run(['sessions', 'list'])

  expect(run).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(/not a database\. Nothing was changed; .*--no-session/) })
  expect((await box.run(['-p', '--no-session', 'hello'])).stdout).toBe('here\n')
  expect({ code: list.code, stderr: list.stderr }).toEqual({ code: 1, stderr: expect.stringContaining('not a database') })
})
