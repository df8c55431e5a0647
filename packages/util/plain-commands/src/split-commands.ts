/** Finds the seams between the commands of one prompt. Pure, over masked text. */

const BULLET = /^\s*(?:[-*•]\s+(?!\[)|[-*•]\s+(?=\[)|\(?\d{1,2}[.):]\s+|step\s+\d+\s*[:.)]\s*)/i
const SWALLOWS = /(?:\bto-?\s?dos?(?:[-\s]list)?(?:\s+items?)?\s*:|(?:\bcontents?|\btext|\bcontaining|\bfollowing|\bwith|\bsaying|\blines?)\s*:|^(?:write|create|make|append)\b.*:)\s*$/i
const FENCE_LINE = /^\uE000\d+\uE001$/

export interface Line {
  text: string
  /** It stood in a list: bulleted or numbered. */
  listed: boolean
}

/** Lines of their own; one that ends in a colon and announces content takes all that follow, a quotation on its own line belongs to the line before. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = []
  const raw = text.split('\n')
  for (const [index, line] of raw.entries()) {
    const item = line.replace(BULLET, '').trim()
    const last = lines.at(-1)
    if (item === '') continue
    if (last && FENCE_LINE.test(item)) last.text += ` ${item}`
    else lines.push({ text: item, listed: BULLET.test(line) })
    if (!SWALLOWS.test(item) || FENCE_LINE.test(raw.slice(index + 1).find(next => next.trim() !== '')?.trim() ?? '')) continue
    const rest = raw.slice(index + 1).join('\n').replace(/^\n+/, '').trimEnd()
    if (rest !== '') lines[lines.length - 1] = { text: `${item}\n${rest}`, listed: BULLET.test(line) }
    break
  }
  return lines
}

/** A place where one command may end and the next begin. */
export interface Seam {
  start: number
  end: number
  /** "then" and its like order two things; "and", commas and full stops may just as well stand inside one. */
  strong: boolean
  /** The words of the seam itself. */
  words: string
}

const SEAM = /(?:\s*[,;.]?\s+(?:and\s+)?(?:then|afterwards|after\s+that|next|finally|lastly)\b[\s,:]+)|(?:\s*[;,]?\s+and\s+(?:also\s+)?)|(?:\s*(?:&&|[;.!?])\s+(?:and\s+|also\s+)?)|(?:\s*,\s*)/gi

export function findSeams(text: string): Seam[] {
  return [...text.matchAll(SEAM)].map(match => ({
    start: match.index,
    end: match.index + match[0].length,
    strong: /\b(?:then|afterwards|after\s+that|next|finally|lastly)\b/i.test(match[0]),
    words: match[0],
  }))
}
