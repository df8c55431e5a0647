/**
 * Makes ready what the first message will need, after the first frame and while
 * nothing happens: the tables of character widths, the reader of Markdown, the
 * prompt and the way to the model. It changes nothing, asks no network, and a
 * failure of it is one that the message itself would meet and report.
 */

import { visibleWidth } from '@earendil-works/pi-tui'
import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import type {} from '@deepseek-ai/dsh-llm'
import type {} from '@deepseek-ai/dsh-session-persistence'
import type {} from '@deepseek-ai/dsh-system-prompt'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { PartStyle } from '@deepseek-ai/dsh-terminal-view'
import { SessionView, Transcript } from '@deepseek-ai/dsh-transcript'
import type { PromptInput } from './prompt-input.ts'

/** Between the steps keys are taken and frames drawn. */
const PAUSE_MS = 5

/** One of each: wide, joined, combined, and the marks of our own. */
const CHARACTERS = '❯↳●✗∴·…─漢👩‍👩‍👧e\u0301'

const SAMPLE = '# a\n\nb **c** *d* `e` [f](g) h\n\n- i\n\n1. j\n\n| k |\n|---|\n| l |\n\n> m\n\n---\n'

const WIDTH = 40

/** The first leaves a turn half as long as it was, the second another tenth. */
const REHEARSALS = 2

export interface PrewarmOptions {
  agent: Agent
  input: PromptInput
  style: PartStyle
  signal: AbortSignal
}

/** Ends at once when `signal` is aborted; never rejects. */
export async function prewarm(ctx: Context, { agent, input, style, signal }: PrewarmOptions): Promise<void> {
  const steps: (() => unknown)[] = [
    () => visibleWidth(CHARACTERS),
    () => style.markdown.load(),
    () => style.markdown.lines(SAMPLE, WIDTH, style),
    ...Array.from({ length: REHEARSALS }, () => async () => show(await ctx.get('agents')?.rehearse(), style)),
    () => input.rehearse(),
    () => ctx.get('sessionPersistence')?.rehearse(signal),
    () => ctx.get('systemPrompt')?.assemble(agent.scope),
    () => agent.options.model !== undefined && ctx.get('llm')?.prepare(agent.options.model, signal),
  ]
  for (const step of steps) {
    await new Promise(resolve => setTimeout(resolve, PAUSE_MS))
    if (signal.aborted) return
    try {
      await step()
    } catch (error) {
      ctx.logger.debug('not ready beforehand: %s', error)
    }
  }
}

/** On a screen that is none. */
function show(events: readonly SessionEvent[] | undefined, style: PartStyle): void {
  const transcript = new Transcript({ width: WIDTH, finish: () => {}, requestRender: () => {} })
  const view = new SessionView({ transcript, style, toolOf: () => undefined })
  for (const event of events ?? []) {
    view.show(event)
    transcript.render(WIDTH)
  }
  transcript.changed()
}
