/** A session as one JSON document: what is stored, and what is known of it. Pure. */

import type { StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { maskChunks } from './mask-chunks.ts'
import { maskDeep, type Mask } from './mask-secrets.ts'

/** The line separators of Unicode are escaped: some readers take them for ends of lines. */
export function renderJson({ header, summary, damage, events }: StoredSession, mask: Mask): string {
  return `${stringify(maskDeep({ format: 'dsh-session', header, summary, damage, events: maskChunks(events, mask) }, mask))}\n`
}

/** JSON that stays on its lines whoever reads it. */
export function stringify(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(/[\u2028\u2029]/g, unit => `\\u${unit.charCodeAt(0).toString(16)}`)
}
