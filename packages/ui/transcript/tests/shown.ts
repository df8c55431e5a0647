/** A transcript on an emulated screen, and the events of a log as the loop writes them. */

import { createTheme, Highlighter, MarkdownView, InlineScreen, type PartStyle } from '@deepseek-ai/dsh-terminal-view'
import { emulate, type Emulated } from '@deepseek-ai/dsh-terminal-view/emulated'
import type { SessionEvent, SessionEventMap, SessionEventType } from '@deepseek-ai/dsh-session'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { onTestFinished } from 'vitest'
import { SessionView, Transcript } from '../src/index.ts'

export interface Shown extends Emulated {
  transcript: Transcript
  view: SessionView
  style: PartStyle
  log<T extends SessionEventType>(type: T, data: SessionEventMap[T]): void
  /** Text of an answer that is being written. */
  text(text: string): void
  thought(text: string): void
  /** History and screen after a frame. */
  seen(): Promise<string[]>
}

export const USER = { kind: 'user' } as const
const AT = { turn: 1, step: 1 }

export function open({ columns = 40, rows = 20, color = false, tools = {} }: { columns?: number; rows?: number; color?: boolean; tools?: Record<string, Partial<ToolDefinition>> } = {}): Shown {
  const emulated = emulate(columns, rows)
  const screen = new InlineScreen(emulated.terminal, { countsWrapsBelow: true, hasColor: color })
  const theme = createTheme({ color })
  const style = { theme, highlighter: new Highlighter(theme), markdown: new MarkdownView() }
  const transcript = new Transcript({
    get width() {
      return screen.width
    },
    finish: lines => screen.finish(lines),
    requestRender: () => undefined,
  })
  screen.addChild(transcript)
  screen.start()
  onTestFinished(() => screen.stop())
  const view = new SessionView({ transcript, style, toolOf: name => tools[name] as ToolDefinition | undefined })
  let seq = 0
  const log = <T extends SessionEventType>(type: T, data: SessionEventMap[T]): void => view.show({ type, seq: seq++, time: 0, data } as SessionEvent)
  return Object.assign(emulated, {
    transcript,
    view,
    style,
    log,
    text: (text: string) => log('assistant/chunk', { ...AT, chunk: { type: 'text-delta', index: 0, text } }),
    thought: (text: string) => log('assistant/chunk', { ...AT, chunk: { type: 'reasoning-delta', index: 0, text } }),
    async seen() {
      await style.markdown.load()
      screen.renderNow()
      return await emulated.lines()
    },
  })
}

export const call = (callId: string, name: string, args: object): SessionEventMap['tool/call'] => ({ ...AT, callId, name, arguments: JSON.stringify(args) })
export const result = (callId: string, text: string, more: Partial<SessionEventMap['tool/result']> = {}): SessionEventMap['tool/result'] => ({ ...AT, callId, content: [{ type: 'text', text }], isError: false, ...more })
export const message = (text: string, more: Partial<SessionEventMap['assistant/message']> = {}): SessionEventMap['assistant/message'] => ({ ...AT, content: [{ type: 'text', text }], finish: { kind: 'stop' }, model: 'mock', ...more })
