import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { StoredSession } from '@deepseek-ai/dsh-session-persistence'
import { expect, it } from 'vitest'
import { conversationItems, renderHtml, renderJson, renderMarkdown, renderText } from '../src/index.ts'

const TIME = Date.UTC(2026, 0, 2, 3, 4, 5)
const user = { kind: 'user' } as const

/** Numbers the events. */
function stored(...events: Pick<SessionEvent, 'type' | 'data'>[]): StoredSession {
  const header = { version: 1, id: 'abc', createdAt: TIME, cwd: '/w', parentSession: 'parent', seedLength: 2 }
  const summary = { id: 'abc', createdAt: TIME, title: 'A <b>title</b>', lastActivity: TIME + 60_000, events: events.length, turns: 1, bytes: 10, inputTokens: 5, outputTokens: 6, models: ['m'] }
  return { header, events: events.map((event, seq) => ({ ...event, seq, time: TIME }) as SessionEvent), damage: [{ kind: 'hole', message: 'line 4 cannot be read' }], summary }
}

const said = (text: string) => [{ type: 'text' as const, text }]
const event = <T extends SessionEvent['type']>(type: T, data: Extract<SessionEvent, { type: T }>['data']) => ({ type, data })

const SESSION = stored(
  event('user/message', { content: [...said('first\nsecond'), { type: 'image', data: 'aGk=', mimeType: 'image/png' }], source: user }),
  event('assistant/message', { turn: 1, step: 1, model: 'm', finish: { kind: 'tool-calls' }, content: [{ type: 'reasoning', text: 'hm' }, ...said('I look.'), { type: 'tool-call', id: 'c1', name: 'read', arguments: '{"file_path": "a"}' }, { type: 'tool-call', id: 'c2', name: 'bash', arguments: '{}' }] }),
  event('tool/result', { turn: 1, step: 1, callId: 'c1', content: said('```\n<x>\n```'), isError: true }),
  event('steering/message', { turn: 1, content: said('quick'), source: user }),
  event('context/message', { content: said('by the way'), source: { kind: 'plugin', plugin: 'todo' } }),
  event('llm/attempt', { turn: 1, step: 2, attempt: 1, error: { name: 'E', code: 'SERVER', message: 'down' } }),
  event('assistant/message', { turn: 1, step: 2, model: 'm', finish: { kind: 'aborted' }, content: said('<script>alert("1")</script>'), interrupted: true }),
  event('turn/end', { turn: 1, reason: { kind: 'aborted', reason: 'enough' } }),
)

const plain = (text: string): string => text

it('finds what was said, called and noted, in order, each call with its result', () => {
  expect(conversationItems(SESSION.events).map(item => (item.kind === 'tool' ? [item.kind, item.name, item.result?.isError] : [item.kind, item.text]))).toEqual([
    ['user', 'first\nsecond'],
    ['assistant', 'I look.'],
    ['tool', 'read', true],
    ['tool', 'bash', undefined],
    ['steering', 'quick'],
    ['context', 'by the way'],
    ['note', 'request attempt 1 failed: down [SERVER]'],
    ['assistant', '<script>alert("1")</script>'],
    ['note', 'stopped: enough'],
  ])
})

it('renders text for a terminal', () => {
  expect(renderText(SESSION)).toBe(`session   abc
title     A <b>title</b>
directory /w
begun     2026-01-02 03:04 UTC
last      2026-01-02 03:05 UTC
forked    from parent after 2 events
models    m
extent    1 turn, 8 events, 5 tokens in and 6 out
damage    line 4 cannot be read

> first
  second [image/png]   (2026-01-02 03:04 UTC)

I look.

● read {"file_path": "a"}
  ✗
  \`\`\`
  <x>
  \`\`\`

● bash {}
  (no result)

>> quick   (2026-01-02 03:04 UTC)

+ by the way   (2026-01-02 03:04 UTC)

! request attempt 1 failed: down [SERVER]

<script>alert("1")</script> …

! stopped: enough
`)
})

it('lets no control sequence into text, and cuts long results', () => {
  const text = renderText(stored(
    event('assistant/message', { turn: 1, step: 1, model: 'm', finish: { kind: 'tool-calls' }, content: [{ type: 'tool-call', id: 'c', name: 'x\u001b[2J', arguments: 'y'.repeat(500) }] }),
    event('tool/result', { turn: 1, step: 1, callId: 'c', content: said(Array.from({ length: 20 }, (_, i) => `line ${i}`).join('\n')), isError: false }),
  ))
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/)
  expect(text).toContain(`● x ${'y'.repeat(199)}…\n  line 0\n`)
  expect(text).toContain('  line 11\n  … 8 more lines\n')
})

it('renders Markdown whose fences nothing can close', () => {
  const text = renderMarkdown(SESSION, plain)
  expect(text).toContain('# A <b>title</b>\n\n- session: abc\n')
  expect(text).toContain('## User\n\nfirst\nsecond\n\n*(image/png)*\n\n## Assistant\n\n<details><summary>Reasoning</summary>\n\n```\nhm\n```\n\n</details>\n\nI look.\n\n### Tool: read\n\n```json\n{"file_path": "a"}\n```\n\nFailed:\n\n````\n```\n<x>\n```\n````\n')
  expect(text).toContain('## Context (todo)\n\nby the way\n')
  expect(text).toMatch(/\*\(the answer was cut here\)\*\n\n> stopped: enough\n$/)
})

it('renders a page that runs and loads nothing', () => {
  const page = renderHtml(SESSION, text => text.replaceAll('quick', '[redacted]'))
  expect(page).toContain("default-src 'none'; style-src 'unsafe-inline'; img-src data:")
  expect(page).toContain('<title>A &lt;b&gt;title&lt;/b&gt;</title>')
  expect(page).toContain('<details class="tool"><summary><b>read</b> <code>{&quot;file_path&quot;: &quot;a&quot;}</code> <em>failed</em></summary>')
  expect(page).toContain('&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt;')
  expect(page).toContain('<img alt="" src="data:image/png;base64,aGk=">')
  expect(page).toContain('<div class="text" dir="auto">[redacted]</div>')
  expect(page.match(/<script|javascript:|https?:|\son\w+=|src="(?!data:image)/g)).toBe(null)
})

it('shows no image that could do something', () => {
  const image = (data: string, mimeType: string) => renderHtml(stored(event('user/message', { content: [{ type: 'image', data, mimeType }], source: user })), plain)
  expect(image('aGk=', 'image/svg+xml')).not.toContain('<img')
  expect(image('aGk="onerror="x', 'image/png')).not.toContain('<img')
})

it('renders one JSON document with everything, its line separators escaped', () => {
  const session = stored(event('user/message', { content: said('a\u2028b'), source: user }))
  const text = renderJson(session, plain)
  expect(text).not.toContain('\u2028')
  expect(JSON.parse(text)).toEqual({ format: 'dsh-session', ...session })
})
