/**
 * One session for every version of the format that was ever written, as this
 * version must understand it. What SQLite had on disk for it lies in the golden
 * folder of that store; logs of lines have golden files of their own. A golden
 * file is never changed: a change of the format is a new version, with a step
 * in `upcast.ts` and a file of its own.
 */

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Message } from '@deepseek-ai/dsh-llm'
import type { SessionEvent, SessionHeader } from '@deepseek-ai/dsh-session'

export interface GoldenSession {
  /** The version that wrote it. */
  version: number
  /** In the current form. */
  header: SessionHeader
  events: SessionEvent[]
  /** What the model is told of it. */
  messages: Message[]
}

const FOLDER = join(import.meta.dirname, 'golden')

/** The oldest first. */
export function goldenSessions(): GoldenSession[] {
  const versions = readdirSync(FOLDER).map(name => Number(/^v(\d+)\.json$/.exec(name)?.[1]))
  return versions.sort((a, b) => a - b).map(version => ({ version, ...(JSON.parse(readFileSync(join(FOLDER, `v${version}.json`), 'utf8')) as Omit<GoldenSession, 'version'>) }))
}
