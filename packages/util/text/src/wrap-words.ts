/** Breaks plain lines at blanks, for a terminal that would break them anywhere. */

/** Lines of `text` broken so that none is wider than `width`; a word that is wider stays whole. Lines that go on begin with `indent`. */
export function wrapWords(text: string, width: number, indent = ''): string {
  return text.split('\n').map(line => wrapLine(line, width, indent)).join('\n')
}

function wrapLine(line: string, width: number, indent: string): string {
  if (cellsOf(line) <= width) return line
  const [, lead = '', rest = ''] = /^(\s*)([^]*)$/.exec(line) ?? []
  const lines: string[] = []
  let current = lead
  let isEmpty = true
  for (const [, word = '', gap = ''] of rest.matchAll(/(\S+)(\s*)/g)) {
    if (!isEmpty && cellsOf(current + word) > width) {
      lines.push(current.trimEnd())
      current = indent
    }
    current += word + gap
    isEmpty = false
  }
  return [...lines, current].join('\n')
}

/** Characters of East Asia and emoji fill two cells; so, to be safe, does everything from Hangul on. */
function cellsOf(text: string): number {
  return [...text].reduce((sum, character) => sum + ((character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1), 0)
}
