/** Lets somebody pick a session from a numbered list. */

import { shortId } from '@deepseek-ai/dsh-front-door'
import type { SessionPersistence, SessionSummary } from '@deepseek-ai/dsh-session-persistence'
import { stripControls, wrapWords } from '@deepseek-ai/dsh-text'
import { asking } from './ask.ts'
import { clipTitle, formatAge } from './format.ts'
import type { SessionTools } from './types.ts'

/** As many as fit on a screen. */
const MOST = 20

/** Under the id, where a row goes on in a narrow window. */
const INDENT = ' '.repeat(6)

/** Of this directory, or of all where this one has none; undefined when none was picked. */
export async function pickSession(persistence: SessionPersistence, tools: SessionTools): Promise<SessionSummary | undefined> {
  const { cwd, terminal, signal } = tools
  const own = await persistence.list({ cwd, limit: MOST }, signal)
  const sessions = own.length > 0 ? own : await persistence.list({ limit: MOST }, signal)
  const { stderr } = terminal
  if (sessions.length === 0) {
    stderr.write('dsh: no session is stored yet\n')
    return undefined
  }
  const title = `${own.length > 0 ? 'Sessions of this directory' : 'No session of this directory; all sessions'}, the latest first:\n`
  const width = stderr.columns ?? Infinity
  stderr.write(wrapWords(stripControls(title), width) + wrapWords(stripControls(renderChoices(sessions, Date.now())), width, INDENT))
  return await asking(tools, async ask => {
    for (;;) {
      const line = (await ask('Which one (number, id; Enter: none)? '))?.trim()
      if (line === undefined || line === '') return undefined
      const picked = pickBy(sessions, line)
      if (picked) return picked
      stderr.write(`there is no "${stripControls(line)}" among them\n`)
    }
  })
}

/** One line a session: number, id, age, turns, title. Pure. */
export function renderChoices(sessions: readonly SessionSummary[], now: number): string {
  const lines = sessions.map(({ id, lastActivity, turns, title, inUseBy }, index) => {
    const [number, age, extent] = [String(index + 1).padStart(4), formatAge(now - lastActivity).padStart(6), `${turns} ${turns === 1 ? 'turn ' : 'turns'}`.padStart(9)]
    return `${number}  ${shortId(id)}  ${age}  ${extent}  ${clipTitle(title)}${inUseBy ? ' (in use)' : ''}\n`
  })
  return lines.join('')
}

/** By number, or by an unambiguous beginning of the id. Pure. */
export function pickBy(sessions: readonly SessionSummary[], line: string): SessionSummary | undefined {
  const byNumber = /^\d{1,3}$/.test(line) ? sessions[Number(line) - 1] : undefined
  if (byNumber) return byNumber
  const byId = sessions.filter(({ id }) => id.startsWith(line))
  return byId.length === 1 ? byId[0] : undefined
}
