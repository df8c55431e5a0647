/** Pages of the stored sessions. A cursor names the last session of the page before, so that new ones do not shift the pages. */

import type { ListSessionsResponse } from '@agentclientprotocol/sdk'
import type { SessionSummary } from '@deepseek-ai/dsh-session-persistence'
import { invalidParams } from './errors.ts'

/** Sessions whose directory is not known cannot be loaded by an editor and are left out. `summaries`: the latest first. Throws -32602 for a cursor that is none. */
export function pageOf(summaries: readonly SessionSummary[], cursor: string | undefined, size: number): ListSessionsResponse {
  const place = cursor === undefined ? undefined : readCursor(cursor)
  const rest = place === undefined ? summaries : summaries.filter(each => isAfter(each, place))
  const page = rest.slice(0, size)
  const last = page.at(-1)
  return {
    sessions: page.flatMap(({ id, cwd, title, lastActivity }) => (cwd === undefined ? [] : [{ sessionId: id, cwd, ...(title !== '' && { title }), updatedAt: new Date(lastActivity).toISOString() }])),
    ...(rest.length > size && last && { nextCursor: writeCursor(last) }),
  }
}

interface Place {
  time: number
  id: string
}

function isAfter({ lastActivity, id }: SessionSummary, place: Place): boolean {
  return lastActivity < place.time || (lastActivity === place.time && id < place.id)
}

function writeCursor({ lastActivity, id }: SessionSummary): string {
  return Buffer.from(`${lastActivity} ${id}`).toString('base64url')
}

function readCursor(cursor: string): Place {
  const [, time, id] = /^(\d{1,16}) (\S+)$/.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (time === undefined || id === undefined) throw invalidParams(`"${cursor}" is no cursor of a list of sessions`)
  return { time: Number(time), id }
}
