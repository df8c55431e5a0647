/** A session as a line to choose. Pure. */

import type { Choice } from '@deepseek-ai/dsh-commands'
import { shortId } from '@deepseek-ai/dsh-front-door'
import type { SessionSummary } from '@deepseek-ai/dsh-session-persistence'
import { formatTime } from '@deepseek-ai/dsh-session-render'
import { plural } from '@deepseek-ai/dsh-text'

export function describeChoice({ id, title, lastActivity, turns, damage, inUseBy }: SessionSummary): Choice {
  const notes = [formatTime(lastActivity), plural(turns, 'turn'), ...(damage ? ['damaged'] : []), ...(inUseBy ? ['in use'] : [])]
  return { value: id, label: title || shortId(id), description: notes.join(' · ') }
}
