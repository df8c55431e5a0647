/**
 * The line numbers beside a file's text in the view of a read, and how to
 * recognise them when a model copies them into an edit.
 *
 *     12: const x = 1
 */

const GUTTER = /^(\d+):(?: |$)/

/** One line of the view. */
export function numberLine(number: number, text: string): string {
  return `${number}: ${text}`
}

export interface Ungutted {
  text: string
  /** The number of the first line. */
  first: number
  /** Whether each number is one more than the one before. */
  consecutive: boolean
  lines: number
}

/** `text` without its gutter when every line has one; undefined otherwise. An empty piece after a last line break is no line. */
export function stripGutter(text: string): Ungutted | undefined {
  const lines = text.split('\n')
  const tail = lines.length > 1 && lines.at(-1) === '' ? ['' as string] : []
  const body = tail.length > 0 ? lines.slice(0, -1) : lines
  const numbers: number[] = []
  const bare: string[] = []
  for (const line of body) {
    const match = GUTTER.exec(line)
    if (!match) return undefined
    numbers.push(Number(match[1]))
    bare.push(line.slice(match[0].length))
  }
  const consecutive = numbers.every((number, i) => i === 0 || number === (numbers[i - 1] ?? 0) + 1)
  return { text: [...bare, ...tail].join('\n'), first: numbers[0] ?? 0, consecutive, lines: body.length }
}

/** Whether one line looks as if it had a gutter. */
export function hasGutter(line: string): boolean {
  return GUTTER.test(line)
}
