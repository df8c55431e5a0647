/** Cuts text without ever leaving half a character: every cut falls on a code point. */

/** The first `most` UTF-16 units of `text`, one fewer where the cut would split a surrogate pair. */
export function clipEnd(text: string, most: number): string {
  if (text.length <= most) return text
  if (most <= 0) return ''
  return text.slice(0, isLowSurrogate(text, most) ? most - 1 : most)
}

/** The last `most` UTF-16 units of `text`, one fewer where the cut would split a surrogate pair. */
export function clipStart(text: string, most: number): string {
  if (text.length <= most) return text
  if (most <= 0) return ''
  const from = text.length - most
  return text.slice(isLowSurrogate(text, from) ? from + 1 : from)
}

/** Head and tail of `text` with `mark(cut)` between them; `text` itself when it fits into `most` units. */
export function clipMiddle(text: string, most: number, mark: (cut: number) => string): string {
  if (text.length <= most) return text
  const head = clipEnd(text, Math.ceil(most / 2))
  const tail = clipStart(text, Math.floor(most / 2))
  return head + mark(text.length - head.length - tail.length) + tail
}

/** Whether the unit at `index` is the second half of a pair whose first half stands before it. */
function isLowSurrogate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index)
  const before = text.charCodeAt(index - 1)
  return unit >= 0xdc00 && unit <= 0xdfff && before >= 0xd800 && before <= 0xdbff
}
