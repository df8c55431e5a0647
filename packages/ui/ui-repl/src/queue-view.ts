/** What the user has sent and the model has not seen yet. */

import { truncateToWidth, type Component } from '@earendil-works/pi-tui'
import { typedText } from '@deepseek-ai/dsh-prompt-content'
import type { SessionEvent, SessionEventMap } from '@deepseek-ai/dsh-session'
import type { Theme } from '@deepseek-ai/dsh-terminal-view'
import { stripControls } from '@deepseek-ai/dsh-text'

type Queued = SessionEventMap['inbox/queued']

export class QueueView implements Component {
  readonly #theme: Theme
  readonly #isRunning: () => boolean
  readonly #queued = new Map<string, Queued>()

  constructor(theme: Theme, events: Iterable<SessionEvent>, isRunning: () => boolean) {
    this.#theme = theme
    this.#isRunning = isRunning
    for (const event of events) this.advance(event)
  }

  advance(event: SessionEvent): void {
    if (event.type === 'inbox/queued') this.#queued.set(event.data.id, event.data)
    else if (event.type === 'inbox/claimed' || event.type === 'inbox/dropped') for (const id of event.data.ids) this.#queued.delete(id)
  }

  /** The user's own, newest last. */
  get queued(): Queued[] {
    return [...this.#queued.values()].filter(({ source }) => source.kind === 'user')
  }

  render(width: number): string[] {
    const { queued } = this
    const isRunning = this.#isRunning()
    if (queued.length === 0) return []
    const lines = queued.map(({ target, content }) => {
      const mark = !isRunning ? '⏎ waits' : target === 'step' ? '↳ next step' : '⏎ next turn'
      return truncateToWidth(this.#theme.dim(`${mark}: ${stripControls(typedText(content).slice(0, 1_000)).replace(/\s+/g, ' ')}`), width)
    })
    return ['', ...lines, this.#theme.dim(truncateToWidth(`${isRunning ? '' : 'Enter sends what waits · '}Alt-↑ takes the last one back`, width))]
  }

  invalidate(): void {
    // Nothing is kept between frames.
  }
}
