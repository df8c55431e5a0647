/** A key that is asked for line by line, in `--plain` and by `dsh auth`: whatever is pressed around it, nobody sees it and nothing but the credentials keeps it. */

import { setTimeout as sleep } from 'node:timers/promises'
import { textAnswer, type MockLlmServer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { holders } from './holders.ts'
import { provider, sandbox, type Sandbox } from './program.ts'
import { CTRL_C, CTRL_D, terminal, type Terminal } from './terminal.ts'

const CTRL_Z = '\u001a'
/** Each piece of it can be told from everything else. */
const PIECES = ['sk-typed-', 'sk-within-', 'sk-pieces-', 'sk-012345'] as const
const KEY = PIECES.join('')
const NO_KEY = { DEEPSEEK_API_KEY: '' }
const STORED = ['.config/dsh/credentials']
/** Behind the answer to a hidden question nothing is taken so long. */
const UNTAKEN_MS = 600

interface Talk {
  server: MockLlmServer
  box: Sandbox
  tty: Terminal
}

/** A conversation in which nothing has been typed yet. */
async function talk(run: (talk: Talk) => Promise<void>, env: NodeJS.ProcessEnv = {}, script = '$DSH --plain; echo code $?', first = '> '): Promise<void> {
  await using server = await provider([textAnswer('A real answer.')], { apiKey: KEY })
  await using box = await sandbox({}, server)
  const tty = await terminal(box, script, { ...NO_KEY, ...env })
  await tty.saw(first)
  await run({ server, box, tty })
}

/** Says hello, gets an answer and leaves: nothing else was said, and nothing of the key, or of what was typed around it, is anywhere else. */
async function leave({ server, box, tty }: Talk, stored = STORED): Promise<void> {
  await sleep(UNTAKEN_MS)
  tty.type('hello\r')
  await tty.saw(stored.length > 0 ? 'A real answer.' : 'offline')
  await sleep(100)
  tty.type(CTRL_D)
  await tty.saw('code 0')
  await expectUnseen({ server, box, tty }, stored)
  expect(userMessages(server)).toEqual(stored.length > 0 ? ['hello'] : [])
}

async function expectUnseen({ server, box, tty }: Talk, stored = STORED): Promise<void> {
  expect((await tty.ended).output).not.toMatch(/sk-/)
  expect([await holders(box, 'sk-within'), await holders(box, 'second-line')]).toEqual([stored, []])
  expect(JSON.stringify(server.requests.map(({ body }) => body))).not.toMatch(/sk-/)
}

function userMessages(server: MockLlmServer): unknown[] {
  return server.requests.flatMap(({ body }) => body.messages.filter(({ role }) => role === 'user').map(({ content }) => content))
}

async function ask(tty: Terminal): Promise<void> {
  tty.type('/login\r')
  await tty.saw('DeepSeek API key')
}

it.each([
  ['in one piece', [`/login\r${KEY}\r`]],
  ['with Windows line ends', [`/login\r\n${KEY}\r\n`]],
  ['piece by piece', ['/login\r', ...PIECES, '\r']],
  ['with more lines behind it', [`/login\r${KEY}\rsk-second-line\rand a third`, ' word\r']],
  ['behind another command', [`/help\r/login\r${KEY}\rsk-second-line\r`]],
])('takes what is typed behind /login before it asks for the key: %s', async (_what, pieces) => {
  await talk(async each => {
    for (const piece of pieces) {
      each.tty.type(piece)
      await sleep(5)
    }
    await each.tty.saw('The key is stored')
    await leave(each)
  })
})

it('throws away what comes right behind the key, and says so', async () => {
  await talk(async each => {
    await ask(each.tty)
    each.tty.type(`${KEY}\rsk-second-line\r`)
    await sleep(200)
    each.tty.type('sk-second-line too\r')
    await each.tty.saw('thrown away')
    await each.tty.saw('The key is stored')
    await leave(each)
  })
})

it.each(['/LOGIN', '/logn', '/login nowhere'])('throws away what is typed behind %s, which asks for no key', async line => {
  await talk(async each => {
    each.tty.type(`${line}\r`)
    await sleep(50)
    each.tty.type(`${KEY}\rsk-second-line\r`)
    await each.tty.saw('thrown away')
    await leave(each, [])
  })
})

it.each([['--plain', '$DSH --plain; echo code $?', ['> ', '/login\r']], ['auth', '$DSH auth; echo code $?', []]] as const)('stays unseen in dsh %s when Ctrl-Z cannot stop the program', async (_what, script, [prompt, command]) => {
  await using server = await provider([textAnswer('A real answer.')], { apiKey: KEY })
  await using box = await sandbox({}, server)
  const tty = await terminal(box, script, NO_KEY)
  if (prompt !== undefined) await tty.saw(prompt)
  if (command !== undefined) tty.type(command)
  await tty.saw('DeepSeek API key')
  tty.type(`${PIECES[0]}${CTRL_Z}${PIECES[1]}`)
  await sleep(20)
  tty.type(PIECES[2])
  await sleep(400)
  tty.type(`${PIECES[3]}\r`)
  await tty.saw('key is stored')
  if (command !== undefined) await leave({ server, box, tty })
  else await expectUnseen({ server, box, tty })
})

it('shows a line once when Ctrl-Z cannot stop the program', async () => {
  await talk(async each => {
    each.tty.type(CTRL_Z)
    await sleep(100)
    each.tty.type('/nonsense\r')
    await each.tty.saw('there is no command /nonsense')
    await sleep(400)
    expect((await each.tty.screen()).filter(line => line.includes('/nonsense') && !line.includes('no command'))).toEqual(['> /nonsense'])
    each.tty.type(CTRL_D)
    await each.tty.saw('code 0')
  })
})

it.each([['--plain', '$DSH --plain', true], ['auth', '$DSH auth', false]])('goes on asking unseen in dsh %s after Ctrl-Z and fg', async (_what, script, isTalk) => {
  await using server = await provider([textAnswer('A real answer.')], { apiKey: KEY })
  await using box = await sandbox({}, server)
  const tty = await terminal(box, `set -m; ${script}; echo in the shell; sleep 0.3; fg; echo code $?`, NO_KEY)
  if (isTalk) {
    await tty.saw('> ')
    tty.type('/login\r')
  }
  await tty.saw('DeepSeek API key')
  tty.type(`${PIECES[0]}${CTRL_Z}`)
  await tty.saw('in the shell')
  await tty.saw('DeepSeek API key')
  tty.type(`${KEY.slice(PIECES[0].length)}\r`)
  await tty.saw('key is stored')
  if (isTalk) await leave({ server, box, tty })
  else await expectUnseen({ server, box, tty })
  expect(tty.output).toContain('code 0')
})

it('goes on asking unseen in dsh auth when it was stopped from outside', async () => {
  await using server = await provider([], { apiKey: KEY })
  await using box = await sandbox({}, server)
  const tty = await terminal(box, `echo "echo \\$\\$ > pid; exec $DSH auth" > auth.sh; PS1='shell% ' bash --norc --noprofile -i`, NO_KEY)
  await tty.saw('shell% ')
  tty.type('bash auth.sh\r')
  await tty.saw('DeepSeek API key')
  tty.type(PIECES[0])
  await sleep(100)
  await box.shell('kill -STOP $(cat pid)')
  await tty.saw('shell% ')
  tty.type('fg\r')
  await tty.saw('DeepSeek API key')
  tty.type(`${KEY.slice(PIECES[0].length)}\r`)
  await tty.saw('key is stored')
  await tty.saw('shell% ')
  tty.type('exit\r')
  await expectUnseen({ server, box, tty })
})

it('keeps what comes behind the key from the shell that ran dsh auth', async () => {
  await using server = await provider([], { apiKey: KEY })
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH auth; read -t 0.5 line; echo "left: $line"', NO_KEY)
  await tty.saw('DeepSeek API key')
  tty.type(`${KEY}\rsk-second-line\r`)
  await tty.saw('thrown away')
  await tty.saw('left: \r\n')
  await expectUnseen({ server, box, tty })
})

it('leaves nothing of the key to the keys that bring back what was typed, and takes nothing from them', async () => {
  await talk(async each => {
    const { tty } = each
    // An earlier line, and a word that was cut out of one: neither may be taken for a key.
    tty.type('/nonsense\r')
    await tty.saw('there is no command')
    tty.type('cut\u0015')
    await sleep(50)
    await ask(tty)
    tty.type('\u001b[A\u0019\r')
    await tty.saw('No key was given')
    await sleep(UNTAKEN_MS)

    await ask(tty)
    for (const cut of ['\u0015', '\u0017', '\u0001\u000b']) tty.type(`${KEY}${cut}`)
    tty.type(`${KEY}\r`)
    await tty.saw('The key is stored')
    await sleep(UNTAKEN_MS)
    const shown = tty.output.length
    // Yank, yank the one before, undo, redo, and the lines before.
    for (const keys of ['\u0019', '\u001by', '\u001by', '\u001f', '\u001f', '\u001e', '\u001b[A', '\u001b[A', '\u001b[A']) {
      tty.type(keys)
      await sleep(50)
    }
    tty.type('\u0005\u0015')
    await sleep(100)
    expect(tty.output.slice(shown)).not.toContain('sk-')
    await leave(each)
  })
})

it.each([['Ctrl-C', CTRL_C], ['Ctrl-D', CTRL_D], ['Ctrl-C behind some of it', `${KEY}${CTRL_C}`]])('goes back from the question on %s, and the conversation goes on', async (_what, keys) => {
  await talk(async each => {
    await ask(each.tty)
    each.tty.type(keys)
    await each.tty.saw('): \r\n')
    await each.tty.saw('No key was given, and nothing was changed.\r\n')
    await leave(each, [])
  })
})

it('asks unseen on a dumb terminal, too', async () => {
  await talk(async each => {
    await ask(each.tty)
    each.tty.type(`mistyped\u0015${PIECES[0]}x\u007f`)
    await sleep(200)
    each.tty.type(`${KEY.slice(PIECES[0].length)}\rsk-second-line\r`)
    await each.tty.saw('thrown away')
    await each.tty.saw('The key is stored')
    await leave(each)
    expect(each.tty.output).not.toContain('\u001b')
  }, { TERM: 'dumb' })
})

it.each(['/login', '/LOGIN', '/logn'])('does not take what is piped in behind %s for a message, and dsh auth takes it for the key', async line => {
  await using server = await provider([], { apiKey: KEY })
  await using box = await sandbox({}, server)
  for (const args of [['--plain'], ['-p'], ['--output-format', 'json']]) {
    const { code, stdout, stderr } = await box.run(args, { input: `${line}\n${KEY}\n`, env: NO_KEY })
    expect([code, stdout + stderr]).toEqual([2, expect.stringContaining('dsh auth')])
    expect(stdout + stderr).not.toContain('sk-')
  }
  expect([await holders(box, 'sk-within'), server.requests]).toEqual([[], []])

  const { code, stdout, stderr } = await box.run(['auth'], { input: `${KEY}\n`, env: NO_KEY })
  expect([code, stdout, stderr]).toEqual([0, '', expect.stringContaining('the key is stored in ')])
  expect(await holders(box, 'sk-within')).toEqual(STORED)
})

it('neither sends nor keeps the key in use that is typed as a message', async () => {
  await talk(async each => {
    const { tty } = each
    tty.type(`my key is ${KEY}\r`)
    await tty.saw('was neither sent nor kept')
    const shown = tty.output.length
    tty.type('\u001b[A')
    await sleep(100)
    tty.type('\u0015hello\r')
    await tty.saw('A real answer.')
    tty.type(CTRL_D)
    await tty.saw('code 0')

    expect(tty.output.slice(shown)).not.toContain('sk-')
    expect(await holders(each.box, 'sk-within')).toEqual([])
    expect(userMessages(each.server)).toEqual(['hello'])
  }, { DEEPSEEK_API_KEY: KEY })
})

it('takes a command from the command line as if it were typed', async () => {
  await talk(async each => {
    each.tty.type(`${KEY}\r`)
    await each.tty.saw('The key is stored')
    await leave(each)
  }, {}, '$DSH --plain /login; echo code $?', 'DeepSeek API key')
})

it('keeps the question open when the settings are edited meanwhile', async () => {
  await talk(async each => {
    await ask(each.tty)
    each.tty.type(KEY.slice(0, 12))
    await each.box.home.write('.config/dsh/settings.yml', 'rows:\n  commands: { disabled: false }\n  ui-text: { mode: conversation }\n  agent-core: { tools: { maxResultLength: 9000 } }\n')
    await each.tty.saw('applied when what is going on is over')
    each.tty.type(`${KEY.slice(12)}\r`)
    await each.tty.saw('The key is stored')
    await leave(each)
  })
})

it('sends a prompt of one shot that only begins like a command', async () => {
  await using server = await provider([textAnswer('Mended.')], { apiKey: KEY })
  await using box = await sandbox({}, server)
  const { code, stdout } = await box.run(['-p', '/login page returns 500'], { env: { DEEPSEEK_API_KEY: KEY } })
  expect([code, stdout]).toEqual([0, 'Mended.\n'])
})

it.each([['-p'], ['--plain'], []])('sends no prompt of the command line that holds the key in use: %s', async (...args) => {
  await using server = await provider([textAnswer('Never.')], { apiKey: KEY })
  await using box = await sandbox({}, server)
  const { code, stdout, stderr } = await box.run([...args, `my key is ${KEY}`], { env: { DEEPSEEK_API_KEY: KEY } })
  expect([code, stdout, stderr, server.requests.length]).toEqual([2, '', expect.stringContaining('holds the API key that is in use'), 0])
  expect(await holders(box, 'sk-within')).toEqual([])
})
