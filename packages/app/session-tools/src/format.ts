/** Ages, sizes, titles: short enough for a column. Pure. */

import { clipEnd } from '@deepseek-ai/dsh-text'

const UNITS = [['d', 86_400_000], ['h', 3_600_000], ['min', 60_000]] as const

/** `3 d`, `5 h`, `12 min`, `now`; a clock that went backwards makes nothing older. */
export function formatAge(ms: number): string {
  const [unit, size] = UNITS.find(([, size]) => ms >= size) ?? []
  return size === undefined ? 'now' : `${Math.floor(ms / size)} ${unit}`
}

/** `812 B`, `4.2 kB`, `13 MB`. */
export function formatSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  const [unit, size] = bytes < 1_000_000 ? ['kB', 1000] : bytes < 1_000_000_000 ? ['MB', 1_000_000] : ['GB', 1_000_000_000]
  const amount = bytes / (size as number)
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${unit}`
}

const MOST_TITLE = 60

export function clipTitle(title: string): string {
  const flat = title.replace(/\s+/g, ' ').trim()
  if (flat === '') return '(untitled)'
  return flat.length > MOST_TITLE ? `${clipEnd(flat, MOST_TITLE - 1)}…` : flat
}

/** Columns of equal width; the last one ends where it ends. */
export function alignColumns(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map(row => row[column]?.length ?? 0)))
  return rows.map(row => `${row.map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0))).join('  ').trimEnd()}\n`).join('')
}

/** Two digits that tell something; a dash where no price was known. */
export function formatCost(cost: { currency: string; amount: number } | undefined): string {
  return cost === undefined ? '-' : `${cost.amount < 0.01 ? cost.amount.toPrecision(2) : cost.amount.toFixed(2)} ${cost.currency}`
}
