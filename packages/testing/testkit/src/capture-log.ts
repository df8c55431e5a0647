/** Collects what a composition logs, so that a test can compare it. */

import { format } from 'node:util'
import type { Context } from 'cordis'

export interface CapturedLine {
  type: 'error' | 'info' | 'warn' | 'debug'
  /** The first line of the message: stacks differ from machine to machine. */
  text: string
}

/** Lines are added to the result until the calling plugin ends. */
export function captureLog(ctx: Context): CapturedLine[] {
  const lines: CapturedLine[] = []
  ctx.logger.exporter({
    export: ({ type, args }) => {
      lines.push({ type, text: format(...(args as [unknown, ...unknown[]])).split('\n')[0] ?? '' })
    },
  })
  return lines
}
