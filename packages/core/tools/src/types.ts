/** The vocabulary of tools: definitions, calls, decisions, results, and what a screen may show. Types only. */

import type { Agent, InjectedContext } from '@deepseek-ai/dsh-agent'
import type { JsonObject, JsonValue } from '@deepseek-ai/dsh-json'
import type { CallId, ContentBlock, ToolSchema } from '@deepseek-ai/dsh-llm'
import type { ToolErrorInfo } from '@deepseek-ai/dsh-session'

/** What a tool does, for permission and display. `read`, `search` and `think` change nothing. */
export type ToolKind = 'read' | 'search' | 'think' | 'edit' | 'delete' | 'move' | 'execute' | 'fetch' | 'other'

/** `parallel` calls may overlap with their parallel neighbours; `exclusive` ones run alone. */
export type ToolConcurrency = 'parallel' | 'exclusive'

/** What a tool's body knows about the call it serves. */
export interface ToolCall {
  callId: CallId
  name: string
  /** Absolute: where relative paths of the call start. */
  cwd: string
  /** Aborted when the turn is cancelled; the body must stop soon and reject with its reason. */
  signal: AbortSignal
  /** Absent when a tool is run without an agent. */
  agent?: Agent
  /** Tells whoever watches of output as it comes: `tools/progress`. The result says it all again; the model and the log see only that. Absent outside the pipeline. */
  report?(text: string): void
}

/** A call on its way through the pipeline. */
export interface ToolExecution extends ToolCall {
  /** Parsed, and once past validation conforming to the tool's schema. */
  arguments: JsonObject
}

/** Blocks, or blocks with what only the tool's own presenters read. */
export type ToolReturn = ContentBlock[] | { content: ContentBlock[]; isError?: boolean; meta?: JsonValue }

export interface ToolDefinition<Args = JsonObject> extends ToolSchema {
  /** Default `other`. */
  kind?: ToolKind
  /** Default `exclusive`; a function that throws means `exclusive` too. */
  concurrency?: ToolConcurrency | ((args: Args) => ToolConcurrency)
  /** A rejection becomes an error result: the message is for the model. */
  execute(args: Args, call: ToolCall): Promise<ToolReturn>
  /** Pure; what to show while the call runs. A throw falls back to the generic card. */
  presentCall?(args: Args): ToolCallView
  /** Pure; what to show when it is done. */
  presentResult?(args: Args, result: ToolResult): ToolResultView
}

export interface ToolResult {
  content: ContentBlock[]
  isError: boolean
  meta?: JsonValue
}

export interface ToolExecutionResult extends ToolResult {
  callId: CallId
  error?: ToolErrorInfo
  additionalContext?: InjectedContext[]
}

/** Answer of `tools/pre-execute`. Rewritten arguments are validated again. */
export type PreToolDecision =
  | { kind: 'allow'; arguments?: JsonObject }
  /** `code` tells programs why; default `DENIED`. */
  | { kind: 'deny'; reason: string; code?: string }
  /** A human has to be asked; denied with `PERMISSION_REQUIRED` when nobody turns it into an answer. */
  | { kind: 'ask'; reason?: string }

/** Answer of `tools/post-execute`. */
export type PostToolDecision =
  | { kind: 'accept'; content?: ContentBlock[]; additionalContext?: InjectedContext }
  | { kind: 'block'; feedback: ContentBlock[]; additionalContext?: InjectedContext }

export interface FileLocation {
  path: string
  /** From 1. */
  line?: number
}

export interface FileDiff {
  path: string
  /** Null for a new file. */
  oldText: string | null
  newText: string
}

export type ToolCallView =
  | { card: 'generic'; title: string; kind?: ToolKind; rawInput?: JsonValue; content?: ContentBlock[]; locations?: FileLocation[] }
  | { card: 'terminal'; title: string; description?: string; cwd?: string }
  | { card: 'diff'; title: string; diffs: FileDiff[]; locations?: FileLocation[] }

export type ToolResultView =
  | { card: 'generic'; title?: string; content?: ContentBlock[] }
  | { card: 'terminal'; title?: string; output?: string; exitCode?: number; signal?: string }
  | { card: 'diff'; title?: string; diffs: FileDiff[] }
