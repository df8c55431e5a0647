/** A conversation at a terminal: keys, what is sent, and which session is on the screen. */

import { isKeyRelease, matchesKey } from '@earendil-works/pi-tui'
import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type { Answerer } from '@deepseek-ai/dsh-approval'
import type { CommandDoor } from '@deepseek-ai/dsh-commands'
import { describeError } from '@deepseek-ai/dsh-errors'
import { EXIT, exitCodeOfSignal, isAtWork, openAgent, openForRun, renderFarewell, wrapFor, type ExitCode, type Interrupt, type OpenedAgent, type SessionStart } from '@deepseek-ai/dsh-front-door'
import { stripControls } from '@deepseek-ai/dsh-text'
import { answerOnScreen } from './answer-on-screen.ts'
import { Conversation } from './conversation.ts'
import { Interrupts } from './interrupts.ts'
import { prewarm } from './prewarm.ts'
import { PromptInput } from './prompt-input.ts'
import type { ReplScreen } from './repl-screen.ts'
import { runShellLine } from './run-shell-line.ts'

/** What is over sooner is not announced. */
const UNTOLD_MS = 300

const POLL_MS = 20

/** A path that begins with a slash is none. */
const COMMAND = /^\/[A-Za-z0-9][A-Za-z0-9:_-]*(?:\s|$)/

export class Repl {
  readonly #ctx: Context
  readonly #screen: ReplScreen
  readonly #interrupts: Interrupts
  readonly #leaving = Promise.withResolvers<ExitCode>()
  readonly #input: PromptInput
  #conversation: Conversation | undefined
  /** The plugin has gone, or the user is going. */
  #isOver = false
  /** A command or a shell line that is running, to be stopped by Esc. */
  #side: AbortController | undefined

  constructor(ctx: Context, screen: ReplScreen) {
    this.#ctx = ctx
    this.#screen = screen
    this.#input = new PromptInput(ctx, screen, { agent: () => this.#conversation?.agent, complain: error => this.#complain(error) })
    const isRunning = (): boolean => this.#isRunning
    this.#interrupts = new Interrupts({
      get isRunning() {
        return isRunning()
      },
      clearTyped: () => this.#input.discard(),
      stop: () => this.stop(),
      leave: () => this.leave(EXIT.interrupted),
      say: text => screen.note(screen.theme.dim(text)),
    })
  }

  /** For `ctx.approval`: questions stand where the user types. */
  get answerer(): Answerer {
    return answerOnScreen(this.#ctx, this.#screen, {
      waiting: (callId, isWaiting) => this.#conversation?.view.waiting(callId, isWaiting),
      isShown: agent => this.#conversation?.agent === agent,
    })
  }

  /** Resolves with the exit code when the user leaves. */
  async run(): Promise<ExitCode> {
    const ctx = this.#ctx
    const { frontDoor } = ctx
    const before = frontDoor.remembered
    const opened = await this.#holdingQueue(() => openForRun(ctx))
    if (typeof opened === 'string') return exitCodeOfSignal(opened)
    // What was said stands there whole with the first frame.
    if (opened.agent.session.seq > 0) await this.#screen.style.markdown.load()
    // Unloaded meanwhile: the terminal is another's.
    if (this.#isOver) return EXIT.completed
    const { screen, editor } = this.#screen
    // Until the plugin goes: no edit is applied while the user leaves.
    ctx.on('front-door/reload', signal => this.#untilCalm(signal))
    const stops = [
      ctx.on('front-door/interrupt', signal => this.#interrupted(signal)),
      screen.addInputListener(data => this.#key(data)),
    ]
    editor.onSubmit = text => void this.#submit(text)
    const living = new AbortController()
    const keys = frontDoor.takeKeys()
    this.#screen.start()
    try {
      // What is on the screen already is not said twice.
      const isBack = before?.agent.session.id === opened.agent.session.id
      if (!isBack) this.#greet(opened)
      stops.push(frontDoor.tellThrough(text => this.#tell(text)))
      this.#show(opened, { isBack })
      editor.load(frontDoor.takeDraft() ?? '')
      this.#screen.feed(keys)
      // At once: otherwise the first frame waits until it is far enough from one that was asked for before there was a screen.
      screen.requestRender(true)
      const prompt = frontDoor.takePrompt()
      if (prompt !== undefined) void this.#begin(prompt, opened.agent)
      else void prewarm(ctx, { agent: opened.agent, input: this.#input, style: this.#screen.style, signal: living.signal })
      return await this.#leaving.promise
    } finally {
      const current = this.#conversation
      living.abort(new Error('the user left'))
      current?.close()
      this.#side?.abort(new Error('the user left'))
      current?.agent.cancel('the user left', { queue: 'keep' })
      await this.#screen.recall()
      await this.#screen.drain()
      this.#screen.stop()
      for (const stop of stops) stop()
      await this.keepDraft()
      this.#input[Symbol.dispose]()
      if (current && frontDoor.request.verbosity !== 'quiet') frontDoor.terminal.stderr.write(wrapFor(frontDoor.terminal, renderFarewell(current.opened)))
      await current?.opened.dispose()
    }
  }

  /** What is half typed goes to what was typed before. Never rejects. */
  async keepDraft(): Promise<void> {
    await this.#input.keepDraft().catch((error: unknown) => this.#ctx.logger.debug('the draft is not kept: %s', error))
  }

  /** Makes way for another one. */
  async unload(): Promise<void> {
    const { frontDoor } = this.#ctx
    this.#isOver = true
    await this.#screen.recall()
    this.#screen.stop()
    frontDoor.keepKeys()
    await this.keepDraft()
  }

  leave(code: ExitCode): void {
    this.#isOver = true
    this.#leaving.resolve(code)
  }

  /** Stops what runs; what is queued stays. */
  stop(): void {
    this.#side?.abort(new Error('stopped by the user'))
    this.#conversation?.agent.cancel('stopped by the user', { queue: 'keep' })
  }

  /** Nothing is asked, no command is running, and no program has the terminal. For one who leaves that is never so. */
  async #untilCalm(signal: AbortSignal): Promise<void> {
    const { slot } = this.#screen
    while ((this.#isOver || slot.isAsking || this.#side !== undefined || this.#screen.isLent) && !signal.aborted) await new Promise(resolve => setTimeout(resolve, POLL_MS))
  }

  get #isRunning(): boolean {
    return this.#side !== undefined || this.#isAgentRunning
  }

  get #isAgentRunning(): boolean {
    const agent = this.#conversation?.agent
    return agent !== undefined && isAtWork(agent)
  }

  /** What is no part of the conversation: a notice of the program, a line of the log. */
  #tell(text: string): void {
    const { theme } = this.#screen
    const line = stripControls(text).trimEnd().replace(/^dsh: /, '')
    this.#screen.note(/^(?:debug|info): /.test(line) ? line.split('\n').map(theme.dim).join('\n') : `${theme.warning('!')} ${line}`)
  }

  #greet({ agent }: OpenedAgent): void {
    const { request } = this.#ctx.frontDoor
    if (request.verbosity === 'quiet') return
    const { theme } = this.#screen
    this.#screen.note(`${theme.bold('dsh')} ${theme.dim(stripControls(`in ${agent.session.header.cwd ?? request.cwd}. Enter sends, / lists commands, ? shows the keys, Ctrl-C stops, Ctrl-D leaves.`))}`)
  }

  #show(opened: OpenedAgent, { isBack = false } = {}): void {
    this.#conversation?.close()
    this.#conversation = new Conversation(this.#ctx, opened, this.#screen)
    this.#conversation.showPast({ isKnown: isBack })
    this.#input.open(opened.agent)
  }

  /** Goes on with another session; the one before is stopped and stays stored. */
  async #open(start: SessionStart): Promise<void> {
    const ctx = this.#ctx
    const before = this.#conversation
    const request = { ...ctx.frontDoor.request, session: { start, isStored: true }, agentOptions: before?.agent.options ?? ctx.frontDoor.request.agentOptions }
    const opened = await this.#holdingQueue(() => openAgent(ctx, request, AbortSignal.timeout(60_000)))
    before?.close()
    before?.agent.cancel('another session was opened', { queue: 'keep' })
    this.#conversation = undefined
    await before?.opened.dispose()
    ctx.frontDoor.remember(opened)
    this.#show(opened)
  }

  #key(data: string): { consume: true } | undefined {
    const { attention, colors, editor, slot, screen } = this.#screen
    if (attention.take(data) || colors.take(data)) return { consume: true }
    // Terminals with the newer keyboard protocol also tell when a key is let go.
    if (isKeyRelease(data)) return { consume: true }
    // What the user called for, such as the search, goes first.
    if (matchesKey(data, 'ctrl+c') && slot.isAsking && !this.#isAgentRunning) return undefined
    if (matchesKey(data, 'ctrl+c')) return this.#consumed(() => this.#interrupts.next())
    this.#interrupts.forget()
    if (slot.keepsKey(data)) return { consume: true }
    if (matchesKey(data, 'ctrl+z')) return this.#consumed(() => this.#screen.suspend())
    if (matchesKey(data, 'ctrl+l')) return this.#consumed(() => screen.requestRender(true))
    if (matchesKey(data, 'ctrl+o')) return this.#consumed(() => this.#unfold())
    if (slot.isAsking) return undefined
    if (matchesKey(data, 'shift+tab')) return this.#consumed(() => this.#nextMode())
    if (matchesKey(data, 'escape') && this.#isRunning && !editor.wantsEscape) return this.#consumed(() => this.stop())
    if (matchesKey(data, 'ctrl+d') && editor.getText() === '') return this.#consumed(() => this.leave(EXIT.completed))
    if (matchesKey(data, 'alt+enter') && editor.getText().trim() !== '') return this.#consumed(() => this.#queue())
    if (matchesKey(data, 'alt+up')) return this.#consumed(() => this.#takeBack())
    return undefined
  }

  #consumed(work: () => void): { consume: true } {
    work()
    // The library draws after keys that reach one of its parts, and this one does not.
    this.#screen.screen.requestRender()
    return { consume: true }
  }

  async #submit(raw: string): Promise<void> {
    const text = raw.trim()
    const agent = this.#conversation?.agent
    if (!agent) return
    if (text === '') return this.#wakeQueue(agent)
    if (this.#input.withholds(text)) return
    this.#input.remember(text)
    // Leaving waits for nothing.
    if (this.#side && /^\/(?:quit|exit)$/.test(text)) return this.leave(EXIT.completed)
    try {
      if (text === '/') await this.#command('/help', agent)
      else if (COMMAND.test(text)) await this.#command(text, agent)
      else if (text.startsWith('!') && text.length > 1) await this.#aside(signal => runShellLine(this.#ctx, this.#screen, { agent, command: text.slice(1).trim(), signal }))
      else await this.#input.send(text, 'step')
    } catch (error) {
      this.#complain(error)
    }
  }

  /** What stands on the command line: a command, as if it were typed, or the first message. */
  async #begin(prompt: string, agent: Agent): Promise<void> {
    if (COMMAND.test(prompt) || prompt.startsWith('!')) await this.#submit(prompt)
    else agent.send(prompt)
  }

  async #command(line: string, agent: Agent): Promise<void> {
    const { commands } = this.#ctx
    this.#screen.note(this.#screen.theme.dim(`❯ ${stripControls(commands.isPrivate(line) ? line.replace(/\s[^]*/, ' …') : line)}`))
    const release = commands.asksSecret(line) ? this.#screen.slot.holdKeys(() => this.#tell('What was typed right behind it is thrown away: it may belong to the key.')) : undefined
    const result = await this.#aside(signal => commands.run(line, { agent, door: this.#door, signal })).finally(release)
    if (result?.kind === 'show') await this.#screen.showMarkdown(result.markdown)
    else if (result?.kind === 'prompt') agent.steer(result.content)
  }

  /** Work that is not the agent's, one at a time; Esc stops it, and nothing comes of it then. */
  async #aside<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (this.#side) throw new Error('something else is running; Esc stops it')
    const side = new AbortController()
    this.#side = side
    const { activity } = this.#screen
    const telling = setTimeout(() => activity.start(), UNTOLD_MS)
    try {
      return await work(side.signal)
    } catch (error) {
      if (error !== side.signal.reason) throw error
      this.#screen.note(this.#screen.theme.dim('stopped'))
      return undefined
    } finally {
      this.#side = undefined
      clearTimeout(telling)
      if (!this.#isRunning) activity.stop()
      this.#screen.screen.requestRender()
    }
  }

  get #door(): CommandDoor {
    const { editor, screen } = this.#screen
    return {
      choose: (title, choices, signal) => this.#screen.choose(title, choices, signal),
      askSecret: (question, signal) => this.#screen.askSecret(question, signal),
      open: start => this.#open(start),
      copy: async text => screen.terminal.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`),
      compose: text => editor.load(text),
      clear: () => screen.clearAll(),
      quit: () => this.leave(EXIT.completed),
    }
  }

  #queue(): void {
    const { editor } = this.#screen
    const text = editor.take().trim()
    // What is not for the model does not wait for it.
    if (COMMAND.test(text) || text.startsWith('!')) return void this.#submit(text)
    if (this.#input.withholds(text)) return
    this.#input.remember(text)
    void this.#input.send(text, 'turn')
  }

  /** The last message that waits comes back into the editor. */
  #takeBack(): void {
    const conversation = this.#conversation
    const last = conversation?.queue.queued.at(-1)
    if (!conversation || !last || !conversation.agent.unqueue(last.id)) return
    const { editor } = this.#screen
    const typed = editor.getExpandedText()
    const text = this.#input.takeBack(last.content)
    editor.load(typed.trim() === '' ? text : `${text}\n${typed}`)
  }

  /** What waits after a stop, or since another time, goes on with an Enter where nothing is typed. */
  #wakeQueue(agent: Agent): void {
    const last = this.#conversation?.queue.queued.at(-1)
    if (this.#isRunning || !last || !agent.unqueue(last.id, 'sent again')) return
    agent.send(last.content, { source: last.source })
  }

  /** What an opened session has queued waits for the user, who sees it now for the first time. */
  async #holdingQueue<T>(open: () => Promise<T>): Promise<T> {
    const off = this.#ctx.on('agent/created', agent => agent.cancel('what is queued waits for the user', { queue: 'keep' }))
    try {
      return await open()
    } finally {
      off()
    }
  }

  #interrupted(signal: Interrupt): void {
    if (signal !== 'SIGINT') return this.leave(exitCodeOfSignal(signal))
    // Ctrl-C within the user's own editor reaches every process of the terminal.
    if (!this.#screen.isLent) this.#interrupts.next()
  }

  #nextMode(): void {
    const session = this.#conversation?.agent.session
    const { approval } = this.#ctx
    const modes = approval.modes().map(({ name }) => name)
    if (!session || modes.length === 0) return
    const next = modes[(modes.indexOf(approval.modeOf(session) ?? '') + 1) % modes.length]
    if (next !== undefined) approval.setMode(session, next)
    this.#screen.screen.requestRender()
  }

  #unfold(): void {
    const folded = this.#conversation?.view.folded
    const { theme } = this.#screen
    if (folded) this.#screen.note(`${theme.bold(stripControls(folded.title))}\n${theme.hasColor ? stripControls(folded.text).split('\n').map(theme.dim).join('\n') : stripControls(folded.text)}`)
  }

  #complain(error: unknown): void {
    this.#screen.note(`${this.#screen.theme.error('!')} ${stripControls(describeError(error))}`)
  }
}
