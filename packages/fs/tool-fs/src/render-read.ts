/** What the model reads of a file. Pure, stable text: tests pin every line of it. */

import { numberLine, type FsLines, type FsTarget, type TextFormat } from '@deepseek-ai/dsh-fs'
import { plural } from '@deepseek-ai/dsh-text'

/** The envelope with numbered lines; its foot says what was shown and how to go on. */
export function renderRead(target: FsTarget, found: FsLines): string {
  const lines = found.lines.map(({ number, text, cut }) => numberLine(number, cut ? `${text}… (${cut} more characters of this line not shown)` : text))
  return envelope(target, 'file', [...lines, ...(lines.length > 0 ? [''] : []), footer(found), ...notes(target, found.format)])
}

/** What stands for an image, which is not text. */
export function renderImage(target: FsTarget, mediaType: string, size: number): string {
  return envelope(target, 'image', [`(An image: ${mediaType}, ${size} bytes. Its pixels cannot be shown here.)`])
}

function envelope({ displayPath }: FsTarget, type: string, lines: readonly string[]): string {
  return [`<path>${displayPath}</path>`, `<type>${type}</type>`, '<content>', ...lines, '</content>'].join('\n')
}

function footer({ lines, totalLines, more, truncatedByBytes, finalNewline }: FsLines): string {
  const [first, last] = [lines[0]?.number, lines.at(-1)?.number]
  if (first === undefined || last === undefined) return '(The file is empty.)'
  const open = finalNewline === false ? ', without a line break after the last' : ''
  const total = totalLines === undefined ? 'many more' : `${totalLines}`
  if (more) return `(Lines ${first}-${last} of ${total}${truncatedByBytes ? ', cut at the size limit' : ''}. To read on, use offset ${last + 1}.)`
  return first === 1 ? `(End of file: ${plural(last, 'line')}${open}.)` : `(Lines ${first}-${last} of ${total}, to the end of the file${open}.)`
}

function notes({ displayPath, inputPath, lookalike }: FsTarget, { encoding, bom, guessed }: TextFormat): string[] {
  const notes: string[] = []
  if (lookalike) notes.push(`(No file is named exactly ${JSON.stringify(inputPath)}. This is ${displayPath}, whose name looks like it.)`)
  if (guessed) notes.push(`(This file is not UTF-8. It is shown as ${encoding}, which is a guess; if characters look wrong, the guess is, not the file. edit and write refuse it.)`)
  else if (encoding !== 'utf-8') notes.push(`(Encoding: ${encoding} with a byte order mark. edit and write keep it.)`)
  else if (bom) notes.push('(Encoding: UTF-8 with a byte order mark, not shown. edit and write keep it.)')
  return notes
}
