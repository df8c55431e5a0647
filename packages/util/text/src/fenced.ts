/** Puts text into a Markdown document as it is. */

/** A block of code that nothing in `text` can end; `language` stands behind the mark. */
export function fenced(text: string, language = ''): string {
  const mark = fenceMark(text)
  return `${mark}${language}\n${text.trimEnd()}\n${mark}`
}

/** The mark of a fence around `text`: longer than any run of backticks within. */
export function fenceMark(text: string): string {
  return '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)))
}
