/** Reads the lines of a history. Pure. */

/** One message. */
export interface StoredEntry {
  text: string
  /** When it was sent, in milliseconds since 1970. */
  at: number
}

/** Those that can be read, in the order of the file; anything else is skipped. */
export function readEntries(lines: string): StoredEntry[] {
  return lines.split('\n').flatMap(line => {
    const entry = line.trim() === '' ? undefined : parseEntry(line)
    return entry ? [entry] : []
  })
}

function parseEntry(line: string): StoredEntry | undefined {
  try {
    const value: unknown = JSON.parse(line)
    if (typeof value !== 'object' || value === null) return undefined
    const { text, at } = value as Record<string, unknown>
    return typeof text === 'string' && text !== '' ? { text, at: typeof at === 'number' ? at : 0 } : undefined
  } catch (error) {
    // A line that was torn by a crash, or written by somebody else.
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
