/** Every part that draws, on screens that have next to no room for it. */

import { stripVTControlCharacters } from 'node:util'
import { visibleWidth, type Component } from '@earendil-works/pi-tui'
import type { ApprovalQuestion } from '@deepseek-ai/dsh-approval'
import { HistoryPanel } from '@deepseek-ai/dsh-prompt-editor'
import { approvalPanel, ChoicePanel, questionPanel, SecretPanel } from '@deepseek-ai/dsh-prompt-panels'
import { PromptHistory } from '@deepseek-ai/dsh-prompt-history'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { emulate } from '@deepseek-ai/dsh-terminal-view/emulated'
import { SessionView, TodoList } from '@deepseek-ai/dsh-transcript'
import { expect, it, onTestFinished } from 'vitest'
import { QueueView } from '../src/queue-view.ts'
import { ReplScreen } from '../src/repl-screen.ts'
import { StatusLine, UsageFold } from '../src/status-line.ts'

/** Wide letters, emoji of several parts, marks above and behind their letter, clusters wider than any screen, a long word. */
const TEXT = `漢字 a漢 👩‍👩‍👧‍👦👩‍👩‍👧 🇩🇪 e\u0301\u0323\u0301 क्षि กำำ か${'\uff9e'.repeat(200)} ${'क\u094d'.repeat(60)}क ${'word'.repeat(20)}`
const RICH = `# ${TEXT}\n\n| ${TEXT} | b |\n|---|---|\n| ${TEXT} | 漢 |\n\n\`\`\`js\n// ${TEXT}\n\`\`\`\n\n1. ${TEXT}\n   - ${TEXT}\n     - > ${TEXT}\n\n> > ${TEXT}\n\n---\n`

const event = (type: string, data: object, seq = 0): SessionEvent => ({ type, seq, time: 0, data }) as unknown as SessionEvent
const AT = { turn: 1, step: 1 }
const NOTHING = (): void => undefined

function open(columns: number, rows: number) {
  const emulated = emulate(columns, rows)
  // The emulator itself has two columns at least.
  const terminal = Object.create(emulated.terminal, { columns: { value: columns } }) as typeof emulated.terminal
  const screen = new ReplScreen({ TERM: 'xterm-256color', TERM_PROGRAM: 'vscode' }, { keys: 'emacs', history: new PromptHistory(), notify: 'off', afterSeconds: 10, title: false }, terminal)
  const finished = new Set<string>()
  const finish = screen.screen.finish.bind(screen.screen)
  screen.screen.finish = lines => {
    for (const line of lines) finished.add(stripVTControlCharacters(line).trimEnd())
    finish(lines)
  }
  screen.start()
  onTestFinished(() => screen.stop())
  return { emulated, screen, finished }
}

/** Lines that reached the terminal and are wider than it, but for those that it is to wrap itself. */
function tooWide(written: string, columns: number, finished: ReadonlySet<string>): string[] {
  // oxlint-disable-next-line no-control-regex
  const lines = written.split(/\r\n|\r|\u001b\[[=?>]?[\d;]*[ABGJKhlu]|\u001b\[>4;0m/)
  return lines.map(stripVTControlCharacters).filter(line => visibleWidth(line) > columns && !finished.has(line.trimEnd()))
}

const change = { path: TEXT, oldText: `${TEXT}\nold\n`, newText: `${TEXT}\n漢字\n` }
const toolOf = (): never => ({ kind: 'edit', presentCall: () => ({ card: 'diff', title: TEXT, diffs: [change] }) }) as never

function fill(screen: ReplScreen): void {
  const { transcript, style, theme, activity } = screen
  const view = new SessionView({ transcript, style, toolOf })
  const todos = new TodoList(theme, [event('todo/write', { todos: [{ content: TEXT, status: 'in_progress' }, { content: TEXT, status: 'completed' }] })])
  const queue = new QueueView(theme, [event('inbox/queued', { id: '1', target: 'step', content: [{ type: 'text', text: TEXT }], source: { kind: 'user' } })], () => true)
  screen.place([todos, queue], new StatusLine(theme, new UsageFold(), () => ({ model: TEXT, contextWindow: 1000, mode: TEXT, session: TEXT })))
  activity.start()
  view.show(event('user/message', { content: [{ type: 'text', text: TEXT }], source: { kind: 'user' } }))
  view.show(event('assistant/chunk', { ...AT, chunk: { type: 'reasoning-delta', index: 0, text: TEXT } }))
  view.show(event('assistant/chunk', { ...AT, chunk: { type: 'text-delta', index: 0, text: `${RICH}\n${TEXT}` } }))
  view.show(event('tool/call', { ...AT, callId: '1', name: 'edit', arguments: '{}' }))
  view.show(event('tool/result', { ...AT, callId: '1', content: [{ type: 'text', text: TEXT }], isError: false }))
  view.show(event('tool/call', { ...AT, callId: '2', name: 'edit', arguments: '{}' }))
  view.progress('2', TEXT)
}

const question = { id: '1', callId: 'c', tool: 'edit', reason: TEXT, arguments: { [TEXT]: TEXT }, remember: [TEXT], scopes: ['once', 'project'], parts: [{ text: TEXT, verdict: 'ask', reason: TEXT }, { text: TEXT, verdict: 'allow', reason: TEXT }] } as unknown as ApprovalQuestion
const choices = [{ value: 'a', label: TEXT, description: TEXT, key: 'a', preview: async () => TEXT }, { value: 'b', label: TEXT, wantsWords: true, key: 'b' }]

it.each([1, 2, 3, 4, 12].flatMap(columns => [1, 2, 3, 24].map(rows => [columns, rows] as const)))('nothing fails and nothing live is wider than a screen of %i × %i', async (columns, rows) => {
  const { emulated, screen, finished } = open(columns, rows)
  await screen.style.markdown.load()
  fill(screen)
  const frame = async (): Promise<void> => {
    screen.screen.renderNow()
    await Promise.resolve()
    screen.screen.renderNow()
  }
  await frame()
  for (const key of ['a', '漢', '字', '👩', `\u001b[200~${TEXT}\u001b[201~`, '\u001b[D', '\u001b[A', '\u001b[B', '\u001b[H', '\u007f', '\u001b[C', '\u001b[3~', '\u0017']) {
    emulated.type(key)
    await frame()
  }
  screen.editor.setText('')
  screen.editor.setAutocompleteProvider({ getSuggestions: async () => ({ prefix: '/', items: [{ value: TEXT, label: TEXT, description: TEXT }, { value: 'b', label: '漢', description: '漢' }] }), applyCompletion: (lines, cursorLine, cursorCol) => ({ lines, cursorLine, cursorCol }) })
  emulated.type('/')
  await new Promise(resolve => setTimeout(resolve, 50))
  await frame()
  expect(screen.editor.isShowingAutocomplete()).toBe(true)
  const { theme, fit } = screen
  const panels: (Component & { focused: boolean })[] = [
    new HistoryPanel({ theme, entries: [TEXT, '漢'], onDone: NOTHING }),
    new SecretPanel({ theme, question: TEXT, onAnswer: NOTHING }),
    new ChoicePanel({ theme, head: () => [], choices, isFiltered: true, rows: fit.rows, onChoose: NOTHING, onCancel: NOTHING }),
    approvalPanel(question, { theme, fit, toolOf, onAnswer: NOTHING }),
    approvalPanel({ ...question, parts: [] }, { theme, fit, toolOf: () => undefined, onAnswer: NOTHING }),
    questionPanel({ question: TEXT, options: [TEXT, TEXT], multiple: true }, { theme, fit, place: [1, 2], onAnswer: NOTHING, onDecline: NOTHING }),
  ]
  for (const panel of panels) {
    const over = new AbortController()
    const asked = screen.slot.ask<never>(() => panel, over.signal)
    await Promise.resolve().then(() => undefined)
    await new Promise(resolve => setImmediate(resolve))
    for (const key of ['\u001b[B', '漢', '👩‍👩‍👧', 'b', '漢']) {
      emulated.type(key)
      await frame()
    }
    over.abort()
    await expect(asked).rejects.toThrow('abort')
  }
  screen.screen.finish([TEXT])
  await frame()
  expect(tooWide(emulated.written, columns, finished)).toEqual([])
})
