/** `/permission`: shows the permission modes, or puts the session into one. */

import type { ApprovalService } from '@deepseek-ai/dsh-approval'
import { describeError } from '@deepseek-ai/dsh-errors'
import type { Session } from '@deepseek-ai/dsh-session'
import { stripControls } from '@deepseek-ai/dsh-text'

/** What to tell the user, in whole lines. An unknown mode changes nothing. */
export function changePermission(approval: ApprovalService, session: Session, name: string): string {
  if (name === '') return renderModes(approval, session)
  try {
    approval.setMode(session, name)
    return `permission mode: ${stripControls(name)}\n`
  } catch (error) {
    return `${stripControls(describeError(error))}\n`
  }
}

function renderModes(approval: ApprovalService, session: Session): string {
  const current = approval.modeOf(session)
  const modes = approval.modes()
  if (modes.length === 0) return 'there are no permission modes: no plugin of the composition brings any\n'
  const width = Math.max(...modes.map(({ name }) => name.length))
  return stripControls(modes.map(({ name, description }) => `${name === current ? '*' : ' '} ${name.padEnd(width)}  ${description}\n`).join(''))
}
