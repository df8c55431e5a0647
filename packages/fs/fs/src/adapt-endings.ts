/** Gives inserted text the line ends of the place it goes to. Pure. */

/**
 * `inserted` with its `\n` written as the file writes them there.
 *
 * Lines that the inserted text shares with `replaced`, at its beginning and
 * end, keep their own ends; the lines between take those of the lines whose
 * place they take, and what is more the last one's. Where `replaced` is within
 * one line, that line's end decides, in the last line the one before.
 */
export function adaptEndings(inserted: string, text: string, replaced: { start: number; end: number }): string {
  if (!inserted.includes('\n')) return inserted
  const old = text.slice(replaced.start, replaced.end)
  const endings = endingsOf(old)
  if (endings.length === 0) endings.push(endingAround(text, replaced))
  if (endings.every(ending => ending === '\n')) return inserted.replaceAll('\r\n', '\n')
  return join(inserted.replaceAll('\r\n', '\n').split('\n'), old.replaceAll('\r\n', '\n').split('\n'), endings)
}

function join(lines: readonly string[], oldLines: readonly string[], endings: readonly string[]): string {
  const breaks = lines.length - 1
  const shared = Math.min(lines.length, oldLines.length)
  let front = 0
  while (front < shared && lines[front] === oldLines[front]) front++
  let back = 0
  while (back < shared - front && lines[breaks - back] === oldLines[oldLines.length - 1 - back]) back++
  let result = ''
  for (const [i, line] of lines.entries()) {
    if (i === breaks) return result + line
    const fromEnd = breaks - 1 - i
    const at = i >= front && fromEnd + 1 < back ? endings.length - 1 - fromEnd : Math.min(i, endings.length - 1)
    result += line + (endings[Math.max(at, 0)] ?? '\n')
  }
  return result
}

function endingsOf(text: string): string[] {
  const endings: string[] = []
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) endings.push(text[at - 1] === '\r' ? '\r\n' : '\n')
  return endings
}

function endingAround(text: string, { start, end }: { start: number; end: number }): string {
  const after = text.indexOf('\n', end)
  const at = after >= 0 ? after : text.lastIndexOf('\n', start)
  return at > 0 && text[at - 1] === '\r' ? '\r\n' : '\n'
}
