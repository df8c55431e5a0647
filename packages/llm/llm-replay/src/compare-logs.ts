/** Compares two logs by what they say, and shows the difference. */

import { isDeepStrictEqual } from 'node:util'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { clipEnd, plural } from '@deepseek-ai/dsh-text'
import { normalForm, sorted, type NormalEvent } from './normal-form.ts'

/** Entries around a difference. */
const CONTEXT = 3
/** More than so many lines help nobody to find the first. */
const MOST_LINES = 60
const MOST_LENGTH = 160
const MOST_PLACES = 8
/** Logs that differ more are not matched up: it would take for ever, and the first difference is what counts. */
const MOST_EDITS = 2000

/** Undefined when they are equal; else lines of context, `- ` recorded, `+ ` replayed, and where paired entries differ. Loads the diff library only then. */
export async function compareLogs(recorded: readonly SessionEvent[], replayed: readonly SessionEvent[]): Promise<string | undefined> {
  const [old, now] = [normalForm(recorded), normalForm(replayed)]
  if (isDeepStrictEqual(old.map(contentOf), now.map(contentOf))) return undefined
  const { diffArrays } = await import('diff')
  const [before, after] = [old.map(lineOf), now.map(lineOf)]
  return render(diffArrays(before, after, { maxEditLength: MOST_EDITS }) ?? splitAtFirst(before, after), old, now)
}

function contentOf({ type, data }: NormalEvent): unknown {
  return { type, data }
}

function lineOf({ type, data }: NormalEvent): string {
  return `${type} ${JSON.stringify(sorted(data))}`
}

function splitAtFirst(old: readonly string[], now: readonly string[]): Part[] {
  const at = old.findIndex((line, i) => line !== now[i])
  const same = at < 0 ? old.length : at
  return [{ value: old.slice(0, same) }, { value: old.slice(same), removed: true }, { value: now.slice(same), added: true }].filter(({ value }) => value.length > 0)
}

interface Part {
  value: readonly string[]
  added?: boolean
  removed?: boolean
}

function render(parts: readonly Part[], old: readonly NormalEvent[], now: readonly NormalEvent[]): string {
  const lines: string[] = []
  const at = { old: 0, now: 0 }
  let first: number | undefined
  parts.forEach((part, index) => {
    const count = part.value.length
    if (part.added) {
      first ??= now[at.now]?.seq
      lines.push(...part.value.map(line => clip('+ ', line)))
      if (parts[index - 1]?.removed) lines.push(...places(old.slice(at.old - (parts[index - 1]?.value.length ?? 0), at.old), now.slice(at.now, at.now + count)))
      at.now += count
      return
    }
    if (part.removed) {
      first ??= old[at.old]?.seq
      lines.push(...part.value.map(line => clip('- ', line)))
      at.old += count
      return
    }
    lines.push(...context(part.value, { before: index > 0, after: index < parts.length - 1 }))
    at.old += count
    at.now += count
  })
  const shown = lines.slice(0, MOST_LINES)
  if (lines.length > shown.length) shown.push(`… ${plural(lines.length - shown.length, 'more line')}`)
  return [`The logs differ, first at event ${first ?? 0} (- recorded, + replayed):`, ...shown, ''].join('\n')
}

/** The ends of a stretch that is the same, next to what differs. */
function context(lines: readonly string[], { before, after }: { before: boolean; after: boolean }): string[] {
  const head = before ? lines.slice(0, CONTEXT) : []
  const tail = after ? lines.slice(Math.max(head.length, lines.length - CONTEXT)) : []
  const left = lines.length - head.length - tail.length
  return [...head.map(line => clip('  ', line)), ...(left > 0 ? [`  … ${plural(left, 'entry', 'entries')} alike …`] : []), ...tail.map(line => clip('  ', line))]
}

function clip(mark: string, line: string): string {
  return mark + (line.length > MOST_LENGTH ? `${clipEnd(line, MOST_LENGTH)}…` : line)
}

/** Where entries of the same kind differ, which a clipped line may not show. */
function places(old: readonly NormalEvent[], now: readonly NormalEvent[]): string[] {
  const found: string[] = []
  old.forEach((entry, i) => {
    const other = now[i]
    if (other?.type === entry.type) compare('', entry.data, other.data, found)
  })
  return found.slice(0, MOST_PLACES).map(line => `    ${line}`)
}

function compare(path: string, old: unknown, now: unknown, found: string[]): void {
  if (isDeepStrictEqual(old, now)) return
  if (!isObject(old) || !isObject(now) || Array.isArray(old) !== Array.isArray(now)) {
    found.push(`${path || 'value'}: ${show(old)} became ${show(now)}`)
    return
  }
  for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
    compare(Array.isArray(old) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`, old[key], now[key], found)
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function show(value: unknown): string {
  return clip('', JSON.stringify(value) ?? 'nothing')
}
