/** The terminal is left as it was, whatever ends the conversation: its settings, its modes, and the exit code. */

import { execFileSync } from 'node:child_process'
import { readdir } from 'node:fs/promises'
import { delta, textAnswer, type MockScript } from '@deepseek-ai/dsh-llm-mock-server'
import { describe, expect, it } from 'vitest'
import { isAlive } from './is-alive.ts'
import { provider, sandbox, type Sandbox } from './program.ts'
import { CTRL_C, CTRL_D, terminal, type Terminal } from './terminal.ts'

const HANG = { pieces: [delta({ content: 'I begin' })], end: 'hang' } as const

/** What the program switches on, and how it is switched off again; `undefined` at the end of a run for each of them. */
const SWITCHES: readonly (readonly [name: string, on: string, off: string])[] = [
  ['bracketed paste', '\u001b[?2004h', '\u001b[?2004l'],
  ['keyboard flags', '\u001b[>7u', '\u001b[<u'],
  ['modified keys', '\u001b[>4;2m', '\u001b[>4;0m'],
  ['focus reports', '\u001b[?1004h', '\u001b[?1004l'],
  ['title', '\u001b[22;0t', '\u001b[23;0t'],
  ['synchronized output', '\u001b[?2026h', '\u001b[?2026l'],
  ['hidden cursor', '\u001b[?25l', '\u001b[?25h'],
  ['colour scheme reports', '\u001b[?2031h', '\u001b[?2031l'],
  ['other screen', '\u001b[?1049h', '\u001b[?1049l'],
  ['mouse', '\u001b[?1000h', '\u001b[?1000l'],
]

/** The switches that are still on after these bytes. */
function leftOn(output: string): string[] {
  return SWITCHES.flatMap(([name, on, off]) => (output.lastIndexOf(on) > output.lastIndexOf(off) ? [name] : []))
}

const SCRIPT = 'stty -g; $DSH; code=$?; echo; echo "code $code"; stty -g'

interface Opened extends AsyncDisposable {
  tty: Terminal
  box: Sandbox
  /** Of the program. */
  pid: number
  /** Whether the settings of the terminal are what they were, what was left on, and the exit code. */
  after(): Promise<{ isSame: boolean; left: string[]; code: string | undefined }>
}

interface OpenOptions {
  /** The source of a plugin that the user's settings mount. */
  plugin?: string
  script?: string
  /** Typed into what the script runs. */
  keys?: string
  /** A shell script that is the user's own editor. */
  editor?: string
}

async function open(answers: MockScript = [textAnswer('Hello.')], { plugin, script = SCRIPT, keys = '', editor }: OpenOptions = {}): Promise<Opened> {
  const server = await provider(answers)
  const box = await sandbox(editor === undefined ? {} : { 'editor.sh': editor }, server)
  if (plugin !== undefined) {
    await box.home.write('.config/dsh/settings.yml', 'plugins:\n  - { id: crash, name: ./crash.mjs }\n')
    await box.home.write('.config/dsh/crash.mjs', `export const name = 'crash'\nexport function apply() { process.once('SIGUSR2', () => { ${plugin} }) }\n`)
  }
  const tty = await terminal(box, script, { TERM_PROGRAM: 'vscode', EDITOR: 'sh editor.sh' }, { columns: 80, rows: 24, hasReplies: true })
  tty.type(keys)
  await tty.saw('ask mode')
  return {
    tty,
    box,
    pid: childOf(tty),
    async after() {
      const { output } = await tty.ended
      const settings = output.match(/^[\da-f]+(?::[\da-f]+){5,}\r?$/gm)?.map(line => line.trim()) ?? []
      return { isSame: settings.length === 2 && settings[0] === settings[1], left: leftOn(output), code: /code (\d+)/.exec(output)?.[1] }
    },
    async [Symbol.asyncDispose]() {
      await box.dispose()
      await server[Symbol.asyncDispose]()
    },
  }
}

it.each([
  ['Ctrl-D', CTRL_D, '0'],
  ['/quit', '/quit\r', '0'],
  ['Ctrl-C twice', CTRL_C + CTRL_C, '130'],
])('%s leaves nothing behind', async (_, keys, code) => {
  await using opened = await open()
  opened.tty.type(keys)

  expect(await opened.after()).toEqual({ isSame: true, left: [], code })
})

it('Ctrl-C during an answer stops it, and once more leaves', async () => {
  await using opened = await open([HANG])
  const { tty } = opened
  tty.type('go\r')
  await tty.saw('I begin')
  tty.type(CTRL_C)
  await tty.saw('stopped by the user')
  tty.type(CTRL_C)

  expect(await opened.after()).toEqual({ isSame: true, left: [], code: '130' })
})

it.each([['SIGTERM', '143'], ['SIGHUP', '143'], ['SIGQUIT', '143']] as const)('%s in the middle of an answer leaves nothing behind', async (signal, code) => {
  await using opened = await open([HANG])
  const { tty, pid } = opened
  tty.type('go\r')
  await tty.saw('I begin')
  process.kill(pid, signal)

  expect(await opened.after()).toEqual({ isSame: true, left: [], code })
})

it('a second signal ends it at once, and still leaves nothing behind', async () => {
  await using opened = await open([HANG], { plugin: 'for (const end = Date.now() + 1000; Date.now() < end; );' })
  const { tty, pid } = opened
  tty.type('go\r')
  await tty.saw('I begin')
  process.kill(pid, 'SIGUSR2')
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pid, signal)

  expect(await opened.after()).toMatchObject({ isSame: true, left: [] })
})

const EDITOR = (first: string): string => `${first}
printf 'saved words\\n' > "$1"
stty raw -echo
printf '\\033[?1049h\\033[?1000hmine'
echo $$ > editor.pid
while [ -e editor.pid ]; do sleep 0.1; done
`

describe('while the user’s own editor runs', () => {
  it.each([
    ['SIGTERM', '', '143', true], ['SIGHUP', '', '143', true], ['SIGTERM', "trap '' TERM", '143', true], ['SIGTERM', "trap 'exit 0' TERM", '143', true],
    ['SIGUSR2', '', '1', false], ['SIGUSR2', "trap '' TERM", '1', false],
  ] as const)('%s ends that as well (%s), and leaves nothing behind but what was saved', async (signal, trap, code, isRemembered) => {
    await using opened = await open([], { editor: EDITOR(trap), plugin: "throw new Error('out of the blue')" })
    const { tty, pid, box } = opened
    tty.type('draft')
    await tty.saw('draft')
    tty.type('\u0007')
    await tty.saw('mine')
    await expect.poll(() => box.workspace.read('editor.pid').catch(() => '')).toMatch(/\n/)
    process.kill(pid, signal)

    expect(await opened.after()).toEqual({ isSame: true, left: [], code })
    expect(isAlive(Number(await box.workspace.read('editor.pid')))).toBe(false)
    const kept = (await readdir(box.home.resolve('tmp'))).filter(name => name.startsWith('dsh-prompt-'))
    const history = await box.home.read('.local/share/dsh/history.jsonl').catch(() => '')
    expect([history.includes('saved words'), kept.length]).toEqual(isRemembered ? [true, 0] : [false, 1])
    // What the user has to be told stands on the screen that is left, not on the editor's.
    if (!isRemembered) expect((await tty.screen()).join('')).toMatch(/what the editor had saved is in [^]*prompt\.md[^]*out of the blue/)
  })
})

it('an exception that a plugin throws from nowhere is told below what was said, and leaves nothing behind', async () => {
  await using opened = await open([textAnswer('Hello.')], { plugin: "throw new Error('out of the \\u001b[31mblue')" })
  const { tty, pid } = opened
  tty.type('go\r')
  await tty.saw('Hello.')
  process.kill(pid, 'SIGUSR2')

  expect(await opened.after()).toEqual({ isSame: true, left: [], code: '1' })
  const screen = await tty.screen()
  const at = screen.findIndex(line => line.includes('internal error'))
  expect(screen[at]).toBe('dsh: internal error: out of the blue')
  expect(screen.slice(0, at).filter(line => line.includes('ask mode') || line.startsWith('─'))).toEqual([])
})

it('a rejection that nobody handles is told on the screen, and the conversation goes on', async () => {
  await using opened = await open([textAnswer('Hello.')], { plugin: "void Promise.reject(new Error('nobody cares'))" })
  const { tty, pid } = opened
  process.kill(pid, 'SIGUSR2')
  await tty.saw('nobody cares')
  tty.type('go\r')
  await tty.saw('Hello.')
  await expect.poll(async () => (await tty.visible()).filter(line => line.startsWith('─')).length).toBe(2)
  tty.type(CTRL_D)

  expect(await opened.after()).toEqual({ isSame: true, left: [], code: '0' })
})

it('a process that ends itself leaves nothing behind', async () => {
  await using opened = await open([textAnswer('Hello.')], { plugin: 'process.exit(7)' })
  process.kill(opened.pid, 'SIGUSR2')

  expect(await opened.after()).toEqual({ isSame: true, left: [], code: '7' })
})

it('gives the terminal to the shell on Ctrl-Z as it was, and takes it again on fg', async () => {
  await using opened = await open([textAnswer('Awake.')], { script: 'set -m; stty -g; $DSH; echo; echo stopped; stty -g; fg >/dev/null; code=$?; echo; echo "code $code"; stty -g' })
  const { tty } = opened
  tty.type('\u001a')
  await tty.saw('stopped')
  await tty.saw('ask mode')
  const until = tty.output.lastIndexOf('stopped')
  expect(leftOn(tty.output.slice(0, until))).toEqual([])
  tty.type('hello\r')
  await tty.saw('Awake.')
  await expect.poll(async () => (await tty.visible()).filter(line => line.startsWith('─')).length).toBe(2)
  tty.type(CTRL_D)
  const { output } = await tty.ended
  const settings = output.match(/^[\da-f]+(?::[\da-f]+){5,}\r?$/gm)?.map(line => line.trim())

  expect(new Set(settings).size).toBe(1)
  expect(settings).toHaveLength(3)
  expect(leftOn(output)).toEqual([])
  expect(output).toContain('code 0')
})

it('goes on after Ctrl-Z where no shell could bring it back', async () => {
  await using opened = await open([textAnswer('Awake.')])
  const { tty } = opened
  tty.type('half\u001a')
  await tty.saw('[?2004l')
  await tty.saw('[?2004h')
  tty.type(' and half\r')
  await tty.saw('half and half')
  await tty.saw('Awake.')
  tty.type(CTRL_D)

  expect(await opened.after()).toEqual({ isSame: true, left: [], code: '0' })
})

it('ends with its terminal when the window is closed', async () => {
  const server = await provider([HANG])
  await using box = await sandbox({}, server)
  const tty = await terminal(box, '$DSH; echo $? > code', {}, { columns: 80, rows: 24 })
  await tty.saw('ask mode')
  const pid = childOf(tty)
  tty.type('go\r')
  await tty.saw('I begin')
  tty.hangUp()
  await tty.ended
  await expect.poll(() => isAlive(pid), { timeout: 10_000 }).toBe(false)
  await server[Symbol.asyncDispose]()

  const sessions = await box.run(['sessions', 'list', '--json'])
  expect(JSON.parse(sessions.stdout)).toHaveLength(1)
})

it('after it was killed, the next one begins with a keyboard as the shell knows it', async () => {
  await using opened = await open([textAnswer('Hello.')], { script: `export RUN="$DSH" PS1='shell> '; exec bash --norc -i`, keys: 'stty -g; eval "$RUN"\r' })
  const { tty, pid } = opened
  // What the terminal answers to the program that begins is for that one, and not for the shell after it.
  await tty.screen()
  tty.type('typed')
  await tty.saw('typed')
  process.kill(pid, 'SIGKILL')
  await tty.saw('Killed')
  const from = tty.output.length
  tty.type('eval "$RUN"; code=$?; echo; echo "code $code"; stty -g\r')
  await tty.saw('ask mode')
  expect(tty.output.slice(from, tty.output.indexOf('\u001b[>7u', from))).toContain('\u001b[=0;1u\u001b[>4;0m')
  tty.type(CTRL_D)
  await tty.saw('code 0')
  await tty.saw('shell> ')
  tty.type('exit\r')

  expect(await opened.after()).toMatchObject({ isSame: true, code: '0' })
})

/** The program below the shell of the terminal. */
function childOf({ pid }: Terminal): number {
  return Number(execFileSync('pgrep', ['-P', String(pid), 'node'], { encoding: 'utf8' }))
}
