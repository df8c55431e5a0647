/** What a user chooses in an editor: mode, model, effort, and commands after a slash. */

import { callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { editor, methods, said } from './acp-client.ts'
import { provider, sandbox } from './program.ts'

const { session } = methods.agent

it('offers mode, model and effort, and the modes in the older form', async () => {
  await using server = await provider([], { models: ['deepseek-flash', 'house-model'] })
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { args: ['--model', 'deepseek-v4-pro'] })

  const { configOptions, modes } = await zed.open()

  const shown = configOptions?.map(option => [option.id, option.category, option.type === 'select' && option.currentValue, option.type === 'select' && option.options.map(each => 'value' in each && each.value)])
  expect(shown).toEqual([
    ['mode', 'mode', 'ask', ['ask', 'auto', 'read-only']],
    ['model', 'model', 'deepseek-v4-pro', expect.arrayContaining(['deepseek-v4-pro', 'deepseek-flash', 'offline'])],
    ['effort', 'thought_level', 'default', ['default', 'low', 'high', 'max']],
  ])
  expect([modes?.currentModeId, modes?.availableModes.map(({ id }) => id)]).toEqual(['ask', ['ask', 'auto', 'read-only']])
})

it('sends what was chosen with the next request, and answers a change with all options', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()
  await zed.prompt(sessionId, 'one')

  await zed.agent.request(session.setConfigOption, { sessionId, configId: 'model', value: 'deepseek-v4-pro' })
  const { configOptions } = await zed.agent.request(session.setConfigOption, { sessionId, configId: 'effort', value: 'max' })
  await zed.prompt(sessionId, 'two')

  expect(configOptions.map(option => [option.id, option.type === 'select' && option.currentValue])).toEqual([['mode', 'ask'], ['model', 'deepseek-v4-pro'], ['effort', 'max']])
  expect(server.requests.map(({ body }) => [body.model, body['reasoning_effort']])).toEqual([['deepseek-flash', undefined], ['deepseek-v4-pro', 'max']])
  server.assertStrict()
})

it('changes the mode by either way, tells of it in the other form, and acts by it', async () => {
  await using server = await provider(({ index }) => (index % 2 === 0 ? callAnswer({ name: 'bash', arguments: { command: `touch mark${index}` } }) : textAnswer('done')))
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await zed.agent.request(session.setMode, { sessionId, modeId: 'read-only' })
  await zed.prompt(sessionId, 'one')
  await zed.agent.request(session.setConfigOption, { sessionId, configId: 'mode', value: 'auto' })
  await zed.prompt(sessionId, 'two')

  expect(zed.seen.filter(({ kind }) => kind === 'permission')).toEqual([])
  expect(zed.updates().flatMap((update): unknown[] => (update.sessionUpdate === 'current_mode_update' ? [update.currentModeId] : update.sessionUpdate === 'config_option_update' ? [update.configOptions.find(({ id }) => id === 'mode')] : []))).toMatchObject([{ currentValue: 'read-only' }, 'auto'])
  await expect(box.workspace.read('mark0')).rejects.toMatchObject({ code: 'ENOENT' })
  expect(await box.workspace.read('mark2')).toBe('')
})

it('keeps mode and model of a session that is loaded again', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({}, server)
  const first = await editor(box)
  const { sessionId } = await first.open()
  await first.agent.request(session.setMode, { sessionId, modeId: 'auto' })
  await first.agent.request(session.setConfigOption, { sessionId, configId: 'model', value: 'deepseek-v4-pro' })
  await first.prompt(sessionId, 'one')
  await first.quit()
  await using anew = await editor(box)

  const { configOptions } = await anew.agent.request(session.load, { sessionId, cwd: box.workspace.path, mcpServers: [] })

  expect(configOptions?.map(option => [option.id, option.type === 'select' && option.currentValue])).toEqual([['mode', 'auto'], ['model', 'deepseek-v4-pro'], ['effort', 'default']])
})

it.each([
  [{ configId: 'mode', value: 'autoo' }, '"autoo" is no mode; did you mean "auto"?'],
  [{ configId: 'colour', value: 'red' }, 'there is no option "colour"; there are mode, model, effort'],
  [{ configId: 'effort', value: 'some' }, '"some" is no effort; there are default, low, high, max'],
])('refuses %j and says what there is', async (choice, message) => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await expect(zed.agent.request(session.setConfigOption, { sessionId, ...choice })).rejects.toMatchObject({ code: -32602, message })
})

it('tells of models that the provider lists, once it has', async () => {
  await using server = await provider([], { models: ['deepseek-flash', 'house-model'] })
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { args: ['--set', 'llm-deepseek.anyModel=true'] })
  const { sessionId } = await zed.open()

  await zed.until(() => JSON.stringify(zed.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === 'config_option_update')).includes('house-model'))

  expect(await zed.agent.request(session.setConfigOption, { sessionId, configId: 'model', value: 'house-model' })).toMatchObject({ configOptions: expect.anything() })
})

it('lists commands after the session is open, runs one without asking the model, and hands one of the project on to it', async () => {
  await using server = await provider([textAnswer('reviewed')])
  await using box = await sandbox({ '.dsh/commands/review.md': '---\ndescription: look at the change\nargument-hint: FILE\n---\nReview $ARGUMENTS carefully.\n' }, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()
  await zed.until(() => zed.updates(sessionId).some(({ sessionUpdate }) => sessionUpdate === 'available_commands_update'))
  const [listed] = zed.updates(sessionId).flatMap(update => (update.sessionUpdate === 'available_commands_update' ? [update.availableCommands] : []))

  const shown = await zed.prompt(sessionId, '/help')
  const asked = await zed.prompt(sessionId, '/review a.ts')

  expect(listed?.map(({ name }) => name)).toEqual(expect.arrayContaining(['help', 'model', 'title']))
  expect(listed?.map(({ name }) => name)).not.toContain('quit')
  expect([shown, asked]).toMatchObject([{ stopReason: 'end_turn' }, { stopReason: 'end_turn' }])
  expect(said(zed.updates())).toMatch(/\*\*\/help\*\*[^]*reviewed$/)
  expect(server.requests.length).toBe(1)
})

it('hands no key to the model that was typed behind /login, and says where one is given', async () => {
  await using server = await provider([])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()
  await zed.prompt(sessionId, '/login sk-typed-in-an-editor')

  expect(said(zed.updates())).toContain('/login cannot be carried out here: there is no way to ask for something without showing it; dsh auth in a terminal does the same')
  expect(said(zed.updates())).not.toContain('sk-typed')
  expect(server.requests.length).toBe(0)
})

it('takes a path, or a command that there is not, for words to the model', async () => {
  await using server = await provider(({ index }) => textAnswer(`answer ${index}`))
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await zed.prompt(sessionId, '/usr/bin/env is what?')
  await zed.prompt(sessionId, '/nonsense now')

  expect(server.requests.map(({ body }) => body.messages.at(-1)?.['content'])).toEqual(['/usr/bin/env is what?', '/nonsense now'])
})
