/** The vocabulary of the stand-in: calls, what they gave, and how far a command has come. Types only. */

import type { JsonObject } from '@deepseek-ai/dsh-json'

export interface PlannedCall {
  name: string
  arguments: JsonObject
}

/** A call with what came back. */
export interface Outcome extends PlannedCall {
  text: string
  /** The tool said so itself: refused, failed, cancelled. */
  isError: boolean
}

/** How far one command has come: more calls at once, or its report. */
export type Progress =
  | { kind: 'calls'; calls: PlannedCall[] }
  /** `ok` false keeps the commands behind this one from being carried out. */
  | { kind: 'done'; report: string; ok: boolean }
