/** Finds a text in a file the way its reader saw it: a line break is a line break, whatever its bytes. Pure. */

export interface Match {
  start: number
  /** Exclusive. */
  end: number
}

export interface Found {
  matches: Match[]
  /** Found as it is, not only after line ends were made equal. */
  exact: boolean
}

/**
 * All matches of `needle`, from left to right, not overlapping; at most `most`
 * and one more.
 *
 * A needle with CR in it is looked for as it is first. Otherwise `\n` in the
 * needle matches LF and CRLF alike: the reader cannot tell them apart.
 */
export function findMatches(text: string, needle: string, most: number): Found {
  const carriesCr = needle.includes('\r')
  const tolerant = text.includes('\r\n') ? needle.includes('\n') : needle.includes('\r\n')
  const exact = { matches: allMatches(text, needle, most), exact: true }
  if (!tolerant || (carriesCr && exact.matches.length > 0)) return exact
  const matches = matchIgnoringCr(text, needle.replaceAll('\r\n', '\n'), most)
  const same = matches.length === exact.matches.length && matches.every(({ start }, i) => start === exact.matches[i]?.start)
  return { matches, exact: same }
}

function allMatches(text: string, needle: string, most: number): Match[] {
  const matches: Match[] = []
  for (let at = text.indexOf(needle); at >= 0 && matches.length <= most; at = text.indexOf(needle, at + needle.length)) {
    matches.push({ start: at, end: at + needle.length })
  }
  return matches
}

/** Matches in the text with CRLF made LF, moved back to where they are in the original. */
function matchIgnoringCr(text: string, needle: string, most: number): Match[] {
  const plain = text.replaceAll('\r\n', '\n')
  const matches = allMatches(plain, needle, most)
  if (plain.length === text.length) return matches
  const locate = locator(text)
  return matches.map(({ start, end }) => ({ start: locate(start), end: locate(end) }))
}

/** Offsets of the shortened text to offsets of `text`; must be asked in ascending order. */
function locator(text: string): (offset: number) => number {
  let dropped = 0
  let next = text.indexOf('\r\n')
  return offset => {
    // The CR at `next` stands at `next - dropped` in the shortened text, where its LF now is.
    while (next >= 0 && next - dropped < offset) {
      dropped++
      next = text.indexOf('\r\n', next + 2)
    }
    return offset + dropped
  }
}
