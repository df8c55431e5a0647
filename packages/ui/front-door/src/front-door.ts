/**
 * `ctx.frontDoor`: what the command line hands to the user interface that it
 * mounts. The interface reads the request, talks on the terminal, and says with
 * which code the process should end. It knows nothing of the process itself.
 */

import { Service, type Context } from 'cordis'
import type { ExitCode } from './exit-code.ts'
import { KeptKeys } from './kept-keys.ts'
import type { OpenedAgent } from './open-agent.ts'
import type { Interrupt, RunRequest, Terminal } from './types.ts'
import { wrapFor } from './wrap-for.ts'

declare module 'cordis' {
  interface Context {
    frontDoor: FrontDoor
  }
  interface Events {
    /** The user or the system asks the front door to stop what is running. */
    'front-door/interrupt'(signal: Interrupt): void
    /** The settings were edited and are about to be applied: an interface that may be loaded anew with them settles when nobody is in the middle of something, or when `signal` is aborted. */
    'front-door/reload'(signal: AbortSignal): void | Promise<void>
  }
}

/** Says how the run ended. */
export type LastWords = (error: unknown, message: string) => Promise<void>

export interface FrontDoorConfig {
  terminal: Terminal
  request: RunRequest
  /** The interface has a screen of its own: what is told before it is there waits for it, or for the end of the run. */
  holdsLines?: boolean
}

export class FrontDoor extends Service {
  static readonly provide = 'frontDoor'

  readonly terminal: Terminal
  readonly request: RunRequest
  /** Resolves when every row of the composition is up and work may begin. */
  readonly opened: Promise<void>
  /** Settles with the exit code; the first call of `finish` wins. */
  readonly finished: Promise<ExitCode>
  private readonly resolveOpened: () => void
  private readonly resolveFinished: (code: ExitCode) => void
  private readonly pending: { prompt?: string; draft?: string; isOver?: true; endedBy?: Interrupt }
  private readonly kept: KeptKeys
  private readonly latest: { opened?: OpenedAgent } = {}
  private readonly outlet: { write?: (text: string) => void; lastWords?: LastWords; held?: string[] } = {}

  constructor(ctx: Context, { terminal, request, holdsLines = false }: FrontDoorConfig) {
    super(ctx, 'frontDoor')
    this.terminal = terminal
    this.kept = new KeptKeys(terminal.stdin)
    this.request = request
    this.pending = { ...(request.prompt !== undefined && { prompt: request.prompt }) }
    const opened = Promise.withResolvers<void>()
    const finished = Promise.withResolvers<ExitCode>()
    this.opened = opened.promise
    this.resolveOpened = opened.resolve
    this.finished = finished.promise
    this.resolveFinished = finished.resolve
    if (holdsLines) this.outlet.held = []
    ctx.effect(() => () => this.release(), 'front door held lines')
    ctx.effect(() => () => void this.kept.take(), 'front door kept keys')
  }

  /** Called once the composition is up. */
  open(): void {
    this.resolveOpened()
  }

  /** The first message, once: an interface that is loaded anew must not send it again. */
  takePrompt(): string | undefined {
    const { prompt } = this.pending
    delete this.pending.prompt
    return prompt
  }

  /** What is half typed when an interface goes: for the one that takes its place, if one does. */
  leaveDraft(text: string): void {
    this.pending.draft = text
  }

  /** From now on what is typed waits for the interface that takes the place of the one that goes, unless the run is over. */
  keepKeys(): void {
    if (!this.pending.isOver) this.kept.keep()
  }

  /** What was typed while there was no interface. Call it before the terminal is taken. */
  takeKeys(): string {
    return this.kept.take()
  }

  takeDraft(): string | undefined {
    const { draft } = this.pending
    delete this.pending.draft
    return draft
  }

  /** Shows whole lines that are no part of the answer: through the interface when it wants them, else on stderr. */
  tell(text: string): void {
    const { write, held } = this.outlet
    if (write) write(text)
    else if (held) held.push(text)
    else this.terminal.stderr.write(text)
  }

  /** Writes what waits for a screen on stderr, for none will come; from now on nothing waits. */
  release(): void {
    for (const text of this.takeHeld()) this.terminal.stderr.write(wrapFor(this.terminal, text))
  }

  /** From now on `tell` writes through an interface that knows where its prompt stands, what has waited for it first. Answers the way back. */
  tellThrough(write: (text: string) => void): () => void {
    this.outlet.write = write
    for (const text of this.takeHeld()) write(text)
    return () => {
      if (this.outlet.write === write) delete this.outlet.write
    }
  }

  /** What the interface still has to say when the process ends by an error that nobody caught. Must not reject. Answers the way back. */
  onLastWords(say: LastWords): () => void {
    this.outlet.lastWords = say
    return () => {
      if (this.outlet.lastWords === say) delete this.outlet.lastWords
    }
  }

  /** Lets the interface say it. */
  async sayLastWords(error: unknown, message: string): Promise<void> {
    this.release()
    await this.outlet.lastWords?.(error, message)
  }

  /** The agent that was opened last for this run: an interface that is loaded anew goes on with its session. */
  get remembered(): OpenedAgent | undefined {
    return this.latest.opened
  }

  remember(opened: OpenedAgent): void {
    this.latest.opened = opened
  }

  /** The front door has nothing more to do. */
  finish(code: ExitCode): void {
    this.release()
    this.pending.isOver = true
    this.kept.take()
    this.resolveFinished(code)
  }

  /** The signal by which the process is to end, once there was one: also for an interface that comes only then. */
  get endedBy(): Interrupt | undefined {
    return this.pending.endedBy
  }

  /** Passes a signal of the process on to the front door. */
  interrupt(signal: Interrupt): void {
    if (signal !== 'SIGINT') this.pending.endedBy ??= signal
    this.ctx.root.emit('front-door/interrupt', signal)
  }

  private takeHeld(): string[] {
    const { held = [] } = this.outlet
    delete this.outlet.held
    return held
  }
}
