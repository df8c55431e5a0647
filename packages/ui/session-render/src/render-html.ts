/** A session as one HTML file that needs nothing else: no script, no font, no image from anywhere. Pure. */

import type { ImageBlock } from '@deepseek-ai/dsh-llm'
import { clipEnd, stripControls } from '@deepseek-ai/dsh-text'
import type { StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { conversationItems } from './conversation-items.ts'
import { describeSession, formatTime } from './describe-session.ts'
import { STYLE } from './html-style.ts'
import type { Mask } from './mask-secrets.ts'
import type { ConversationItem, SpokenItem, ToolItem } from './types.ts'

/** What a browser shows and cannot run; SVG can. */
const SAFE_IMAGES: ReadonlySet<string> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

const LABELS = { user: 'User', steering: 'User, while it worked', context: 'Context', assistant: 'Assistant' } as const

const MOST_SUMMARY = 120

/** Tool calls and thoughts are folded. Everything is escaped, and the page forbids itself to load anything. */
export function renderHtml(stored: StoredSession, mask: Mask): string {
  const show = (text: string): string => escapeHtml(stripControls(mask(text)))
  const rows = describeSession(stored)
  const title = show(rows.find(([name]) => name === 'title')?.[1] ?? stored.header.id)
  const head = rows.filter(([name]) => name !== 'title').map(([name, value]) => `<dt>${show(name)}</dt><dd>${show(value)}</dd>`)
  const body = conversationItems(stored.events).map(item => renderItem(item, show))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<title>${title}</title>
<style>
${STYLE}</style>
</head>
<body>
<header><h1 dir="auto">${title}</h1><dl>${head.join('')}</dl></header>
<main>
${body.join('\n')}
</main>
</body>
</html>
`
}

type Show = (text: string) => string

function renderItem(item: ConversationItem, show: Show): string {
  if (item.kind === 'note') return `<p class="note">${show(item.text)}</p>`
  return item.kind === 'tool' ? renderTool(item, show) : renderSpoken(item, show)
}

function renderSpoken({ kind, time, text, images, reasoning, model, isInterrupted, source }: SpokenItem, show: Show): string {
  const origin = kind === 'context' && source?.kind === 'plugin' ? ` · ${show(source.plugin)}` : ''
  const by = model === undefined ? '' : ` · ${show(model)}`
  const parts = [`<h2>${LABELS[kind]}${origin}${by} <time>${formatTime(time)}</time></h2>`]
  if (reasoning !== '') parts.push(`<details><summary>Reasoning</summary><pre dir="auto">${show(reasoning)}</pre></details>`)
  if (text !== '') parts.push(`<div class="text" dir="auto">${show(text)}</div>`)
  parts.push(...images.map(image => renderImage(image, show)))
  if (isInterrupted) parts.push('<p class="note">the answer was cut here</p>')
  return `<section class="${kind}">${parts.join('')}</section>`
}

function renderTool({ name, arguments: raw, result }: ToolItem, show: Show): string {
  const flat = raw.replace(/\s+/g, ' ')
  const brief = flat.length > MOST_SUMMARY ? `${clipEnd(flat, MOST_SUMMARY - 1)}…` : flat
  const outcome = !result ? ' <em>no result</em>' : result.isError ? ' <em>failed</em>' : ''
  const answer = result ? `<pre>${show(result.text)}</pre>${result.images.map(image => renderImage(image, show)).join('')}` : ''
  return `<details class="tool"><summary><b>${show(name)}</b> <code>${show(brief)}</code>${outcome}</summary><pre>${show(raw)}</pre>${answer}</details>`
}

/** What cannot be shown safely is named. */
function renderImage({ data, mimeType = 'image' }: ImageBlock, show: Show): string {
  const isSafe = data !== undefined && SAFE_IMAGES.has(mimeType) && /^[A-Za-z0-9+/]+=*$/.test(data)
  return isSafe ? `<img alt="" src="data:${mimeType};base64,${data}">` : `<p class="note">${show(mimeType)}</p>`
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, sign => ENTITIES[sign] ?? sign)
}
