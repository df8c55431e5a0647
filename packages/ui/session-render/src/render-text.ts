/** A session as plain text for a terminal. Pure; safe to print. */

import { clipEnd, stripControls } from '@deepseek-ai/dsh-text'
import type { StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { conversationItems } from './conversation-items.ts'
import { describeSession, formatTime } from './describe-session.ts'
import type { ConversationItem, SpokenItem, ToolItem } from './types.ts'

const MOST_ARGUMENTS = 200
const MOST_RESULT_LINES = 12

/** Head, then every item; long tool results are cut. */
export function renderText(stored: StoredSession): string {
  const head = describeSession(stored).map(([name, value]) => `${name.padEnd(10)}${value}`)
  const body = conversationItems(stored.events).map(renderItem)
  return stripControls(`${[head.join('\n'), ...body].join('\n\n')}\n`)
}

function renderItem(item: ConversationItem): string {
  if (item.kind === 'note') return `! ${item.text}`
  if (item.kind === 'tool') return renderTool(item)
  return renderSpoken(item)
}

function renderSpoken({ kind, time, text, images, isInterrupted }: SpokenItem): string {
  if (kind === 'assistant') return `${text}${isInterrupted ? ' …' : ''}`
  const mark = kind === 'user' ? '>' : kind === 'steering' ? '>>' : '+'
  const pictures = images.map(({ mimeType = 'image' }) => ` [${mimeType}]`).join('')
  return `${mark} ${text.replaceAll('\n', `\n${' '.repeat(mark.length + 1)}`)}${pictures}   (${formatTime(time)})`
}

function renderTool({ name, arguments: raw, result }: ToolItem): string {
  const flat = raw.replace(/\s+/g, ' ')
  const head = `● ${name} ${flat.length > MOST_ARGUMENTS ? `${clipEnd(flat, MOST_ARGUMENTS - 1)}…` : flat}`.trimEnd()
  if (!result) return `${head}\n  (no result)`
  const lines = result.text.split('\n')
  const shown = lines.slice(0, MOST_RESULT_LINES).map(line => `  ${line}`.trimEnd())
  if (lines.length > shown.length) shown.push(`  … ${lines.length - shown.length} more lines`)
  return [head, ...(result.isError ? ['  ✗'] : []), ...shown].join('\n')
}
