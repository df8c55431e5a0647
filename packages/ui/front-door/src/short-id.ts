/** The part of a session's id that is shown where the whole would be too long. Pure. */

/** The time of its making, which is as good as unique; an id that somebody chose is shown whole. */
export function shortId(id: string): string {
  return /^([0-9a-z]{9})-[0-9a-f]{8}$/.exec(id)?.[1] ?? id
}
