/** Keys that a user types once, and recorded sessions that play the agent. */

import { chmod, stat } from 'node:fs/promises'
import { callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { cards, editor, methods, said, transcript } from './acp-client.ts'
import { provider, sandbox } from './program.ts'
import { terminal } from './terminal.ts'

const KEY = 'sk-typed-0123456789'

it.each([['acp', '--setup'], ['auth']])('asks for the key in a terminal without showing it, and stores it for the user alone: dsh %s', async (...args) => {
  await using server = await provider([textAnswer('with a key')], { apiKey: KEY })
  await using box = await sandbox({}, server)
  const tty = await terminal(box, `unset DEEPSEEK_API_KEY; $DSH ${args.filter(each => each !== undefined).join(' ')}`)

  await tty.saw('API key')
  tty.type(`${KEY}\r`)
  const { code, output } = await tty.ended
  await using zed = await editor(box, { env: { DEEPSEEK_API_KEY: undefined } })
  const { sessionId } = await zed.open()
  await zed.prompt(sessionId, 'hi')

  expect(code).toBe(0)
  expect(output).not.toContain(KEY)
  const file = box.home.resolve('.config/dsh/credentials')
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(said(zed.updates())).toBe('with a key')
})

it('uses no key from a file that others can read, and says so', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  await chmod(await box.home.write('.config/dsh/credentials', `DEEPSEEK_API_KEY=${KEY}\n`), 0o644)

  const run = await box.run(['explain'], { env: { DEEPSEEK_API_KEY: undefined } })

  expect(run.stderr).toMatch(/credentials can be read by others and is not used; mend that with: chmod 600/)
})

it('authenticates with a key that is there, or that was stored meanwhile, and forgets it on logout', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { env: { DEEPSEEK_API_KEY: undefined } })
  const authenticate = (): Promise<unknown> => zed.agent.request(methods.agent.authenticate, { methodId: 'deepseek-key' })

  await expect(authenticate()).rejects.toMatchObject({ code: -32000 })
  await box.run(['auth'], { input: `${KEY}\n`, env: { DEEPSEEK_API_KEY: undefined } })
  await authenticate()
  await zed.agent.request(methods.agent.logout, {})

  await expect(authenticate()).rejects.toMatchObject({ code: -32000 })
  await expect(box.home.read('.config/dsh/credentials')).rejects.toMatchObject({ code: 'ENOENT' })
})

it('answers with the embedded model, and at once, where there is no key', async () => {
  await using box = await sandbox({ 'a.txt': 'alpha\n' })
  await using zed = await editor(box)
  const { sessionId, configOptions } = await zed.open()

  expect(await zed.prompt(sessionId, 'read a.txt')).toMatchObject({ stopReason: 'end_turn' })

  expect(configOptions?.flatMap(option => (option.id === 'model' && option.type === 'select' ? [option.currentValue] : []))).toEqual(['offline'])
  expect(Object.values(cards(zed.updates()))).toMatchObject([{ kind: 'read', status: 'completed' }])
})

it('plays a recorded session, turn by turn, without asking a model or running a tool', async () => {
  await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'touch marker; echo recorded' } }), textAnswer('first', 3), textAnswer('second', 3)])
  await using box = await sandbox({}, server)
  const recorded = await editor(box, { args: ['--permission', 'auto'] })
  const { sessionId: original } = await recorded.open()
  await recorded.prompt(original, 'one')
  await recorded.prompt(original, 'two')
  await recorded.quit()
  await box.shell('rm marker')
  await using demo = await editor(box, { args: ['--replay', original], env: { DEEPSEEK_API_KEY: undefined } })
  const { sessionId } = await demo.open()

  for (const text of ['a', 'b', 'c']) await demo.prompt(sessionId, text)

  expect(transcript(demo.updates())).toEqual([...transcript(recorded.updates()), 'agent This is where the recording ends.'])
  expect(cards(demo.updates())['c1']).toEqual(cards(recorded.updates())['c1'])
  expect(demo.seen.filter(({ kind }) => kind === 'permission')).toEqual([])
  await expect(box.workspace.read('marker')).rejects.toMatchObject({ code: 'ENOENT' })
  expect(server.requests.length).toBe(3)
})

it('says that there is no such recording before it answers an editor', async () => {
  await using box = await sandbox()

  expect(await box.run(['acp', '--replay', 'nothing'], { input: '' })).toMatchObject({ code: 4, stdout: '', stderr: expect.stringContaining('nothing') })
})
