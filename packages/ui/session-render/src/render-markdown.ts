/** A session as Markdown, to keep or to pass on. Pure. */

import { fenceMark, stripControls } from '@deepseek-ai/dsh-text'
import type { StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { conversationItems } from './conversation-items.ts'
import { describeSession } from './describe-session.ts'
import type { Mask } from './mask-secrets.ts'
import type { ConversationItem, SpokenItem, ToolItem } from './types.ts'

const HEADINGS = { user: 'User', steering: 'User, while it worked', context: 'Context', assistant: 'Assistant' } as const

/** Tool calls and results stand in fences that nothing in them can close. */
export function renderMarkdown(stored: StoredSession, mask: Mask): string {
  const [, title] = describeSession(stored).find(([name]) => name === 'title') ?? ['title', 'Session']
  const head = describeSession(stored).filter(([name]) => name !== 'title').map(([name, value]) => `- ${name}: ${value}`)
  const body = conversationItems(stored.events).map(renderItem)
  return `${stripControls(mask([`# ${title}`, head.join('\n'), ...body].join('\n\n')))}\n`
}

function renderItem(item: ConversationItem): string {
  if (item.kind === 'note') return `> ${item.text.replaceAll('\n', '\n> ')}`
  if (item.kind === 'tool') return renderTool(item)
  return renderSpoken(item)
}

function renderSpoken({ kind, text, images, reasoning, isInterrupted, source }: SpokenItem): string {
  const origin = kind === 'context' && source?.kind === 'plugin' ? ` (${source.plugin})` : ''
  const parts = [`## ${HEADINGS[kind]}${origin}`]
  if (reasoning !== '') parts.push(`<details><summary>Reasoning</summary>\n\n${fence(reasoning)}\n\n</details>`)
  if (text !== '') parts.push(text)
  parts.push(...images.map(({ mimeType = 'image' }) => `*(${mimeType})*`))
  if (isInterrupted) parts.push('*(the answer was cut here)*')
  return parts.join('\n\n')
}

function renderTool({ name, arguments: raw, result }: ToolItem): string {
  const call = `### Tool: ${name}\n\n${fence(raw, 'json')}`
  if (!result) return `${call}\n\n*(no result)*`
  return `${call}\n\n${result.isError ? 'Failed:\n\n' : ''}${fence(result.text)}`
}

function fence(text: string, language = ''): string {
  const mark = fenceMark(text)
  return `${mark}${language}\n${text}\n${mark}`
}
