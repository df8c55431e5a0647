/** Input that was accepted and not yet claimed: a fold of the `inbox/*` events. Pure over events. */

import type { ContentBlock, MessageSource } from '@deepseek-ai/dsh-llm'
import type { InboxTarget, SessionEvent } from '@deepseek-ai/dsh-session'

export interface QueuedInput {
  id: string
  target: InboxTarget
  content: ContentBlock[]
  source: MessageSource
}

export class Inbox {
  private readonly pending = new Map<string, QueuedInput>()

  constructor(events: Iterable<SessionEvent> = []) {
    for (const event of events) this.advance(event)
  }

  /** An id that is claimed or dropped twice, or was never queued, changes nothing. */
  advance(event: SessionEvent): void {
    if (event.type === 'inbox/queued') this.pending.set(event.data.id, event.data)
    else if (event.type === 'inbox/claimed' || event.type === 'inbox/dropped') {
      for (const id of event.data.ids) this.pending.delete(id)
    }
  }

  get size(): number {
    return this.pending.size
  }

  has(id: string): boolean {
    return this.pending.has(id)
  }

  /** Everything pending, oldest first. */
  all(): QueuedInput[] {
    return [...this.pending.values()]
  }

  /** What waits for a step of the open turn. */
  steering(): QueuedInput[] {
    return this.all().filter(({ target }) => target === 'step')
  }
}
