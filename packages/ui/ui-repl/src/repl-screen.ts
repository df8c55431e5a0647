/** The parts of the screen from top to bottom: what was said, what runs, what is queued, where the user types, the status. */

import { Container, wrapTextWithAnsi, type Component, type Terminal } from '@earendil-works/pi-tui'
import { PromptEditor } from '@deepseek-ai/dsh-prompt-editor'
import { ChoicePanel, PromptSlot, SecretPanel, type PanelChoice } from '@deepseek-ai/dsh-prompt-panels'
import type { PromptHistory } from '@deepseek-ai/dsh-prompt-history'
import { TerminalAttention, type AttentionOptions } from '@deepseek-ai/dsh-terminal-attention'
import { createTheme, FreshTerminal, Highlighter, InlineScreen, LentTerminal, MarkdownView, TerminalColors, useColor, type Loan, type PartStyle, type Theme } from '@deepseek-ai/dsh-terminal-view'
import { stripControls } from '@deepseek-ai/dsh-text'
import { Activity } from './activity.ts'
import { editorTheme } from './editor-theme.ts'
import { AnswerItem, LinesItem, Transcript } from '@deepseek-ai/dsh-transcript'

/** As much Markdown as is drawn within a few milliseconds. In UTF-16 units. */
const PIECE = 4_000

/** A terminal that answers has answered by then, also one that is far away. */
const ANSWERED_MS = 300

/** Whoever still runs so long after it should have stopped goes on. */
const NOT_STOPPED_MS = 200

/** What the screen is told by the configuration. */
export interface ScreenSettings extends Pick<AttentionOptions, 'notify' | 'afterSeconds' | 'title'> {
  keys: 'emacs' | 'vi'
  history: PromptHistory
}

export class ReplScreen {
  readonly colors: TerminalColors
  readonly theme: Theme
  readonly style: PartStyle
  readonly screen: InlineScreen
  readonly transcript: Transcript
  readonly activity: Activity
  readonly attention: TerminalAttention
  readonly editor: PromptEditor
  readonly history: PromptHistory
  readonly slot: PromptSlot
  /** For panels: what does not fit goes up for good. */
  readonly fit: { rows(): number; overflow(lines: readonly string[]): void }
  /** What changes with the session: what stands above the editor, and the status. */
  readonly #abovePlace = new Container()
  readonly #statusPlace = new Container()
  #isUp = false
  #upSince = 0
  #isOver = false
  #lent: LentTerminal | undefined

  constructor(env: NodeJS.ProcessEnv, { keys, history, ...attention }: ScreenSettings, terminal: Terminal = new FreshTerminal()) {
    const hasColor = useColor(env, true)
    this.colors = new TerminalColors(env, { isAsked: hasColor, onChange: () => this.screen.requestRender() })
    this.theme = createTheme({ color: hasColor, surroundings: () => this.colors.surroundings })
    this.style = { theme: this.theme, highlighter: new Highlighter(this.theme), markdown: new MarkdownView() }
    this.attention = new TerminalAttention({ ...attention, env, write: bytes => this.#isUp && terminal.write(bytes) })
    const screen = new InlineScreen(terminal, { countsWrapsBelow: env['TERM_PROGRAM'] === 'vscode', hasColor, modes: { enter: () => this.attention.modes.enter() + this.colors.query, leave: this.attention.modes.leave } })
    this.screen = screen
    this.transcript = new Transcript({
      get width() {
        return screen.width
      },
      finish: lines => screen.finish(lines),
      requestRender: () => screen.requestRender(),
    })
    this.activity = new Activity(this.theme, () => screen.requestRender(), () => this.slot.isAsking)
    this.history = history
    this.editor = new PromptEditor(screen, { theme: editorTheme(this.theme), history, keys, shellBorder: this.theme.warning })
    screen.addChild(this.transcript)
    screen.addChild(this.activity)
    screen.addChild(this.#abovePlace)
    this.fit = { rows: () => screen.terminal.rows, overflow: lines => screen.finish(['', ...lines]) }
    this.slot = new PromptSlot(screen, this.editor)
    screen.addChild(this.slot)
    screen.addChild(this.#statusPlace)
  }

  start(): void {
    this.#isUp = true
    this.#upSince = performance.now()
    this.screen.start()
  }

  /** As if it had been typed. */
  feed(keys: string): void {
    const { terminal } = this.screen
    if (terminal instanceof FreshTerminal) terminal.feed(keys)
  }

  /** What the terminal is asked at the start it answers to whoever reads by then: for one that leaves at once this waits, so that the shell does not. */
  async drain(): Promise<void> {
    const left = ANSWERED_MS - (performance.now() - this.#upSince)
    if (this.#isUp && left > 0) await this.screen.terminal.drainInput(left, left)
  }

  /** Gives the terminal back as it was, within the call, also for a process that ends by an error; what has been said stays. */
  crash(): void {
    this.stop()
    this.#lent?.end()
  }

  /** Gives the terminal back as it was; what has been said stays. */
  stop(): void {
    this.#isOver = true
    if (!this.#isUp) return
    this.#isUp = false
    this.activity.stop()
    this.screen.stop()
  }

  /** Lets the shell have the terminal until it brings this process to the front again. */
  suspend(): void {
    this.screen.stop()
    const goOn = (): void => {
      clearTimeout(timer)
      process.off('SIGCONT', goOn)
      try {
        if (this.#isUp) this.#resume()
      } catch {
        // The terminal cannot be had any more; it ends as it does when the terminal hangs up.
        process.kill(process.pid, 'SIGHUP')
      }
    }
    process.on('SIGCONT', goOn)
    // Where no shell could bring it back, the system does not stop it.
    const timer = setTimeout(goOn, NOT_STOPPED_MS)
    // As the terminal itself would: also those that started this process, such as npm.
    process.kill(0, 'SIGTSTP')
  }

  /** Whether a program has the terminal in the meantime. */
  get isLent(): boolean {
    return this.#lent !== undefined
  }

  /** Lets a program have the terminal until `work` is done. One that `wasKilled`, as the error of `work` says, may have left it in modes of its own. */
  async lend<T>(work: (loan: Loan) => Promise<T>, wasKilled: (error: unknown) => boolean): Promise<T> {
    const lent = new LentTerminal(this.screen.terminal)
    this.#lent = lent
    this.#isUp = false
    this.screen.stop()
    try {
      return await lent.during(work, wasKilled)
    } finally {
      this.#lent = undefined
      if (!this.#isOver) this.#resume()
    }
  }

  /** Ends a program that has the terminal: nobody comes back to it. */
  async recall(): Promise<void> {
    if (!this.#lent) return
    this.#isOver = true
    await this.#lent.recall()
  }

  #resume(): void {
    this.start()
    // For a frame that was asked for meanwhile the library would wait for ever.
    this.screen.requestRender(true)
  }

  /** Puts the parts that belong to a session in their places. */
  place(above: readonly Component[], status: Component): void {
    this.#abovePlace.clear()
    for (const each of above) this.#abovePlace.addChild(each)
    this.#statusPlace.clear()
    this.#statusPlace.addChild(status)
    this.screen.requestRender()
  }

  /** Lets the user choose; undefined for none. */
  async choose(title: string, choices: readonly PanelChoice[], signal: AbortSignal): Promise<string | undefined> {
    const { theme } = this
    return await this.slot.ask<string | undefined>(settle => new ChoicePanel({
      theme,
      head: width => wrapTextWithAnsi(theme.bold(stripControls(title)), width),
      choices,
      isFiltered: true,
      rows: () => this.screen.terminal.rows,
      requestRender: () => this.screen.requestRender(),
      onChoose: ([value]) => settle(value),
      onCancel: () => settle(undefined),
    }), signal)
  }

  /** Asks for what must not be seen; undefined for none. */
  async askSecret(question: string, signal: AbortSignal): Promise<string | undefined> {
    return await this.slot.ask<string | undefined>(onAnswer => new SecretPanel({ theme: this.theme, question, onAnswer }), signal, { isSecret: true })
  }

  /** Markdown for the user alone; of a long one a piece at a time, so that keys are taken in between. */
  async showMarkdown(markdown: string): Promise<void> {
    const item = new AnswerItem(this.style, () => this.transcript.changed())
    this.transcript.add(item)
    for (let from = 0; from < markdown.length; from += PIECE) {
      if (from > 0) await new Promise(resolve => setImmediate(resolve))
      item.push(markdown.slice(from, from + PIECE))
      this.transcript.changed()
    }
    item.end()
    this.transcript.changed()
  }

  /** A notice among what was said; `text` is stripped or styled already. */
  note(text: string): void {
    this.transcript.add(LinesItem.of(text))
  }
}
