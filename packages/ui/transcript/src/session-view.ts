/** Shows a session as it grows: each event of its log becomes an item of the transcript, or changes one. */

import { describeEnd } from '@deepseek-ai/dsh-front-door'
import { textOf, type ContentBlock } from '@deepseek-ai/dsh-llm'
import type { SessionEvent, SessionEventMap } from '@deepseek-ai/dsh-session'
import type { PartStyle } from '@deepseek-ai/dsh-terminal-view'
import { stripControls } from '@deepseek-ai/dsh-text'
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
        return this.#note(this.#options.style.theme.warning(`! the prompt was not accepted: ${event.data.reason}`))
      case 'turn/end': {
        this.#endStream()
        const end = describeEnd(event.data.reason)
        return end === undefined ? undefined : this.#note(this.#options.style.theme.warning(`! ${end}`))
      }
      default:
        return undefined
    }
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
    const text = stripControls(describeContent(content))
    if (source.kind === 'user') this.#options.transcript.add(LinesItem.of(theme.bold(text), { mark }))
    else this.#note(theme.dim(`· ${text}`))
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
      if (!this.#answer) transcript.add((this.#answer = new AnswerItem(style)))
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
    const next = retryInMs === undefined ? '' : `; trying again in ${(retryInMs / 1000).toFixed(1)} s${hadShown ? ', what stands above does not count' : ''}`
    this.#note(this.#options.style.theme.warning(`! request attempt ${attempt} failed: ${error.message} [${error.code}]${next}`))
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

  #note(text: string): void {
    this.#options.transcript.add(LinesItem.of(stripKeepingStyle(text)))
  }
}

/** Notes hold words of others between our own styles. */
function stripKeepingStyle(text: string): string {
  // oxlint-disable-next-line no-control-regex
  const parts = text.split(/(\u001b\[\d+m)/)
  return parts.map((part, i) => (i % 2 === 1 ? part : stripControls(part))).join('')
}

function describeContent(content: readonly ContentBlock[]): string {
  const images = content.filter(block => block.type === 'image').length
  return [textOf(content), ...(images > 0 ? [`[${images === 1 ? 'an image' : `${images} images`}]`] : [])].filter(part => part !== '').join('\n')
}
