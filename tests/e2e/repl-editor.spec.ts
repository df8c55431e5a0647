/** The editor of the terminal conversation from outside: what is typed, pasted, named, recalled and queued is what the model gets. */

import { readFileSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { callAnswer, delta, errorReply, textAnswer, type MockLlmServer, type MockScript } from '@deepseek-ai/dsh-llm-mock-server'
import { describe, expect, it } from 'vitest'
import { provider, sandbox, type Sandbox } from './program.ts'
import { CTRL_C, CTRL_D, terminal, type Terminal } from './terminal.ts'

const ENV = { TERM_PROGRAM: 'vscode' }
const SIZE = { columns: 80, rows: 24, hasReplies: true }
const [UP, ALT_UP, ALT_ENTER, ESC, CTRL_G, CTRL_R, CTRL_V] = ['\u001b[A', '\u001b[1;3A', '\u001b\r', '\u001b', '\u0007', '\u0012', '\u0016']
const WAIT = callAnswer({ name: 'bash', arguments: { command: 'while [ ! -e go ]; do sleep 0.05; done' } })
const HANG = { pieces: [delta({ content: 'I begin' })], end: 'hang' } as const

interface Opened extends AsyncDisposable {
  box: Sandbox
  server: MockLlmServer
  tty: Terminal
  /** Another terminal in the same home and workspace. */
  again(script: string, env?: NodeJS.ProcessEnv): Promise<Terminal>
}

interface OpenOptions {
  files?: Record<string, string>
  env?: NodeJS.ProcessEnv
  options?: string
}

async function open(script: MockScript, { files = {}, env = {}, options = '' }: OpenOptions = {}): Promise<Opened> {
  const server = await provider(script)
  const box = await sandbox(files, server)
  const again = async (command: string, more: NodeJS.ProcessEnv = {}): Promise<Terminal> => {
    const tty = await terminal(box, command, { ...ENV, ...more }, SIZE)
    await tty.saw(' mode')
    return tty
  }
  return {
    box,
    server,
    again,
    tty: await again(`$DSH ${options}`, env),
    async [Symbol.asyncDispose]() {
      await box.dispose()
      await server[Symbol.asyncDispose]()
    },
  }
}

/** Until the program has drawn what it was given; keys in one read are one key to it otherwise. */
const settle = (ms = 150): Promise<void> => new Promise(resolve => setTimeout(resolve, ms))

async function leave(tty: Terminal): Promise<void> {
  tty.type(CTRL_D)
  await tty.ended
}

const paste = (text: string): string => `\u001b[200~${text}\u001b[201~`

/** The texts of the user's messages of a request, in order. */
function said(server: MockLlmServer, request: number): string[] {
  return (server.requests[request]?.body.messages ?? []).filter(({ role }) => role === 'user').map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content)))
}

const LINES = Array.from({ length: 2_000 }, (_, i) => `line ${i}\t“${'x'.repeat(40)}”`).join('\n')

describe('completion', () => {
  it('offers commands, and runs the one that Enter takes', async () => {
    await using at = await open([])
    at.tty.type('/ke')
    await at.tty.saw('/keys')
    at.tty.type('\r')
    await at.tty.saw('Alt-Enter')
    await leave(at.tty)

    expect(at.server.requests).toHaveLength(0)
  })

  it('names files that git does not ignore, and sends lines of them along', async () => {
    await using at = await open([textAnswer('Seen.')], { files: { '.gitignore': 'out/\n', 'out/main.js': '', 'src/main.ts': 'one\ntwo\nthree\n', 'my notes.md': 'note\n' } })
    await at.box.shell('git init -q')
    at.tty.type('look at @mai')
    await at.tty.saw('→ src/main.ts')
    expect(at.tty.output).not.toContain('out/main.js')
    at.tty.type('\t')
    await settle()
    at.tty.type('@src/main.ts:2-3 @not')
    await at.tty.saw('my notes.md')
    at.tty.type('\t')
    await settle()
    at.tty.type('\r')
    await at.tty.saw('Seen.')
    const screen = (await at.tty.screen()).join('\n')
    await leave(at.tty)

    expect(said(at.server, 0)[0]).toBe([
      'look at @src/main.ts @src/main.ts:2-3 @"my notes.md"',
      '<file path="src/main.ts">\n1: one\n2: two\n3: three\n</file>',
      '<file path="src/main.ts" lines="2-3">\n2: two\n3: three\n</file>',
      '<file path="my notes.md">\n1: note\n</file>',
    ].join('\n'))
    expect(screen).toContain('+ src/main.ts:2-3 (2 lines)')
    expect(screen).not.toContain('2: two')
  })

  it('lets the model edit at once what was sent along', async () => {
    await using at = await open([callAnswer({ name: 'edit', arguments: { file_path: 'a.txt', old_string: 'one', new_string: 'two' } }), textAnswer('Done.')], { files: { 'a.txt': 'one\n' }, options: '--permission auto' })
    at.tty.type('change @a.txt\r')
    await at.tty.saw('Done.')
    await leave(at.tty)

    expect(readFileSync(at.box.workspace.resolve('a.txt'), 'utf8')).toBe('two\n')
  })
})

describe('a paste', () => {
  it('of 2,000 lines in several reads is one label on the screen and exact for the model', async () => {
    await using at = await open([textAnswer('Read.'), textAnswer('Again.')])
    const whole = paste(LINES.replaceAll('\n', '\r\n'))
    for (let i = 0; i < whole.length; i += 65_536) {
      at.tty.type(whole.slice(i, i + 65_536))
      await settle(50)
    }
    await at.tty.saw('[paste #1 +2000 lines]')
    at.tty.type(' end\r')
    await at.tty.saw('Read.')
    await settle()
    at.tty.type(UP)
    await settle()
    at.tty.type('\r')
    await at.tty.saw('Again.')
    await leave(at.tty)

    expect(said(at.server, 0)).toEqual([`${LINES} end`])
    expect(said(at.server, 1)).toEqual([`${LINES} end`, `${LINES} end`])
  })

  it('does not run what is in it', async () => {
    await using at = await open([textAnswer('Read.')])
    at.tty.type(paste('one\r\u0003\u0004two\u001b[A'))
    await settle()
    at.tty.type('\r')
    await at.tty.saw('Read.')
    await leave(at.tty)

    expect(said(at.server, 0)).toEqual(['one\ntwo[A'])
  })

  it('of 5 MB leaves the keys alive', async () => {
    await using at = await open([])
    at.tty.type(paste('0123456789abcdef\n'.repeat(310_000)))
    await at.tty.saw('[paste #1 +310001 lines]')
    const since = performance.now()
    at.tty.type('typed after it')
    await at.tty.saw('after it')
    const took = performance.now() - since
    at.tty.type(CTRL_C)
    await leave(at.tty)

    expect(took).toBeLessThan(2_000)
  })
})

describe('history', () => {
  it('is there in the next process, is searched, and leaves out what began with a blank', async () => {
    await using at = await open([textAnswer('One.'), textAnswer('Two.'), textAnswer('Three.')])
    for (const [text, answer] of [['fix the build', 'One.'], [' my secret', 'Two.']] as const) {
      at.tty.type(`${text}\r`)
      await at.tty.saw(answer)
      await settle()
    }
    at.tty.type('!true\r')
    await settle(500)
    await leave(at.tty)
    const tty = await at.again('$DSH')
    tty.type(UP)
    await tty.saw('!true')
    tty.type(CTRL_C)
    await settle()
    tty.type(CTRL_R)
    await tty.saw('Search what was typed before')
    tty.type('buil')
    await tty.saw('→ fix the build')
    tty.type('\r')
    await settle()
    tty.type('\r')
    await tty.saw('Three.')
    await leave(tty)

    const file = readFileSync(at.box.home.resolve('.local/share/dsh/history.jsonl'), 'utf8')
    expect(file.trim().split('\n').map(line => (JSON.parse(line) as { text: string }).text)).toEqual(['fix the build', '!true', 'fix the build'])
  })

  it('gives back what Ctrl-C has thrown away', async () => {
    await using at = await open([textAnswer('One.')])
    at.tty.type('a long thought')
    await settle()
    at.tty.type(CTRL_C)
    await settle()
    at.tty.type(UP)
    await settle()
    at.tty.type('\r')
    await at.tty.saw('One.')
    await leave(at.tty)

    expect(said(at.server, 0)).toEqual(['a long thought'])
  })
})

describe('the user’s own editor', () => {
  it('gets what is typed, pastes written out, and gives back what is sent', async () => {
    await using at = await open([textAnswer('One.')], { files: { 'bin/my ed': '#!/bin/sh\ntest -t 0 && stty -a | grep -q " icanon" && sed -i "1s/^/edited /" "$2"\n' }, env: { VISUAL: '"$PWD/bin/my ed" --wait' } })
    await chmod(at.box.workspace.resolve('bin/my ed'), 0o755)
    at.tty.type(paste(LINES))
    await at.tty.saw('[paste #1')
    at.tty.type(CTRL_G)
    await settle(1_000)
    at.tty.type('\r')
    await at.tty.saw('One.')
    await leave(at.tty)

    expect(said(at.server, 0)).toEqual([`edited ${LINES}`])
  })

  it('that fails is told, and what was typed is still there', async () => {
    await using at = await open([textAnswer('One.')], { env: { EDITOR: 'false' } })
    at.tty.type('draft')
    await settle()
    at.tty.type('\u0018\u0005')
    await at.tty.saw('ended with code 1')
    at.tty.type('\r')
    await at.tty.saw('One.')
    await leave(at.tty)

    expect(said(at.server, 0)).toEqual(['draft'])
  })
})

describe('an editor that is killed', () => {
  const killed = (save: string): Record<string, string> => ({ 'bin/ed': `#!/bin/sh\n${save}\nprintf '\\033[?1049h\\033[2J\\033[3;5r\\033[?1000h\\033[31mmine'\nstty raw -echo\nkill -9 $$\n` })

  it.each([
    ['without having saved', '', 'what was typed', 'draft more'],
    ['after having saved', 'printf "saved" > "$1"', 'what it had saved', 'saved more'],
  ])('%s leaves the terminal and the text in order', async (_what, save, told, sent) => {
    await using at = await open([textAnswer('One.')], { files: killed(save), env: { EDITOR: '"$PWD/bin/ed"' } })
    await chmod(at.box.workspace.resolve('bin/ed'), 0o755)
    at.tty.type('draft')
    await settle()
    at.tty.type(CTRL_G)
    await at.tty.saw('was ended by SIGKILL')
    await at.tty.saw(told)
    await settle()
    // What stood above is there again, on the normal screen.
    const shown = (await at.tty.visible()).join('\n')
    expect(shown).toContain('Enter sends')
    expect(shown).not.toContain('mine')
    at.tty.type(' more\r')
    await at.tty.saw('One.')
    await leave(at.tty)

    expect(said(at.server, 0)).toEqual([sent])
  })

  it('or is missing is told by its name', async () => {
    await using at = await open([textAnswer('One.')], { env: { EDITOR: 'no-such-editor --wait' } })
    at.tty.type('draft')
    await settle()
    at.tty.type(CTRL_G)
    await at.tty.saw('the editor (no-such-editor --wait) was not found')
    at.tty.type('\r')
    await at.tty.saw('One.')
    await leave(at.tty)

    expect(said(at.server, 0)).toEqual(['draft'])
  })
})

describe('shell lines', () => {
  it('are marked while they are typed, run, and are told to the model without secrets', async () => {
    await using at = await open([textAnswer('One.')], { env: { MY_TOKEN: 'abc-123-secret' } })
    at.tty.type('!echo out; echo abc-123-sec""ret')
    await at.tty.saw('── shell ')
    at.tty.type('\r')
    await at.tty.saw('[redacted]')
    await settle()
    at.tty.type('what was that?\r')
    await at.tty.saw('One.')
    await leave(at.tty)

    expect(said(at.server, 0).join('\n')).toContain('$ echo out; echo abc-123-sec""ret\nout\n[redacted]')
    expect(said(at.server, 0).join('\n')).not.toContain('abc-123-secret')
  })

  it('are stopped by Esc, and the model is told what they had printed', async () => {
    await using at = await open([textAnswer('One.')])
    at.tty.type('!echo began; sleep 60\r')
    await at.tty.saw('began')
    await settle(300)
    at.tty.type(ESC)
    await at.tty.saw('stopped')
    await settle()
    at.tty.type('go on\r')
    await at.tty.saw('One.')
    await leave(at.tty)

    expect(said(at.server, 0).join('\n')).toContain('began\n\n[stopped by the user]')
  })
})

describe('images', () => {
  it('are put in by dropping their file, and those who cannot see are told', async () => {
    await using at = await open([textAnswer('One.')], { options: '-m deepseek-v4-flash' })
    const path = at.box.workspace.resolve('a b.png')
    await at.box.shell(`printf '\\x89PNG\\r\\n\\x1a\\n' > 'a b.png'`)
    at.tty.type(paste(path.replace(' ', '\\ ')))
    await at.tty.saw('[image 1]')
    at.tty.type('what is it?\r')
    await at.tty.saw('cannot see images')
    await at.tty.saw('One.')
    await leave(at.tty)

    expect(said(at.server, 0).join()).toContain('[image 1] what is it?')
  })

  it('say why they cannot be taken', async () => {
    await using at = await open([])
    at.tty.type(CTRL_V)
    await at.tty.saw('the clipboard')
    await at.box.shell('echo text > x.png')
    at.tty.type(paste(at.box.workspace.resolve('x.png')))
    await at.tty.saw('is not an image that models take')
    at.tty.type(CTRL_C)
    await leave(at.tty)
  })
})

describe('the queue', () => {
  it('gives each message once, in order: steering to the next step, the queue to the next turn', async () => {
    await using at = await open([WAIT, textAnswer('Steered.'), textAnswer('Queued.')], { options: '--permission auto' })
    const { tty } = at
    tty.type('begin\r')
    await tty.saw('go ]')
    tty.type('S1\r')
    await tty.saw('↳ next step: S1')
    tty.type('Q1')
    await settle()
    tty.type(ALT_ENTER)
    await tty.saw('⏎ next turn: Q1')
    await at.box.workspace.write('go', '')
    await tty.saw('Queued.')
    await leave(tty)

    const steered = '<steering source="user">\nS1\n</steering>'
    expect([said(at.server, 1), said(at.server, 2)]).toEqual([['begin', steered], ['begin', steered, 'Q1']])
  })

  it('is kept by Esc, starts nothing by itself, and goes with an empty Enter', async () => {
    await using at = await open([HANG, textAnswer('Went on.')])
    at.tty.type('begin\r')
    await at.tty.saw('I begin')
    for (const text of ['Q1', 'Q2']) {
      at.tty.type(text)
      await settle()
      at.tty.type(ALT_ENTER)
      await at.tty.saw(`next turn: ${text}`)
    }
    at.tty.type(ESC)
    await at.tty.saw('Enter sends what waits')
    await settle(600)
    expect(at.server.requests).toHaveLength(1)
    at.tty.type('\r')
    await at.tty.saw('Went on.')
    await leave(at.tty)

    expect(said(at.server, 1).slice(-2)).toEqual(['Q1', 'Q2'])
    expect(at.server.requests).toHaveLength(2)
  })

  it('gives its last message back for editing, pastes written out', async () => {
    await using at = await open([HANG, textAnswer('Went on.')])
    at.tty.type('begin\r')
    await at.tty.saw('I begin')
    at.tty.type(paste(LINES))
    await at.tty.saw('[paste #1')
    at.tty.type(ALT_ENTER)
    await at.tty.saw('next turn: line 0')
    at.tty.type(ALT_UP)
    await settle(300)
    at.tty.type(ESC)
    await at.tty.saw('stopped by the user')
    at.tty.type(' edited\r')
    await at.tty.saw('Went on.')
    await leave(at.tty)

    expect(said(at.server, 1).at(-1)).toBe(`${LINES} edited`)
  })

  it('is there again after a crash, and waits', async () => {
    await using at = await open([HANG, textAnswer('Went on.')])
    at.tty.type('begin\r')
    await at.tty.saw('I begin')
    at.tty.type('Q1')
    await settle()
    at.tty.type(ALT_ENTER)
    await at.tty.saw('next turn: Q1')
    await settle(300)
    process.kill(at.tty.pid, 'SIGKILL')
    await at.tty.ended
    const tty = await at.again('$DSH -c')
    await settle(600)
    expect((await tty.screen()).join('\n')).toContain('⏎ waits: Q1')
    expect(at.server.requests).toHaveLength(1)
    tty.type('and this\r')
    await tty.saw('Went on.')
    await leave(tty)

    expect(said(at.server, 1).slice(-2)).toEqual(['Q1', 'and this'])
  })
})

describe('the queue, when other things happen', () => {
  it('goes on with the next turn when a turn fails', async () => {
    await using at = await open([WAIT, errorReply(400, 'broken'), textAnswer('Went on.')], { options: '--permission auto' })
    at.tty.type('begin\r')
    await at.tty.saw('go ]')
    at.tty.type('Q1')
    await settle()
    at.tty.type(ALT_ENTER)
    await at.tty.saw('next turn: Q1')
    await at.box.workspace.write('go', '')
    await at.tty.saw('broken')
    await at.tty.saw('Went on.')
    await leave(at.tty)

    expect(said(at.server, 2)).toEqual(['begin', 'Q1'])
  })

  it('does not answer a question, and what is typed at one is not sent', async () => {
    await using at = await open([callAnswer({ name: 'bash', arguments: { command: 'touch made' } }), textAnswer('Went on.'), textAnswer('Queued.')])
    at.tty.type('begin\r')
    await at.tty.saw('touch made')
    await at.tty.saw('Esc refuses')
    at.tty.type('Q1')
    await settle()
    at.tty.type(ALT_ENTER)
    await settle(300)
    expect(at.server.requests).toHaveLength(1)
    at.tty.type(ESC)
    await at.tty.saw('Went on.')
    await leave(at.tty)

    expect(said(at.server, 1)).toEqual(['begin'])
  })

  it('takes no commands: they run at once', async () => {
    await using at = await open([HANG])
    at.tty.type('begin\r')
    await at.tty.saw('I begin')
    at.tty.type('/exit')
    await settle()
    at.tty.type(ALT_ENTER)

    expect((await at.tty.ended).code).toBe(0)
    expect(at.server.requests).toHaveLength(1)
  })
})

it('puts the cursor where the next character goes, among wide ones and when the window changes', async () => {
  await using at = await open([textAnswer('One.')])
  at.tty.type('漢字aé(e+◌́)')
  await settle()
  at.tty.type('\u001b[D\u001b[D\u001b[D\u007f\u007fx')
  await settle()
  at.tty.resize(40, 20)
  await settle(300)
  const row = (await at.tty.visible()).find(line => line.startsWith('漢字'))
  at.tty.type('\r')
  await at.tty.saw('One.')
  await leave(at.tty)

  expect(row).toBe('漢字aéx+◌́)')
  expect(said(at.server, 0)).toEqual(['漢字aéx+◌́)'])
})

it('drives the editor by vi’s keys where the settings say so', async () => {
  await using server = await provider([textAnswer('One.')])
  await using box = await sandbox({}, server)
  await box.home.write('.config/dsh/settings.yml', 'rows:\n  ui-repl: { keys: vi }\n')
  const tty = await terminal(box, '$DSH', ENV, SIZE)
  await tty.saw('── INSERT ')
  tty.type('one two three')
  await settle()
  tty.type(ESC)
  await tty.saw('NORMAL')
  tty.type('0dw')
  await settle()
  tty.type('A!')
  await settle()
  tty.type('\r')
  await tty.saw('One.')
  await leave(tty)

  expect(said(server, 0)).toEqual(['two three!'])
})

it('takes a key once where the terminal tells when it is let go', async () => {
  await using at = await open([textAnswer('One.')])
  at.tty.type('\u001b[?7u')
  at.tty.type('a draft')
  await settle()
  at.tty.type('\u001b[99;5u\u001b[99;5:3u')
  await settle()
  at.tty.type('\u001b[A\u001b[1;1:3A')
  await settle()
  at.tty.type('\u001b[13u\u001b[13;1:3u')
  await at.tty.saw('One.')
  await leave(at.tty)

  expect(at.tty.output).not.toContain('once more leaves')
  expect(said(at.server, 0)).toEqual(['a draft'])
})

it('shows the keys when ? is typed where nothing is', async () => {
  await using at = await open([])
  at.tty.type('?')
  await at.tty.saw('Ctrl-X Ctrl-E')
  await leave(at.tty)
})
