/** The plain conversation in a pseudo-terminal: what is typed, what is shown, and that the terminal is left as it was. */

import { answer, callAnswer, delta, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox } from './program.ts'
import { CTRL_C, CTRL_D, terminal } from './terminal.ts'

const HANG = { pieces: [delta({ content: 'I begin' })], end: 'hang' } as const

it('helps, answers messages in one conversation, and leaves with 0 on Ctrl-D', async () => {
  await using server = await provider([textAnswer('First answer.', 4), textAnswer('Second answer.', 4)])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain')

  await tty.saw('/help for help.')
  await tty.saw('> ')
  tty.type('/help\r')
  await tty.saw('stops what is running')
  tty.type('/nonsense\r')
  await tty.saw('there is no command /nonsense')
  tty.type('one\r')
  await tty.saw('First answer.\r\n')
  await tty.saw('> ')
  tty.type('two\r')
  await tty.saw('Second answer.\r\n')
  await tty.saw('> ')
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect(server.requests.map(({ body }) => body.messages.map(({ role }) => role).join(' '))).toEqual(['system user', 'system user assistant user'])
  server.assertStrict()
})

it('takes the words of the command line as the first message, and leaves with /quit', async () => {
  await using server = await provider([textAnswer('Hello.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain say hello')

  await tty.saw('Hello.\r\n')
  await tty.saw('> ')
  tty.type('/quit\r')

  expect((await tty.ended).code).toBe(0)
  expect(server.requests[0]?.conversation).toBe('say hello')
})

it('shows a message typed meanwhile to the model before its next step', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'while [ ! -e go ]; do sleep 0.05; done; echo went' } }), textAnswer('Noted.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain --permission auto wait')

  await tty.saw('● bash')
  tty.type('and be brief\r')
  await tty.saw('and be brief')
  await box.workspace.write('go', '')
  await tty.saw('└ went')
  await tty.saw('Noted.')
  await tty.saw('> ')
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect(JSON.stringify(server.requests[1]?.body.messages.slice(-1))).toContain('and be brief')
  server.assertStrict()
})

it('keeps what is typed out of an answer that is being written, and shows it again below', async () => {
  let goOn = (): void => undefined
  const typed = new Promise<void>(resolve => (goOn = resolve))
  const pieces = textAnswer('one two three four', 4).pieces ?? []
  await using server = await provider([{ pieces: [...pieces.slice(0, 3), { run: () => typed }, ...pieces.slice(3)] }, textAnswer('Second.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain go')

  await tty.saw('one two')
  tty.type('draft')
  await new Promise(resolve => setTimeout(resolve, 200))
  goOn()
  await tty.saw('three four\r\n')
  await tty.saw('> ')
  await tty.saw('draft')
  tty.type(' sent\r')
  await tty.saw('Second.')
  tty.type(CTRL_D)
  await tty.ended

  expect(tty.output).toContain('one two three four\r\n')
  // The turn may not have ended yet: then it is steering.
  expect(server.requests[1]?.body.messages.at(-1)?.['content']).toContain('draft sent')
})

it('shows everything once, in order, also around a typed line that fills several rows', async () => {
  const draft = `a long draft ${'of words '.repeat(24)}`.trim()
  await using server = await provider([
    callAnswer({ name: 'bash', arguments: { command: 'while [ ! -e go ]; do sleep 0.05; done; seq 3' } }),
    answer({ text: 'I am done.', calls: [{ name: 'glob', arguments: { pattern: '*' } }] }),
    textAnswer('Both lines\nof the answer.', 6),
  ])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain --permission auto wait')

  await tty.saw('● bash')
  tty.type(draft)
  await tty.saw('words')
  await new Promise(resolve => setTimeout(resolve, 100))
  await box.workspace.write('go', '')
  await tty.saw('of the answer.\r\n')
  await tty.saw('of words')
  await new Promise(resolve => setTimeout(resolve, 100))
  const screen = await tty.screen()
  tty.type(`${CTRL_C}${CTRL_D}`)
  await tty.ended

  const typed = `> ${draft}`
  expect(screen).toEqual([
    `dsh, model deepseek-flash, in ${box.workspace.path}. /help for help.`,
    '● bash while [ ! -e go ]; do sleep 0.05; done; seq 3',
    '  └ 1 (+2 lines)',
    'I am done.',
    '● glob *',
    '  └ go',
    'Both lines',
    'of the answer.',
    ...[typed.slice(0, 100), typed.slice(100, 200), typed.slice(200)].map(row => row.trimEnd()),
  ])
})

it('stops the answer on Ctrl-C and keeps the conversation', async () => {
  await using server = await provider([HANG, textAnswer('Still here.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain go')

  await tty.saw('I begin')
  tty.type(CTRL_C)
  await tty.saw('! stopped: stopped by the user')
  await tty.saw('> ')
  tty.type('are you there?\r')
  await tty.saw('Still here.')
  await tty.saw('> ')
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect(server.requests[1]?.body.messages.map(({ role, content }) => `${role} ${String(content)}`).slice(1)).toEqual(['user go', 'assistant I begin', 'user are you there?'])
  server.assertStrict()
})

it('stops a question on Ctrl-C, and the call has not run', async () => {
  await using server = await provider([callAnswer({ name: 'bash', arguments: { command: 'touch made' } }), textAnswer('Fine.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain go')

  await tty.saw('no with a reason: ')
  tty.type(CTRL_C)
  await tty.saw('! stopped')
  await tty.saw('> ')
  tty.type('never mind\r')
  await tty.saw('Fine.')
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  await expect(box.workspace.read('made')).rejects.toThrow('ENOENT')
  server.assertStrict()
})

it('leaves with 130 on the second Ctrl-C in a row, and throws away what is typed on the first', async () => {
  await using server = await provider([HANG, textAnswer('Hello.')])
  await using box = await sandbox({}, server)
  const running = await terminal(box, '$DSH --plain go')
  await running.saw('I begin')
  running.type(CTRL_C)
  await running.saw('! stopped')
  running.type(CTRL_C)
  expect((await running.ended).code).toBe(130)

  const idle = await terminal(box, '$DSH --plain')
  await idle.saw('> ')
  idle.type('half a thought')
  await idle.saw('thought')
  idle.type(CTRL_C)
  idle.type('whole\r')
  await idle.saw('Hello.')
  await idle.saw('> ')
  // The answer is there before the turn has ended, which Ctrl-C would stop.
  await new Promise(resolve => setTimeout(resolve, 500))
  idle.type(CTRL_C)
  await idle.saw('(Ctrl-C once more leaves)')
  idle.type(CTRL_C)
  expect((await idle.ended).code).toBe(130)
  expect(server.requests.map(({ conversation }) => conversation)).toEqual(['go', 'whole'])
})

it('leaves the terminal as it was, however it ends', async () => {
  await using server = await provider(() => HANG)
  await using box = await sandbox({}, server)
  for (const [end, code] of [[CTRL_D, 0], [`${CTRL_C}${CTRL_C}`, 130]] as const) {
    const tty = await terminal(box, 'stty -a > before; $DSH --plain; echo "code $?"; stty -a > after')
    await tty.saw('> ')
    tty.type(end)
    await tty.saw(`code ${code}`)
    await tty.ended
    expect(await box.workspace.read('after')).toBe(await box.workspace.read('before'))
  }
  const killed = await terminal(box, 'stty -a > before; echo $$ > shell.pid; $DSH --plain go; echo "code $?"; stty -a > after')
  await killed.saw('I begin')
  await box.shell('kill -TERM $(pgrep -P $(cat shell.pid))')
  await killed.saw('code 143')
  await killed.ended
  expect(await box.workspace.read('after')).toBe(await box.workspace.read('before'))
})

it('asks in one shot, too, when somebody sits at the terminal', async () => {
  const replies = [callAnswer({ name: 'bash', arguments: { command: 'touch one' } }), textAnswer('Done.')]
  await using server = await provider([...replies, ...replies])
  await using box = await sandbox({}, server)
  const yes = await terminal(box, 'stty -a > before; $DSH -p go > answer; echo "code $?"; stty -a > after')
  await yes.saw('no with a reason: ')
  yes.type('y\r')
  await yes.saw('code 0')
  await yes.ended
  const stopped = await terminal(box, '$DSH -p go')
  await stopped.saw('no with a reason: ')
  stopped.type(CTRL_C)

  expect((await stopped.ended).code).toBe(130)
  expect(await box.workspace.read('answer')).toBe('Done.\n')
  expect(await box.workspace.read('one')).toBe('')
  expect(await box.workspace.read('after')).toBe(await box.workspace.read('before'))
})

it('leaves when the reader of its answers has gone', async () => {
  await using server = await provider([textAnswer('Hello.', 3), textAnswer('Hello again.', 3)])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain | head -c 1; echo " over"')

  await tty.saw('> ')
  tty.type('hi\r')
  await tty.saw('H')
  // A pipe tells of its reader's end only when it is written to: the first answer may be in it already.
  tty.type('again\r')
  await tty.saw(' over')
  const { output } = await tty.ended

  expect(output).not.toMatch(/EPIPE|error/i)
})

it('goes without colours and cursor movements on a dumb terminal', async () => {
  await using server = await provider([textAnswer('Hello.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH', { TERM: 'dumb' })
  await tty.saw('> ')
  tty.type('hi\r')
  await tty.saw('Hello.')
  await tty.saw('> ')
  tty.type(CTRL_D)
  const { code, output } = await tty.ended

  expect(code).toBe(0)
  expect(output).not.toContain('\u001b')
})

it('lets no control sequence of model, tool or file reach the terminal', async () => {
  const evil = '\u001b]52;c;Y2F0\u0007\u001b]8;;file:///\u001b\\\u009b2J\u001b[?1049h'
  await using server = await provider([
    answer({ text: [`Look\u001b`, `]0;title\u0007 here ${evil}`], calls: [{ name: 'bash', arguments: { command: `printf '\\033[2J\\033]52;c;Y2F0\\007out'; exit 1 # ${evil}` } }] }),
    textAnswer('Done.'),
  ])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH --plain go')

  await tty.saw('no with a reason: ')
  tty.type('y\r')
  await tty.saw('Done.')
  await tty.saw('> ')
  tty.type(CTRL_D)
  const { output } = await tty.ended

  // oxlint-disable-next-line no-control-regex
  expect(output.match(/\u001b\][^\u0007]*|\u001b\[\?1049h|\u001b\[2J|\u009b|\u0007/g)).toBe(null)
})

it('goes on after Ctrl-Z and fg, and leaves no prompt of its own behind', async () => {
  await using server = await provider([textAnswer('Awake.')])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, 'set -m; $DSH --plain; echo in the shell; fg; echo code $?')

  await tty.saw('/help for help.')
  await tty.saw('> ')
  tty.type('\u001a')
  await tty.saw('in the shell')
  await tty.saw('> ')
  tty.type('hello\r')
  await tty.saw('Awake.\r\n')
  await tty.saw('> ')
  tty.type(CTRL_D)

  expect((await tty.ended).code).toBe(0)
  expect((await tty.screen()).slice(-3)).toEqual(['Awake.', expect.stringMatching(/^dsh: session .* goes on with it$/), 'code 0'])
  server.assertStrict()
})
