/** Lines typed on a terminal, asked for one at a time, while others write above them. */

import { clearScreenDown, createInterface, cursorTo, moveCursor, type Interface } from 'node:readline'
import type { Terminal } from '@deepseek-ai/dsh-front-door'
import { EchoOutput } from './echo-output.ts'

/** Thrown by `ask` when there will be no more lines. */
export class InputEnded extends Error {
  override readonly name = 'InputEnded'
}

export interface LineReader {
  /**
   * Shows `prompt`, resolves with the next line; rejects with `InputEnded`, or
   * with the signal's reason. A question asked meanwhile goes first, unless it
   * `waits` for all the others. Only the last line of the prompt stays with
   * what is typed.
   */
  ask(prompt: string, signal: AbortSignal, options?: { waits?: boolean }): Promise<string>
  /**
   * As `ask`, of a line that is shown nowhere and kept nowhere. Questions that are asked meanwhile wait
   * for it. Absent where the terminal cannot be kept from showing what is typed.
   */
  askHidden?(prompt: string, signal: AbortSignal): Promise<string>
  /** Writes whole lines above the one that is being typed. */
  print(text: string): void
  /** Takes the line that is being typed, and what is typed meanwhile, off the screen until `release`, so that others can write there. */
  hold(): void
  release(): void
  /** Throws away what has been typed; false when that was nothing. */
  clearTyped(): boolean
  /** Ctrl-C on the terminal. */
  onInterrupt(listener: () => void): void
  close(): void
}

interface Waiting {
  /** The last line of the prompt. */
  prompt: string
  isHidden: boolean
  resolve(line: string): void
  reject(reason: unknown): void
}

/** `stderr` gets prompts and echo, so that stdout holds nothing but answers. */
export function openLines({ stdin, stderr }: Terminal): LineReader {
  const isLive = stdin.isTTY === true && stderr.isTTY === true && process.env['TERM'] !== 'dumb'
  const echo = new EchoOutput(stderr)
  return new TerminalLines(createInterface({ input: stdin, output: echo, terminal: isLive, historySize: 200 }), echo, isLive)
}

class TerminalLines implements LineReader {
  private readonly lines: Interface
  private readonly out: EchoOutput
  /** The terminal lets the cursor be moved. */
  private readonly isLive: boolean
  /** The last one is asked now. */
  private readonly waiting: Waiting[] = []
  /** Typed before anybody asked. */
  private readonly early: string[] = []
  private hasEnded = false
  /** Only what is typed with a line editor of our own can be kept from being seen. */
  readonly askHidden?: (prompt: string, signal: AbortSignal) => Promise<string>

  constructor(lines: Interface, out: EchoOutput, isLive: boolean) {
    this.lines = lines
    this.out = out
    this.isLive = isLive
    if (isLive) this.askHidden = async (prompt, signal) => await this.put(prompt, { isHidden: true, signal })
    lines.on('history', (history: string[]) => {
      if (this.waiting.at(-1)?.isHidden) history.shift()
    })
    lines.on('line', line => {
      const top = this.waiting.pop()
      if (top?.isHidden) this.reveal()
      if (top) top.resolve(line)
      else this.early.push(line)
      this.show()
    })
    // Back from Ctrl-Z: the interface pauses itself, and paused input keeps no process alive.
    lines.on('SIGCONT', () => {
      lines.resume()
      this.show()
    })
    lines.on('close', () => {
      this.clear()
      this.hasEnded = true
      out.isMuted = false
      out.isHidden = false
      out.detach()
      for (const { reject } of this.waiting.splice(0)) reject(new InputEnded('input ended'))
    })
  }

  async ask(prompt: string, signal: AbortSignal, { waits = false } = {}): Promise<string> {
    signal.throwIfAborted()
    const line = this.early.shift()
    return line ?? (await this.put(prompt, { isHidden: false, waits, signal }))
  }

  private async put(prompt: string, { isHidden, waits = false, signal }: { isHidden: boolean; waits?: boolean; signal: AbortSignal }): Promise<string> {
    signal.throwIfAborted()
    if (this.hasEnded) throw new InputEnded('input ended')
    const end = prompt.lastIndexOf('\n') + 1
    if (end > 0) this.print(prompt.slice(0, end))
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    const entry: Waiting = { prompt: prompt.slice(end), isHidden, resolve, reject }
    const onAbort = (): void => {
      this.clear()
      if (this.waiting.at(-1) === entry && isHidden) this.reveal()
      this.waiting.splice(this.waiting.indexOf(entry), 1)
      reject(signal.reason)
      this.show()
    }
    signal.addEventListener('abort', onAbort, { once: true })
    this.clear()
    const top = this.waiting.at(-1)
    if (waits) this.waiting.unshift(entry)
    // What is being typed unseen must not become the answer to something else.
    else if (top?.isHidden) this.waiting.splice(-1, 0, entry)
    else this.waiting.push(entry)
    if (!top?.isHidden) this.show()
    try {
      return await promise
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  print(text: string): void {
    const { isMuted } = this.out
    this.clear()
    this.out.isMuted = false
    if (this.out.isHidden) this.writeBeside(`\n${text}`)
    else this.out.write(text)
    this.out.isMuted = isMuted
    this.show()
  }

  /** While something is typed unseen. */
  private writeBeside(text: string): void {
    this.out.isHidden = false
    this.out.write(text)
    this.out.isHidden = true
  }

  /** The line that was typed unseen is over. */
  private reveal(): void {
    this.out.isHidden = false
    this.out.write('\n')
  }

  hold(): void {
    this.clear()
    this.out.isMuted = true
  }

  release(): void {
    if (!this.out.isMuted) return
    this.out.isMuted = false
    this.show()
  }

  clearTyped(): boolean {
    if (!this.isLive || this.lines.line === '') return false
    this.lines.write(null, { ctrl: true, name: 'e' })
    this.lines.write(null, { ctrl: true, name: 'u' })
    return true
  }

  onInterrupt(listener: () => void): void {
    this.lines.on('SIGINT', listener)
  }

  close(): void {
    this.lines.close()
  }

  private get isShown(): boolean {
    return this.waiting.length > 0 && !this.hasEnded && !this.out.isMuted
  }

  private show(): void {
    const top = this.waiting.at(-1)
    if (!top || !this.isShown) return
    if (top.isHidden) {
      this.out.isHidden = true
      return this.writeBeside(top.prompt)
    }
    this.lines.setPrompt(top.prompt)
    this.lines.prompt(true)
  }

  /** Takes prompt and typed text away, which may fill several rows. */
  private clear(): void {
    if (!this.isLive || !this.isShown || this.out.isHidden) return
    const { rows } = this.lines.getCursorPos()
    if (rows > 0) moveCursor(this.out, 0, -rows)
    cursorTo(this.out, 0)
    clearScreenDown(this.out)
    // What the interface remembers of where it last drew does not hold any more.
    Object.assign(this.lines, { prevRows: 0 })
  }
}
