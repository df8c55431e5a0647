/** The parts of the screen from top to bottom: what was said, what runs, what is queued, where the user types, the status. */

import { Container, Editor, ProcessTerminal, wrapTextWithAnsi, type Component } from '@earendil-works/pi-tui'
import { createTheme, Highlighter, InlineScreen, renderMarkdown, useColor, type PartStyle, type Theme } from '@deepseek-ai/dsh-terminal-view'
import { stripControls } from '@deepseek-ai/dsh-text'
import { Activity } from './activity.ts'
import { ChoicePanel, type PanelChoice } from './choice-panel.ts'
import { editorTheme } from './editor-theme.ts'
import { LinesItem, Transcript } from '@deepseek-ai/dsh-transcript'
import { PromptSlot } from './prompt-slot.ts'

export class ReplScreen {
  readonly theme: Theme
  readonly style: PartStyle
  readonly screen: InlineScreen
  readonly transcript: Transcript
  readonly activity: Activity
  readonly editor: Editor
  readonly slot: PromptSlot
  /** What changes with the session: queue and status. */
  readonly #queuePlace = new Container()
  readonly #statusPlace = new Container()
  #isUp = false

  constructor(env: NodeJS.ProcessEnv) {
    this.theme = createTheme({ color: useColor(env, true) })
    this.style = { theme: this.theme, highlighter: new Highlighter(this.theme) }
    const screen = new InlineScreen(new ProcessTerminal(), { countsWrapsBelow: env['TERM_PROGRAM'] === 'vscode' })
    this.screen = screen
    this.transcript = new Transcript({
      get width() {
        return Math.max(1, screen.terminal.columns)
      },
      finish: lines => screen.finish(lines),
      requestRender: () => screen.requestRender(),
    })
    this.activity = new Activity(this.theme, () => screen.requestRender())
    this.editor = new Editor(screen, editorTheme(this.theme))
    screen.addChild(this.transcript)
    screen.addChild(this.activity)
    screen.addChild(this.#queuePlace)
    this.slot = new PromptSlot(screen, this.editor)
    screen.addChild(this.slot)
    screen.addChild(this.#statusPlace)
  }

  start(): void {
    this.#isUp = true
    this.screen.start()
  }

  /** Gives the terminal back as it was; what has been said stays. */
  stop(): void {
    if (!this.#isUp) return
    this.#isUp = false
    this.activity.stop()
    this.screen.stop()
  }

  /** Lets the shell have the terminal until it brings this process to the front again. */
  suspend(): void {
    this.screen.stop()
    process.once('SIGCONT', () => {
      if (this.#isUp) this.screen.start()
    })
    process.kill(process.pid, 'SIGTSTP')
  }

  /** Puts the parts that belong to a session in their places. */
  place(queue: Component, status: Component): void {
    this.#queuePlace.clear()
    this.#queuePlace.addChild(queue)
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
      onChoose: ([value]) => settle(value),
      onCancel: () => settle(undefined),
    }), signal)
  }

  /** Markdown for the user alone. */
  showMarkdown(markdown: string): void {
    this.transcript.add(new LinesItem(width => ['', ...renderMarkdown(markdown, width, this.style)]))
  }

  /** A notice among what was said; `text` is stripped or styled already. */
  note(text: string): void {
    this.transcript.add(LinesItem.of(text))
  }
}
