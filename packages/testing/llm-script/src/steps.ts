/** The steps of a script: what the model "says" next. Plain data, so that a composition file can hold them. */

import type { JsonObject } from '@deepseek-ai/dsh-json'
import type { FinishReason, GenerateOptions, StreamChunk, TokenUsage } from '@deepseek-ai/dsh-llm'

/** A call as a script writes it; the id is made up when it is absent. */
export interface ScriptedCall {
  name: string
  /** An object becomes JSON; text is passed on raw, valid or not. */
  arguments: JsonObject | string
  id?: string
}

/** What can come with any answer. */
export interface AnswerExtras {
  reasoning?: string
  /** Into how many deltas the text is cut. Default 1. */
  deltas?: number
  usage?: TokenUsage
  finish?: FinishReason
  /** Waits before the first chunk. */
  delayMs?: number
}

export type Step =
  | ({ kind: 'answer'; text?: string; calls?: readonly ScriptedCall[] } & AnswerExtras)
  | { kind: 'fail'; error: Error; after?: readonly StreamChunk[] }
  | { kind: 'chunks'; chunks: readonly StreamChunk[] }
  | { kind: 'hang'; after?: readonly StreamChunk[] }

/** A step, or a function that makes one from the request. */
export type ScriptStep = Step | ((request: GenerateOptions) => Step | Promise<Step>)

/** The model answers in words. */
export function reply(text: string, extras: AnswerExtras = {}): Step {
  return { kind: 'answer', text, ...extras }
}

/** The model calls one tool. */
export function call(name: string, args: JsonObject | string = {}, extras: AnswerExtras & { id?: string; text?: string } = {}): Step {
  const { id, ...rest } = extras
  return { kind: 'answer', calls: [{ name, arguments: args, ...(id !== undefined && { id }) }], ...rest }
}

/** The model calls several tools in one answer. */
export function calls(list: readonly ScriptedCall[], extras: AnswerExtras & { text?: string } = {}): Step {
  return { kind: 'answer', calls: list, ...extras }
}

/** The request fails, after the chunks that are given. */
export function fail(error: Error, after: readonly StreamChunk[] = []): Step {
  return { kind: 'fail', error, after }
}

/** Exactly these chunks. */
export function chunks(list: readonly StreamChunk[]): Step {
  return { kind: 'chunks', chunks: list }
}

/** Silence until the request is aborted, after the chunks that are given. */
export function hang(after: readonly StreamChunk[] = []): Step {
  return { kind: 'hang', after }
}
