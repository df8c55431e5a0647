/** Permissions and questions in a pseudo-terminal: what each answer allows, for how long, and what a session that goes on remembers. */

import { callAnswer, textAnswer, type MockLlmServer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'
import { CTRL_C, CTRL_D, terminal, type Terminal } from './terminal.ts'

const touch = (name: string) => callAnswer({ name: 'bash', arguments: { command: `touch ${name}` } })
const write = (name: string, content = 'x\n') => callAnswer({ name: 'write', arguments: { file_path: name, content } })
const QUESTIONS: Record<string, string | string[] | boolean>[] = [{ question: 'Which ones?', options: ['red', 'green', 'blue'], multiple: true }, { question: 'One of them?', options: ['yes', 'no'] }, { question: 'Why?' }]
const ask = () => callAnswer({ name: 'ask_user', arguments: { questions: QUESTIONS } })

const toolsOf = ({ requests }: MockLlmServer): string[][] => requests.map(({ body }) => ((body['tools'] ?? []) as { function: { name: string } }[]).map(tool => tool.function.name))

/** Bytes of system text and tools, with everything that the default composition offers. */
function fixedSize({ requests }: MockLlmServer): number {
  const body = requests.at(-1)?.body
  return Buffer.byteLength(JSON.stringify(body?.['tools']) + JSON.stringify(body?.messages.filter(({ role }) => role === 'system')))
}

/** What the model read last. */
const lastMessage = ({ requests }: MockLlmServer): unknown => requests.at(-1)?.body.messages.at(-1)?.['content']

/** Answers each question about `tool` in turn. */
async function answerAll(tty: Terminal, answers: readonly (readonly [tool: string, answer: string])[]): Promise<void> {
  for (const [tool, answer] of answers) {
    await tty.saw(`? allow ${tool}`)
    await tty.saw('no with a reason: ')
    tty.type(`${answer}\r`)
  }
}

async function leave(tty: Terminal): Promise<number> {
  await tty.saw('> ')
  tty.type(CTRL_D)
  return (await tty.ended).code
}

const asked = ({ output }: Terminal): number => output.match(/\? allow /g)?.length ?? 0

it('asks before it runs what may change something, and takes every answer for as long as it holds', async () => {
  await using server = await provider([touch('a'), touch('a'), touch('a'), textAnswer('One.'), touch('a'), touch('a'), write('b'), textAnswer('Two.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain go')

  await tty.saw('? allow bash')
  await tty.saw('command: touch a')
  await tty.saw('to remember: bash')
  await tty.saw('[y]es once, remember for this [t]urn, [s]ession, [p]roject, [n]o, or no with a reason: ')
  tty.type('what?\r')
  await tty.saw('no with a reason: ')
  tty.type('y\r')
  await answerAll(tty, [['bash', 't']])
  await tty.saw('One.')
  // The answer is there before the turn has ended, in which the next message would be steering.
  await new Promise(resolve => setTimeout(resolve, 500))
  tty.type('again\r')
  await answerAll(tty, [['bash', 'session']])
  await tty.saw('? allow write')
  await tty.saw('    b (the whole content)\r\n    + x\r\n')
  await tty.saw('no with a reason: ')
  tty.type('n put it elsewhere\r')
  await tty.saw('Two.')

  expect(await leave(tty)).toBe(0)
  expect(asked(tty)).toBe(4)
  expect((await box.shell('ls')).stdout).toBe('a\n')
  expect(lastMessage(server)).toContain('put it elsewhere')
  server.assertStrict()
})

it('remembers in a session that goes on what was allowed in it, but not what was allowed once or in a turn, and nothing of it in a copy', async () => {
  const calls = [touch('a'), write('b'), textAnswer('Done.')]
  await using server = await provider([...calls, touch('a'), write('c'), textAnswer('Done again.'), touch('a'), textAnswer('Copied.')])
  await using box = await sandbox({}, server)
  const first = await terminal(box, '$DSH --plain go')
  await answerAll(first, [['bash', 's'], ['write', 't']])
  await first.saw('Done.')
  expect(await leave(first)).toBe(0)

  const resumed = await terminal(box, '$DSH --plain -c go on')
  await answerAll(resumed, [['write', 'y']])
  await resumed.saw('Done again.')
  expect(await leave(resumed)).toBe(0)
  expect(asked(resumed)).toBe(1)

  const id = /dsh -r (\S+) goes on/.exec(resumed.output)?.[1] ?? ''
  const copy = await terminal(box, `$DSH --plain --fork ${id} go on`)
  await answerAll(copy, [['bash', 'n']])
  await copy.saw('Copied.')
  expect(await leave(copy)).toBe(0)
  server.assertStrict()
})

it('takes an answer for the whole project', async () => {
  await using server = await provider([touch('a'), touch('a'), textAnswer('Done.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain go')
  await answerAll(tty, [['bash', 'p']])
  await tty.saw('Done.')

  expect(await leave(tty)).toBe(0)
  expect(asked(tty)).toBe(1)
  server.assertStrict()
})

it('shows a long command whole, and hides nothing of it behind what a terminal would not show', async () => {
  const command = `touch ${'x'.repeat(3000)}END \u001b]0; touch hidden`
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command } }), textAnswer('Done.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH -p go')
  await tty.saw('END \\x1b]0; touch hidden')
  await tty.saw('no with a reason: ')
  tty.type('n\r')

  expect((await tty.ended).code).toBe(0)
  expect(tty.output).toContain('x'.repeat(3000))
})

it('puts the questions of the model to the user, and lists the answers for it', async () => {
  await using server = await provider([ask(), textAnswer('Good.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain go')
  await tty.saw('? the model asks (1 of 3)')
  await tty.saw('3. blue')
  await tty.saw('leaves it open: ')
  tty.type('1 3\r')
  await tty.saw('(2 of 3)')
  await tty.saw('leaves it open: ')
  tty.type('5\r')
  await tty.saw('there are 2 options')
  tty.type('neither of them\r')
  await tty.saw('(3 of 3)')
  await tty.saw('leaves it open: ')
  tty.type('\r')
  await tty.saw('Good.')

  expect(await leave(tty)).toBe(0)
  expect(lastMessage(server)).toBe('1. Which ones?\n   - red\n   - blue\n2. One of them?\n   - neither of them\n3. Why?\n   (left open: decide yourself)')
  const replayed = await box.run(['replay', /dsh -r (\S+) goes on/.exec(tty.output)?.[1] ?? ''])
  expect([replayed.code, replayed.stderr]).toEqual([0, expect.stringMatching(/no difference\n$/)])
  server.assertStrict()
})

it('asks in one shot, too, when somebody sits at the terminal, and Ctrl-C stops the turn', async () => {
  await using server = await provider([ask(), textAnswer('Good.'), ask()])
  await using box = await sandbox({}, server)
  const answered = await terminal(box, '$DSH -p go > answer; echo "code $?"')
  for (const [place, answer] of [['(1 of 3)', '2'], ['(2 of 3)', '1'], ['(3 of 3)', 'just so']] as const) {
    await answered.saw(place)
    await answered.saw('leaves it open: ')
    answered.type(`${answer}\r`)
  }
  await answered.saw('code 0')
  await answered.ended
  expect(lastMessage(server)).toBe('1. Which ones?\n   - green\n2. One of them?\n   - yes\n3. Why?\n   - just so')

  const stopped = await terminal(box, '$DSH -p go')
  await stopped.saw('leaves it open: ')
  stopped.type(CTRL_C)
  expect((await stopped.ended).code).toBe(130)
  expect(await box.workspace.read('answer')).toBe('Good.\n')
  server.assertStrict()
})

it('does not offer questions where nobody can be asked, and keeps the tools of a session that goes on', async () => {
  await using server = await provider([textAnswer('Alone.'), ask(), textAnswer('I decide.'), textAnswer('Hello.'), ask(), textAnswer('Still.')])
  await using box = await sandbox({}, server)
  expect((await box.run(['-p', 'go'])).code).toBe(0)
  const unoffered = await box.run(['-p', '-c', 'ask me'])
  expect([unoffered.code, unoffered.stdout]).toEqual([0, 'I decide.\n'])

  const tty = await terminal(box, '$DSH --plain hello')
  await tty.saw('Hello.')
  await leave(tty)
  const alone = await box.run(['-p', '-c', 'ask me'])

  expect([alone.code, alone.stdout]).toEqual([0, 'Still.\n'])
  expect(lastMessage(server)).toBe('Error: nobody can be asked here. Decide yourself with what you know, and say in your answer what you assumed.')
  expect(toolsOf(server).map(names => names.includes('ask_user'))).toEqual([false, false, false, true, true, true])
  expect(fixedSize(server)).toBeLessThanOrEqual(12 * 1024)
})

it('goes on in the permission mode that was chosen, unless the command line names another', async () => {
  await using server = await provider([touch('a'), textAnswer('No.'), touch('a'), textAnswer('Yes.'), touch('b'), textAnswer('Yes.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain')
  await tty.saw('> ')
  tty.type('/permission read-only\r')
  await tty.saw('The permission mode is now read-only')
  tty.type('go\r')
  await tty.saw('No.')
  expect(await leave(tty)).toBe(0)

  const runs = [await box.run(['-p', '-c', '--permission', 'auto', 'go']), await box.run(['-p', '-c', 'go'])]
  expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual([[0, 'Yes.\n'], [0, 'Yes.\n']])
  expect((await box.shell('ls')).stdout).toBe('a\nb\n')
  server.assertStrict()
})
