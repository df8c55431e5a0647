/** The program in a pseudo-terminal, as a person meets it: keys go in, bytes come out. */

import type { Terminal as Emulator } from '@xterm/headless'
import { distribution, type Sandbox } from './program.ts'

export interface TerminalRun {
  code: number
  /** Everything that reached the terminal. */
  output: string
}

export interface Terminal {
  /** Keys as a terminal sends them; `\r` is Enter. */
  type(keys: string): void
  /** Resolves when the text has reached the terminal after what was waited for last; rejects when the program ends first. */
  saw(text: string): Promise<void>
  /** The whole of what has reached the terminal. */
  readonly output: string
  /** What a person sees now: the lines of the screen, without blanks at their ends, down to the last one that shows something. */
  screen(): Promise<string[]>
  /** Without the lines that have scrolled away. */
  visible(): Promise<string[]>
  resize(columns: number, rows: number): void
  /** Closes the terminal as a window does that is shut. */
  hangUp(): void
  /** Of the shell. */
  readonly pid: number
  readonly ended: Promise<TerminalRun>
}

export const CTRL_C = '\u0003'
export const CTRL_D = '\u0004'

export interface TerminalOptions {
  columns?: number
  rows?: number
  /** The emulator answers the questions that the program puts to the terminal, as real ones do. */
  hasReplies?: boolean
}

/** Longer silence fails the test with what the terminal shows. */
const PATIENCE_MS = 20_000

/** Runs a shell script in which `$DSH` is the program, with a terminal as all three streams. */
export async function terminal(box: Sandbox, script: string, env: NodeJS.ProcessEnv = {}, { columns = 100, rows = 30, hasReplies = false }: TerminalOptions = {}): Promise<Terminal> {
  const [{ spawn }, { default: headless }] = await Promise.all([import('@lydell/node-pty'), import('@xterm/headless')])
  const emulator = new headless.Terminal({ cols: Math.max(1, columns), rows: Math.max(1, rows), allowProposedApi: true })
  const program = `'${process.execPath}' '${await distribution()}'`
  const pty = spawn('bash', ['--norc', '--noprofile', '-c', script.replaceAll('$DSH', program)], {
    name: env['TERM'] ?? 'xterm-256color',
    cols: columns,
    rows,
    cwd: box.workspace.path,
    env: { ...box.env, ...env } as Record<string, string>,
  })
  if (hasReplies) emulator.onData(data => pty.write(data))
  let output = ''
  let seen = 0
  let over = false
  const waiting = new Set<() => void>()
  const wake = (): void => waiting.forEach(each => each())
  pty.onData(data => {
    output += data
    emulator.write(data)
    wake()
  })
  const ended = new Promise<TerminalRun>(resolve => {
    pty.onExit(({ exitCode, signal }) => {
      over = true
      resolve({ code: signal ? 128 + signal : exitCode, output })
      wake()
    })
  })
  const saw = (text: string): Promise<void> => until(waiting, () => {
    const at = output.indexOf(text, seen)
    if (at >= 0) seen = at + text.length
    else if (over) throw new Error(`the program ended without showing "${text}":\n${output}`)
    return at >= 0
  }, () => new Error(`the terminal does not show "${text}"; it shows:\n${output}`))
  return {
    // Behind what the terminal answers to what it was asked so far, which would otherwise come in the middle of the keys.
    type: keys => emulator.write('', () => pty.write(keys)),
    saw,
    screen: () => linesOf(emulator, 0),
    visible: () => linesOf(emulator, 'screen'),
    resize(newColumns, newRows) {
      // What has come is drawn at the old size, as it was meant.
      emulator.write('', () => {
        emulator.resize(newColumns, newRows)
        pty.resize(newColumns, newRows)
      })
    },
    hangUp: () => pty.kill('SIGHUP'),
    pid: pty.pid,
    get output() {
      return output
    },
    ended,
  }
}

/** Without blanks at their ends, down to the last one that shows something; all that are kept, or those on the screen. */
function linesOf(emulator: Emulator, from: 0 | 'screen'): Promise<string[]> {
  return new Promise(resolve => emulator.write('', () => {
    const { active } = emulator.buffer
    const lines = Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '').slice(from === 'screen' ? active.baseY : 0)
    resolve(lines.slice(0, lines.findLastIndex(line => line !== '') + 1))
  }))
}

/** Looks whenever something has come, until it is so; a throw of `isSo` and a long silence reject. */
function until(waiting: Set<() => void>, isSo: () => boolean, complain: () => Error): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => finish(() => reject(complain())), PATIENCE_MS)
    const look = (): void => {
      try {
        if (isSo()) finish(resolve)
      } catch (error) {
        finish(() => reject(error))
      }
    }
    function finish(settle: () => void): void {
      clearTimeout(timer)
      waiting.delete(look)
      settle()
    }
    waiting.add(look)
    look()
  })
}
