/** Tells on stderr what a run is doing, one line for each thing worth knowing. Pure over events. */

import { stripControls } from '@deepseek-ai/dsh-text'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { RunRequest } from '@deepseek-ai/dsh-front-door'
import { renderCall, renderResult } from './render-call.ts'

/** The line for one event, without its newline; undefined when it is not worth one at this verbosity. */
export function renderProgress(event: SessionEvent, verbosity: RunRequest['verbosity']): string | undefined {
  if (verbosity === 'quiet') return undefined
  switch (event.type) {
    case 'tool/call':
      return renderCall(event.data)
    case 'tool/result':
      return event.data.isError || verbosity === 'verbose' ? renderResult(event.data) : undefined
    case 'llm/attempt':
      return stripControls(renderAttempt(event.data))
    default:
      return verbosity === 'verbose' && event.type !== 'assistant/chunk' ? `  · ${event.seq} ${event.type}` : undefined
  }
}

function renderAttempt({ attempt, error, retryInMs }: Extract<SessionEvent, { type: 'llm/attempt' }>['data']): string {
  const next = retryInMs === undefined ? 'giving up' : `trying again in ${(retryInMs / 1000).toFixed(1)} s; what was streamed so far does not count`
  return `! request attempt ${attempt} failed: ${error.message} [${error.code}]; ${next}`
}
