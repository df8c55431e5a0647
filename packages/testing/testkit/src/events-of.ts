/** Short ways to look at a log. Pure. */

import type { Session, SessionEvent, SessionEventType } from '@deepseek-ai/dsh-session'

/** Whatever carries a session: an agent, a harness. */
export interface HasSession {
  readonly session: Session
}

/** The data of all events of these types, in order, each with its type. */
export function eventsOf<T extends SessionEventType>({ session }: HasSession, ...types: T[]): SessionEvent<T>[] {
  return session.events.filter(({ type }) => (types as string[]).includes(type)) as SessionEvent<T>[]
}

/** The types of the whole log in order; a run of chunks counts once. */
export function logTypes({ session }: HasSession): string[] {
  const types = session.events.map(({ type }) => type)
  return types.filter((type, i) => type !== 'assistant/chunk' || types[i - 1] !== type)
}
