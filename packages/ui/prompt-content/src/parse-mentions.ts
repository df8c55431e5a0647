/**
 * The files that a message names. Pure.
 *
 *     look at @src/a.ts, @"two words.md" and @src/b.ts:10-40
 *
 * The `@` stands at the beginning, after a blank or after an opening bracket or
 * quote, so addresses (`me@example.org`) are none.
 */

export interface Mention {
  /** As written, after the `@` and without quotes. */
  path: string
  /** Lines, both ends included. */
  range?: { from: number; to: number }
}

const MENTION = /(?<=^|[\s([{<`'])@(?:"([^"\n]+)"((?::\d+(?:-\d+)?)?)|([^\s"]+))/gu

/** In order, each once. */
export function parseMentions(text: string): Mention[] {
  const found = [...text.matchAll(MENTION)].map(([, quoted, range, plain = '']) => (quoted === undefined ? splitRange(plain) : splitRange(`${quoted}${range}`)))
  return found.filter(({ path }, i) => path !== '' && found.findIndex(each => sameMention(each, found[i])) === i)
}

/** The path as written may end with the sentence: what else it may be, longest first. */
export function withoutPunctuation(path: string): string[] {
  const shorter = path.replace(/[.,;:!?)\]}>'"`]+$/, '')
  return shorter === '' || shorter === path ? [path] : [path, shorter]
}

function splitRange(written: string): Mention {
  const match = /^(.+?):(\d{1,9})(?:-(\d{1,9}))?[.,;:!?)\]}>'"`]*$/.exec(written)
  if (!match) return { path: written }
  const from = Number(match[2])
  const to = match[3] === undefined ? from : Number(match[3])
  return from >= 1 && to >= from ? { path: match[1] ?? '', range: { from, to } } : { path: written }
}

function sameMention(a: Mention, b: Mention | undefined): boolean {
  return a.path === b?.path && a.range?.from === b.range?.from && a.range?.to === b.range?.to
}
