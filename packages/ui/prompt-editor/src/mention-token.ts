/** `@file` before the cursor: what is typed of it, and how a path is written. Pure. */

/** The same as in a sent message: at the beginning, after a blank, or after an opening bracket or quote. */
const TOKEN = /(?:^|[\s([{<`'])(@(?:"([^"]*)|([^\s"]*)))$/u

export interface MentionToken {
  /** From the `@` on. */
  token: string
  /** What the path is to begin with. */
  query: string
}

/** Undefined when no file is being named, also once a line range has begun. */
export function mentionBefore(text: string): MentionToken | undefined {
  const match = TOKEN.exec(text)
  if (!match) return undefined
  const query = match[2] ?? match[3] ?? ''
  return /:\d*(?:-\d*)?$/.test(query) ? undefined : { token: match[1] ?? '', query }
}

/** How a path is named: in quotes when it has blanks. A directory stays open, so that one can go on. */
export function writeMention(path: string): string {
  const isQuoted = /[\s"'`(){}[\]<>]/.test(path)
  if (path.endsWith('/')) return isQuoted ? `@"${path}` : `@${path}`
  return isQuoted ? `@"${path}" ` : `@${path} `
}
