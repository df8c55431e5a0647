/** What a rendered session consists of. Types only. */

import type { ImageBlock, MessageSource } from '@deepseek-ai/dsh-llm'

/** Something said: by a person, by a plugin, or by the model. */
export interface SpokenItem {
  kind: 'user' | 'steering' | 'context' | 'assistant'
  time: number
  text: string
  images: ImageBlock[]
  /** Who put it there; absent for the model. */
  source?: MessageSource
  /** What the model thought before it spoke; empty when that is not known. */
  reasoning: string
  model?: string
  /** The answer was cut. */
  isInterrupted: boolean
}

/** One tool call with its result. */
export interface ToolItem {
  kind: 'tool'
  time: number
  name: string
  /** As the model wrote them. */
  arguments: string
  /** Absent when there is none: the call did not start, or did not end. */
  result?: { text: string; images: ImageBlock[]; isError: boolean }
}

/** Something that happened besides, in one sentence. */
export interface NoteItem {
  kind: 'note'
  time: number
  text: string
}

export type ConversationItem = SpokenItem | ToolItem | NoteItem
