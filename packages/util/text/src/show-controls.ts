/** Makes text that somebody has to judge safe to print without leaving any of it out: what cannot be seen is written in letters. Pure. */

/** Controls but tab and newline, what turns the direction of text, what has no width, and tags. */
// oxlint-disable-next-line no-control-regex, no-misleading-character-class
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu

/** Stripping would hide a command behind a sequence that a terminal swallows and a shell does not. CRLF becomes LF. */
export function showControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(UNSEEN, each => {
    const code = (each.codePointAt(0) ?? 0).toString(16)
    return code.length > 2 ? `\\u{${code}}` : `\\x${code.padStart(2, '0')}`
  })
}

/** For what stands in one line. */
export function showInLine(text: string): string {
  return showControls(text).replaceAll('\n', '\\n')
}
