/** Files edited while a conversation lives: they are applied as a whole or not at all, and the conversation goes on. */

import { cp } from 'node:fs/promises'
import { callAnswer, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'
import { CTRL_D, terminal } from './terminal.ts'

const bash = (command: string) => callAnswer({ name: 'bash', arguments: { command } })

it('applies an edit of the settings to the conversation that runs, and refuses one that is broken', async () => {
  await using server = await provider([textAnswer('Hello.'), bash('touch one'), textAnswer('Made one.'), bash('touch two'), textAnswer('Made two.'), bash('touch three'), textAnswer('No three.')])
  await using box = await sandbox({}, server)
  const settings = '.config/dsh/settings.yml'
  await box.home.write(settings, 'rows:\n  permission-rules: { mode: ask }\n')
  const tty = await terminal(box, '$DSH --plain --verbose')

  await tty.saw('> ')
  tty.type('hello\r')
  await tty.saw('Hello.')
  await box.home.write(settings, 'rows:\n  permission-rules: { mode: auto }\n')
  await new Promise(resolve => setTimeout(resolve, 1000))
  tty.type('make one\r')
  await tty.saw('Made one.')
  await box.home.write(settings, 'rows:\n  permission-rules: { mode: anything }\n')
  await tty.saw('the edit is not applied')
  await tty.saw('settings.yml:2:')
  tty.type('make two\r')
  await tty.saw('Made two.')
  await box.home.write(settings, 'rows:\n  permission-rules: { mode: read-only }\n')
  await new Promise(resolve => setTimeout(resolve, 1000))
  tty.type('make three\r')
  await tty.saw('this session is read-only')
  await tty.saw('No three.')
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect((await box.shell('ls')).stdout).toBe('one\ntwo\n')
  expect(server.requests.at(-1)?.body.messages.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual(['hello', 'make one', 'make two', 'make three'])
  server.assertStrict()
})

it('loads an edited plugin anew while the conversation lives, and keeps the old one when the new one is broken', async () => {
  await using server = await provider([
    callAnswer({ name: 'word_count', arguments: { text: 'a b', unit: 'words' } }), textAnswer('First.'),
    callAnswer({ name: 'word_count', arguments: { text: 'a b', unit: 'words' } }), textAnswer('Second.'),
    callAnswer({ name: 'word_count', arguments: { text: 'a b', unit: 'words' } }), textAnswer('Third.'),
  ])
  await using box = await sandbox({}, server)
  const plugin = '.config/dsh/word-count.ts'
  await cp(new URL('../compositions/third-party/word-count.ts', import.meta.url), box.home.resolve(plugin), { recursive: true })
  await box.home.write('.config/dsh/settings.yml', 'plugins:\n  - id: word-count\n    name: ./word-count.ts\n')
  const source = await box.home.read(plugin)
  const tty = await terminal(box, '$DSH --plain')

  await tty.saw('> ')
  tty.type('count\r')
  await tty.saw('First.')
  await box.home.write(plugin, source.replace('} ${unit}`)', '} ${unit} exactly`)'))
  await new Promise(resolve => setTimeout(resolve, 1500))
  tty.type('again\r')
  await tty.saw('└ 2 words exactly')
  await tty.saw('Second.')
  await box.home.write(plugin, 'export function apply() { throw new Error("worse") }\n')
  await tty.saw('worse')
  tty.type('and again\r')
  await tty.saw('└ 2 words exactly')
  await tty.saw('Third.')
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  server.assertStrict()
})

it('goes on with the session, and sends nothing again, when an edit takes the loop of the old one', async () => {
  await using server = await provider([textAnswer('Hello.'), textAnswer('Hello again.')])
  await using box = await sandbox({}, server)
  const settings = '.config/dsh/settings.yml'
  await box.home.write(settings, 'rows: {}\n')
  const tty = await terminal(box, '$DSH --plain hello')

  await tty.saw('Hello.')
  await tty.saw('> ')
  await box.home.write(settings, 'rows:\n  agent-core: { agentLoop: { maxAttempts: 2 } }\n')
  await tty.saw('/help for help.')
  await tty.saw('“hello”, 1 turn so far')
  await tty.saw('> ')
  tty.type('and now?\r')
  await tty.saw('Hello again.')
  await tty.saw('> ')
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect(server.requests.map(({ body }) => body.messages.slice(1).map(({ content }) => content))).toEqual([['hello'], ['hello', 'Hello.', 'and now?']])
  server.assertStrict()
})
