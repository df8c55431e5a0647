/**
 * Brings what an older version stored to the current form, one pure function
 * per step of the version. There is no step yet: version 1 is the first.
 */

import { EventLog, SESSION_FORMAT_VERSION, type SessionEvent, type SessionHeader } from '@deepseek-ai/dsh-session'
import { PersistenceError } from './errors.ts'

export interface StoredForm {
  header: SessionHeader
  events: SessionEvent[]
}

/** From the version that is its key to the next one. */
export type UpcastStep = (stored: StoredForm) => StoredForm

const STEPS: Readonly<Record<number, UpcastStep>> = {}

/** A log in the current form; its runs stay packed where it has that form already. Throws like `upcast`. */
export function upcastLog(header: SessionHeader, log: EventLog): { header: SessionHeader; log: EventLog } {
  if (header.version === SESSION_FORMAT_VERSION) return { header, log }
  const form = upcast({ header, events: [...log.events] })
  const current = new EventLog()
  for (const event of form.events) current.push(event)
  return { header: form.header, log: current }
}

/** Throws `SESSION_VERSION` for a version that is newer than this program, or none. `steps` and `current` are for tests. */
export function upcast(stored: StoredForm, steps: Readonly<Record<number, UpcastStep>> = STEPS, current: number = SESSION_FORMAT_VERSION): StoredForm {
  let form = stored
  while (form.header.version !== current) {
    const { version, id } = form.header
    const step = steps[version]
    if (!step) {
      const advice = version > current ? `it was written by a newer version of dsh (format ${version}, this one knows ${current}); use that one` : `format ${version} is not one that dsh ever wrote`
      throw new PersistenceError('SESSION_VERSION', `the session ${id} cannot be read: ${advice}`)
    }
    const next = step(form)
    form = { ...next, header: { ...next.header, version: version + 1 } }
  }
  return form
}
