/** The format that Claude Code prints and that its wrappers read: `--output-format stream-json`. */

import { randomUUID } from 'node:crypto'
import type { Line } from '@deepseek-ai/dsh-json-lines'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { PartialMessages } from './partial-messages.ts'
import { stopReasonOf, toolUseOf, usageOf } from './stream-shapes.ts'
import { modeForStream } from './stream-modes.ts'
import type { Complaint, LineFormat, Outcome, RunFacts, Subtype } from './types.ts'

/** The subtypes that its readers know; every other failure is one of execution. */
const SUBTYPES: Partial<Record<Subtype, string>> = {
  success: 'success',
  error_max_turns: 'error_max_turns',
  error_max_steps: 'error_max_turns',
  error_max_budget: 'error_max_budget_usd',
  error_max_tokens: 'error_max_budget_usd',
  error_schema: 'error_max_structured_output_retries',
}

/** Without the pieces of messages unless they are asked for. */
export class StreamLines implements LineFormat {
  readonly resultPerTurn = true
  #sessionId = ''
  readonly #partial: PartialMessages | undefined

  constructor(options: { includePartialMessages: boolean }) {
    this.#partial = options.includePartialMessages ? new PartialMessages() : undefined
  }

  begin({ sessionId, cwd, model, tools, mode, version }: RunFacts): Line[] {
    this.#sessionId = sessionId
    const init = { type: 'system', subtype: 'init', cwd, tools, mcp_servers: [], model: model ?? '', permissionMode: modeForStream(mode), slash_commands: [], agents: [], apiKeySource: 'none', claude_code_version: version, output_style: 'default' }
    return [this.#sign(init)]
  }

  event(event: SessionEvent): Line[] {
    const pieces = (this.#partial?.event(event) ?? []).map(piece => this.#sign({ type: 'stream_event', event: piece, parent_tool_use_id: null }))
    const line = lineOf(event)
    return line ? [...pieces, this.#sign(line)] : pieces
  }

  /** A system message, because its readers refuse types that they do not know. */
  complaint({ code, message, line }: Complaint): Line {
    return this.#sign({ type: 'system', subtype: 'error', code, message, ...(line !== undefined && { line }) })
  }

  result({ subtype, isError, error, answer, structured, tally, durationMs }: Outcome): Line {
    return this.#sign({
      type: 'result',
      subtype: SUBTYPES[subtype] ?? 'error_during_execution',
      is_error: isError,
      duration_ms: Math.round(durationMs),
      duration_api_ms: Math.round(tally.requestMs),
      num_turns: tally.steps,
      result: isError && answer === '' ? (error?.message ?? '') : answer,
      ...(structured !== undefined && { structured_output: structured }),
      ...(error && { errors: [error.message] }),
      stop_reason: stopReasonOf(tally.finish),
      total_cost_usd: tally.cost?.currency === 'USD' ? tally.cost.amount : 0,
      usage: usageOf(tally.usage),
      modelUsage: Object.fromEntries(Object.entries(tally.byModel).map(([model, { input, output, cacheRead, cacheWrite }]) => [model, { inputTokens: input, outputTokens: output, cacheReadInputTokens: cacheRead, cacheCreationInputTokens: cacheWrite }])),
      permission_denials: tally.refusals.map(({ callId, tool, arguments: args }) => ({ tool_name: tool, tool_use_id: callId, tool_input: args })),
    })
  }

  #sign<T extends Line>(line: T): Line {
    return { ...line, session_id: this.#sessionId, uuid: randomUUID() }
  }
}

function lineOf(event: SessionEvent): Line | undefined {
  switch (event.type) {
    case 'assistant/message':
      return { type: 'assistant', message: messageOf(event), parent_tool_use_id: null }
    case 'tool/result': {
      const { callId, content, isError } = event.data
      return { type: 'user', message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: callId, content: content.flatMap(block => blockOf(block)), is_error: isError }] }, parent_tool_use_id: null }
    }
    case 'llm/attempt': {
      const { attempt, error, retryInMs } = event.data
      return { type: 'system', subtype: 'api_retry', attempt, error: error.code, message: error.message, error_status: error.status ?? null, retry_delay_ms: retryInMs ?? null }
    }
    default:
      return undefined
  }
}

function messageOf({ seq, data }: SessionEvent<'assistant/message'>): object {
  const { model, content, finish, usage } = data
  return {
    id: `msg_${seq}`,
    type: 'message',
    role: 'assistant',
    model,
    content: content.flatMap(block => blockOf(block)),
    stop_reason: stopReasonOf(finish.kind),
    stop_sequence: null,
    usage: usageOf({ input: usage?.inputTokens ?? 0, output: usage?.outputTokens ?? 0, cacheRead: usage?.cacheReadTokens ?? 0, cacheWrite: usage?.cacheWriteTokens ?? 0 }),
  }
}

function blockOf(block: ContentBlock): object[] {
  switch (block.type) {
    case 'text':
      return [{ type: 'text', text: block.text }]
    case 'reasoning':
      return [{ type: 'thinking', thinking: block.text, signature: '' }]
    case 'tool-call':
      return [toolUseOf(block)]
    case 'image':
      return [{ type: 'image', source: block.url === undefined ? { type: 'base64', media_type: block.mimeType ?? 'image/png', data: block.data ?? '' } : { type: 'url', url: block.url } }]
    default:
      return []
  }
}
