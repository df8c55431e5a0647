/** Lines typed on a terminal, asked for one at a time, while others write above them. */

import type { Interface } from 'node:readline'
import type { Terminal } from '@deepseek-ai/dsh-front-door'
import { discardInput, InputLane, readHiddenLine, TypedInput } from '@deepseek-ai/dsh-hidden-line'
import { EchoOutput } from './echo-output.ts'
import { Questions, type AskOptions, type Question } from './questions.ts'

/** Thrown by `ask` when there will be no more lines. */
export class InputEnded extends Error {
  override readonly name = 'InputEnded'
}

export interface LineReader {
  /**
   * Shows `prompt`, resolves with the next line; rejects with `InputEnded`, or
   * with the signal's reason. A question asked meanwhile goes first, unless it
   * `waits` for all the others. Only the last line of the prompt stays with
   * what is typed. What is typed while nothing is asked waits, and is not shown.
   */
  ask(prompt: string, signal: AbortSignal, options?: AskOptions): Promise<string>
  /**
   * As `ask`, of a line that is shown nowhere and kept nowhere; undefined when none was given. Questions that are
   * asked meanwhile wait for it, and for what is typed right behind it, which is thrown away.
   */
  askHidden(prompt: string, signal: AbortSignal): Promise<string | undefined>
  /** What came behind a line that `precedesSecret` is over: where no hidden question has taken what was typed for it, that is thrown away. */
  secretOver(): void
  /** Writes whole lines above the one that is being typed. */
  print(text: string): void
  /** Takes the line that is being typed, and what is typed meanwhile, off the screen until `release`, so that others can write there. */
  hold(): void
  release(): void
  /** Throws away what has been typed; false when that was nothing. */
  clearTyped(): boolean
  /** What has been typed, of which nobody knows yet. */
  readonly typed: string
  /** Ctrl-C on the terminal. */
  onInterrupt(listener: () => void): void
  close(): void
}

const THROWN_AWAY = '(What was typed right behind it is thrown away: it may belong to the key.)\n'

/** `stderr` gets prompts and echo, so that stdout holds nothing but answers. `typed` comes first, as if it had been typed. */
export function openLines({ stdin, stderr }: Terminal, typed = ''): LineReader {
  const isLive = stdin.isTTY === true && stderr.isTTY === true && process.env['TERM'] !== 'dumb'
  return new TerminalLines(new TypedInput(stdin, typed), new EchoOutput(stderr), isLive)
}

class TerminalLines implements LineReader {
  private readonly input: TypedInput
  /** The input of `lines`, which reads it only while a question is asked that may be seen. */
  private readonly lane: InputLane
  private readonly lines: Interface
  private readonly out: EchoOutput
  /** The terminal lets the cursor be moved. */
  private readonly isLive: boolean
  private readonly questions = new Questions()
  /** The hidden question that reads now. */
  private hidden: Question | undefined
  /** What is typed is being thrown away. */
  private isDiscarding = false
  /** Between a line that `precedesSecret` and its hidden question. */
  private isBeforeSecret = false
  /** What waits, and what follows it at once, is meant for a hidden question. */
  private isForSecret = false
  /** Aborted with `InputEnded`. */
  private readonly ending = new AbortController()

  constructor(input: TypedInput, out: EchoOutput, isLive: boolean) {
    this.input = input
    this.out = out
    this.isLive = isLive
    this.lane = new InputLane(input)
    const lines = readline().createInterface({ input: this.lane, output: out, terminal: isLive, historySize: 200 })
    this.lines = lines
    lines.on('history', (history: string[]) => {
      if (this.questions.top?.isPrivate?.(history[0] ?? '')) history.shift()
    })
    lines.on('line', line => this.take(line))
    lines.on('SIGTSTP', () => input.suspend())
    lines.on('close', () => this.end())
    input.on('back', () => {
      this.forgetPlace()
      if (!this.hidden) this.show()
    })
  }

  private take(line: string): void {
    const top = this.questions.takeTop()
    if (top?.precedesSecret?.(line)) this.isBeforeSecret = true
    // A pipe is not typed: its next line is for whoever asks next.
    this.isForSecret = this.isBeforeSecret && this.input.isTTY
    top?.resolve(line)
    this.show()
    this.route()
  }

  private end(): void {
    this.clear()
    const ended = new InputEnded('input ended')
    this.ending.abort(ended)
    this.input[Symbol.dispose]()
    this.out.isMuted = false
    this.out.isHidden = false
    this.out.detach()
    for (const { reject } of this.questions.takeAll()) reject(ended)
  }

  async ask(prompt: string, signal: AbortSignal, options: AskOptions = {}): Promise<string> {
    const { promise, resolve, reject } = Promise.withResolvers<string>()
    // Only a hidden one can be given up.
    return await this.put({ ...options, prompt, isHidden: false, signal, resolve: (line = '') => resolve(line), reject }, promise)
  }

  async askHidden(prompt: string, signal: AbortSignal): Promise<string | undefined> {
    const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
    try {
      return await this.put({ prompt, isHidden: true, signal, resolve, reject }, promise)
    } catch (error) {
      if (error instanceof InputEnded) return undefined
      throw error
    }
  }

  private async put<T>(asked: Question, answer: Promise<T>): Promise<T> {
    const { prompt, signal } = asked
    signal.throwIfAborted()
    this.ending.signal.throwIfAborted()
    const end = prompt.lastIndexOf('\n') + 1
    if (end > 0) this.print(prompt.slice(0, end))
    const question = { ...asked, prompt: prompt.slice(end) }
    const onAbort = (): void => this.giveUp(question)
    signal.addEventListener('abort', onAbort, { once: true })
    this.clear()
    this.questions.add(question)
    if (!this.hidden) this.show()
    this.route()
    try {
      return await answer
    } finally {
      signal.removeEventListener('abort', onAbort)
    }
  }

  private giveUp(question: Question): void {
    this.clear()
    if (this.questions.remove(question)) question.reject(question.signal.reason)
    if (!this.hidden) this.show()
    this.route()
  }

  /** Says who gets what is typed. */
  private route(): void {
    if (this.hidden || this.isDiscarding || this.hasEnded) return
    const { top } = this.questions
    // A conversation goes on when what was to ask for a secret is over.
    if (!top || (top.waits && this.isBeforeSecret)) this.input.passTo(undefined)
    else if (top.isHidden) void this.readHidden(top)
    else if (this.isForSecret) void this.discard()
    else this.input.passTo(this.lane)
  }

  private async readHidden(question: Question): Promise<void> {
    this.hidden = question
    let hadMore = false
    try {
      const { line, hasMore } = await readHiddenLine(this.input, {
        ask: () => this.show(),
        over: () => this.reveal(),
        signal: AbortSignal.any([question.signal, this.ending.signal]),
      })
      hadMore = hasMore
      question.resolve(line)
    } catch (error) {
      question.reject(error)
    }
    this.hidden = undefined
    this.questions.remove(question)
    this.isBeforeSecret = false
    this.isForSecret = false
    this.goOn(hadMore)
  }

  secretOver(): void {
    if (!this.isBeforeSecret) return
    this.isBeforeSecret = false
    this.isForSecret = false
    if (!this.isDiscarding) void this.discard()
  }

  private async discard(): Promise<void> {
    this.clear()
    this.isDiscarding = true
    this.isForSecret = false
    try {
      this.goOn(await discardInput(this.input, this.ending.signal))
    } catch (error) {
      if (!(error instanceof InputEnded)) throw error
    }
  }

  /** What was to be thrown away is. */
  private goOn(hadMore: boolean): void {
    this.isDiscarding = false
    if (hadMore) this.print(THROWN_AWAY)
    else this.show()
    this.route()
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
    this.isDiscarding = true
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

  get typed(): string {
    return (this.isLive ? this.lines.line : '') + this.input.waiting
  }

  onInterrupt(listener: () => void): void {
    this.lines.on('SIGINT', listener)
    this.input.on('interrupt', listener)
  }

  close(): void {
    this.lines.close()
  }

  private get hasEnded(): boolean {
    return this.ending.signal.aborted
  }

  private get isShown(): boolean {
    return this.questions.top !== undefined && !this.hasEnded && !this.out.isMuted && !this.isDiscarding
  }

  private show(): void {
    const { top } = this.questions
    if (!top || !this.isShown) return
    if (top.isHidden) {
      if (top !== this.hidden) return
      this.out.isHidden = true
      return this.writeBeside(top.prompt)
    }
    this.lines.setPrompt(top.prompt)
    this.lines.prompt(true)
  }

  /** Takes prompt and typed text away, which may fill several rows. */
  private clear(): void {
    if (!this.isLive || !this.isShown || this.out.isHidden) return
    const { clearScreenDown, cursorTo, moveCursor } = readline()
    const { rows } = this.lines.getCursorPos()
    if (rows > 0) moveCursor(this.out, 0, -rows)
    cursorTo(this.out, 0)
    clearScreenDown(this.out)
    this.forgetPlace()
  }

  /** What the interface remembers of where it last drew does not hold any more. */
  private forgetPlace(): void {
    Object.assign(this.lines, { prevRows: 0 })
  }
}

/** One shot that asks nothing does without it. */
function readline(): typeof import('node:readline') {
  return process.getBuiltinModule('node:readline')
}
