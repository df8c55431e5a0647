/** Says what to do when a session cannot be opened. Pure. */

import { describeError } from '@deepseek-ai/dsh-errors'
import type { LeaseHolder } from '@deepseek-ai/dsh-session-persistence'
import { shortId } from './short-id.ts'

/** The message of an error; for a session that is in use, with its holder and the ways around it. */
export function describeSessionError(error: unknown, id?: string): string {
  const message = describeError(error)
  const { code, holder } = error as { code?: unknown; holder?: LeaseHolder }
  if (code !== 'SESSION_IN_USE') return message
  const known = holder === undefined || message.includes(String(holder.pid)) ? '' : ` (${describeHolder(holder)})`
  const name = id === undefined ? 'ID' : shortId(id)
  return `${message}${known}; dsh --fork ${name} goes on in a copy, dsh sessions show ${name} reads it`
}

function describeHolder({ pid, host, since }: LeaseHolder): string {
  return `process ${pid} on ${host} since ${new Date(since).toISOString()}`
}
