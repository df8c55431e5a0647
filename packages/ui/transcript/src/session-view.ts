/** Shows a session as it grows: each event of its log becomes an item of the transcript, or changes one. */

import { describeEnd } from '@deepseek-ai/dsh-front-door'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { SessionEvent, SessionEventMap } from '@deepseek-ai/dsh-session'
import type { PartStyle, Style } from '@deepseek-ai/dsh-terminal-view'
import { attachedLines, typedText } from '@deepseek-ai/dsh-prompt-content'
import { clipEnd, plural, stripControls } from '@deepseek-ai/dsh-text'
import type { ToolDefinition } from '@deepseek-ai/dsh-tools'
import { AnswerItem } from './answer-item.ts'
import { LinesItem } from './lines-item.ts'
import { ReasoningItem } from './reasoning-item.ts'
import { describeCall, describeResult } from './tool-cards.ts'
import { ToolItem } from './tool-item.ts'
import type { Transcript } from './transcript.ts'

export interface SessionViewOptions {
  transcript: Transcript
  style: PartStyle
  toolOf(name: string): ToolDefinition | undefined
}

/** Of what was put before the model, in UTF-16 units. */
const LONGEST_INJECTED = 200

/** A message that is longer is folded to its beginning: a paste that was sent need not be scrolled over. */
const MOST_LINES = 40
const MOST_CHARACTERS = 4_000

/** Something that was folded, to be shown whole when asked for. */
export interface Folded {
  title: string
  text: string
}

export class SessionView {
  readonly #options: SessionViewOptions
  readonly #calls = new Map<string, { item: ToolItem; data: SessionEventMap['tool/call'] }>()
  #answer: AnswerItem | undefined
  #reasoning: ReasoningItem | undefined
  #folded: (() => Folded) | undefined
  /** Chunks of a request that failed do not count; those of the next begin anew. */
  #hasStreamed = false

  constructor(options: SessionViewOptions) {
    this.#options = options
  }

  /** What was folded last. */
  get folded(): Folded | undefined {
    return this.#folded?.()
  }

  show(event: SessionEvent): void {
    switch (event.type) {
      case 'user/message':
        return this.#said(event.data, '❯ ')
      case 'steering/message':
        return this.#said(event.data, '↳ ')
      case 'context/message':
        return this.#injected(event.data)
      case 'assistant/chunk':
        return this.#stream(event.data.chunk)
      case 'assistant/message':
        return this.#answered(event.data)
      case 'llm/attempt':
        return this.#failedAttempt(event.data)
      case 'tool/call':
        return this.#called(event.data)
      case 'tool/result':
        return this.#ended(event.data)
      case 'prompt/blocked':
        return this.#warn(`the prompt was not accepted: ${event.data.reason}`)
      case 'turn/end': {
        this.#endStream()
        const end = describeEnd(event.data.reason)
        return end === undefined ? undefined : this.#warn(end)
      }
      default:
        return undefined
    }
  }

  /** As `show`, of an event that was on no screen yet: what the user put before the model is shown, too. */
  showPast(event: SessionEvent): void {
    if (event.type === 'context/message' && event.data.source.kind === 'user') return this.#said({ content: event.data.content, source: { kind: 'context' } }, '')
    this.show(event)
  }

  /** Output of a running call. */
  progress(callId: string, text: string): void {
    this.#calls.get(callId)?.item.push(text)
    this.#options.transcript.changing()
  }

  /** Whether the user is being asked about a call. */
  waiting(callId: string, isWaiting: boolean): void {
    this.#calls.get(callId)?.item.wait(isWaiting)
    this.#options.transcript.changed()
  }

  #said({ content, source }: { content: ContentBlock[]; source: { kind: string } }, mark: string): void {
    const { theme } = this.#options.style
    this.#endStream()
    const text = describeContent(content)
    const { shown, hidden } = shorten(text)
    const style = source.kind === 'user' ? theme.bold : theme.dim
    const lines = paint(shown, style)
    if (hidden !== undefined) this.#folded = () => ({ title: 'message', text })
    this.#options.transcript.add(LinesItem.of(hidden === undefined ? lines : `${lines}\n${theme.dim(`… ${hidden}, Ctrl-O shows them`)}`, { mark: source.kind === 'user' ? mark : '· ' }))
  }

  /** One line of what was put before the model; what the user put there stands on the screen already. */
  #injected({ content, source }: SessionEventMap['context/message']): void {
    if (source.kind === 'user') return
    const lines = describeContent(content).split('\n')
    this.#note(`· for the model: ${clipEnd(lines[0] ?? '', LONGEST_INJECTED)}${lines.length > 1 ? ` (${plural(lines.length, 'line')})` : ''}`, this.#options.style.theme.dim)
  }

  #stream(chunk: SessionEventMap['assistant/chunk']['chunk']): void {
    const { transcript, style } = this.#options
    if (chunk.type === 'reasoning-delta') {
      this.#answer?.end()
      this.#answer = undefined
      if (!this.#reasoning) transcript.add((this.#reasoning = new ReasoningItem(style.theme)))
      this.#reasoning.push(chunk.text)
    } else if (chunk.type === 'text-delta') {
      this.#endReasoning()
      if (!this.#answer) transcript.add((this.#answer = new AnswerItem(style, () => transcript.changed())))
      this.#answer.push(chunk.text)
    } else return
    this.#hasStreamed = true
    transcript.changing()
  }

  /** An answer that was not streamed is shown whole. */
  #answered({ content, interrupted }: SessionEventMap['assistant/message']): void {
    const { transcript, style } = this.#options
    if (!this.#hasStreamed) {
      for (const block of content) {
        if (block.type === 'reasoning') this.#stream({ type: 'reasoning-delta', index: 0, text: block.text })
        else if (block.type === 'text') this.#stream({ type: 'text-delta', index: 0, text: block.text })
      }
    }
    this.#endStream()
    if (interrupted) transcript.add(LinesItem.of(style.theme.dim('(cut here)'), { isApart: false }))
  }

  #failedAttempt({ attempt, error, retryInMs }: SessionEventMap['llm/attempt']): void {
    const hadShown = this.#hasStreamed
    this.#endStream()
    // The last one ends the turn, and its end says why.
    if (retryInMs === undefined) return
    this.#warn(`attempt ${attempt} failed: ${error.message} [${error.code}]; trying again in ${(retryInMs / 1000).toFixed(1)} s${hadShown ? ', what stands above does not count' : ''}`)
  }

  #called(data: SessionEventMap['tool/call']): void {
    const { transcript, style, toolOf } = this.#options
    this.#endStream()
    const item = new ToolItem(style.theme, describeCall(data, toolOf(data.name)))
    this.#calls.set(data.callId, { item, data })
    transcript.add(item)
  }

  #ended(data: SessionEventMap['tool/result']): void {
    const call = this.#calls.get(data.callId)
    if (!call) return
    this.#calls.delete(data.callId)
    call.item.end(describeResult(data, call.data, this.#options.toolOf(call.data.name)))
    this.#folded = () => ({ title: `${call.data.name} ${call.item.title}`, text: call.item.text })
    this.#options.transcript.changed()
  }

  #endReasoning(): void {
    const reasoning = this.#reasoning
    if (!reasoning) return
    reasoning.end()
    this.#folded = () => ({ title: 'reasoning', text: reasoning.text })
    this.#reasoning = undefined
  }

  #endStream(): void {
    this.#endReasoning()
    this.#answer?.end()
    this.#answer = undefined
    this.#hasStreamed = false
    this.#options.transcript.changed()
  }

  #warn(text: string): void {
    const { plain, warning } = this.#options.style.theme
    this.#options.transcript.add(LinesItem.of(`${warning('!')} ${paint(text, plain)}`))
  }

  #note(text: string, style: Style): void {
    this.#options.transcript.add(LinesItem.of(paint(text, style)))
  }
}

/** Words of others in one style: they bring none of their own, and a style does not reach over the end of a line. */
function paint(text: string, style: Style): string {
  return stripControls(text).replaceAll('\t', '    ').split('\n').map(style).join('\n')
}

/** The beginning of a long message, and how much of it is left out. */
function shorten(text: string): { shown: string; hidden: string | undefined } {
  const lines = text.split('\n')
  const beginning = clipEnd(lines.slice(0, MOST_LINES).join('\n'), MOST_CHARACTERS)
  if (beginning === text) return { shown: text, hidden: undefined }
  const hidden = lines.length - beginning.split('\n').length
  return { shown: beginning, hidden: hidden > 0 ? plural(hidden, 'more line') : plural(text.length - MOST_CHARACTERS, 'more character') }
}

function describeContent(content: readonly ContentBlock[]): string {
  return [typedText(content), ...attachedLines(content)].filter(part => part !== '').join('\n')
}
