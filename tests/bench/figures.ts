/** Numbers into figures and figures into the printed table. Pure. */

/** The middle and the best of several measurements. */
export interface Figure {
  median: number
  min: number
}

/** One line of the table: ours beside the lower bound, taken in the same run. */
export interface Line {
  row: string
  unit: 'ms' | 'MB' | 'KB' | '%' | ''
  limit: string
  ours: Figure
  /** What it is set beside, and its figure; undefined where there is nothing to compare. */
  beside?: { name: string; figure: Figure }
}

/** Leaves out what could not be measured; without any measurement both are NaN. */
export function figureOf(values: readonly (number | undefined)[]): Figure {
  const sorted = values.filter(value => value !== undefined && !Number.isNaN(value)).sort((a, b) => Number(a) - Number(b)) as number[]
  return { median: sorted[Math.floor(sorted.length / 2)] ?? Number.NaN, min: sorted[0] ?? Number.NaN }
}

export function renderTable(lines: readonly Line[]): string {
  const head = ['', 'limit', 'dsh', '(min)', 'beside', '', '(min)', 'ratio', '(min)']
  const rows = [head, ...lines.map(cellsOf)]
  const widths = head.map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows.map(row => row.map((cell, column) => (column === 0 || column === 1 || column === 4 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  ').trimEnd()).join('\n')
}

function cellsOf({ row, unit, limit, ours, beside }: Line): string[] {
  const show = (value: number): string => (Number.isNaN(value) ? '–' : `${value.toFixed(value < 20 ? 1 : 0)}${unit && ` ${unit}`}`)
  const mine = [row, limit, show(ours.median), show(ours.min)]
  if (!beside) return [...mine, '', '', '', '', '']
  const { name, figure } = beside
  return [...mine, name, show(figure.median), show(figure.min), ratio(ours.median, figure.median), ratio(ours.min, figure.min)]
}

function ratio(a: number, b: number): string {
  return Number.isNaN(a / b) ? '–' : `${(a / b).toFixed(2)} ×`
}
