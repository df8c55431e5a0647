/** The smallest tool: text in, text out. */

import { text } from '@deepseek-ai/dsh-llm'
import type { ToolCall, ToolDefinition } from '@deepseek-ai/dsh-tools'
import type { JsonObject } from '@deepseek-ai/dsh-json'

export interface TextToolOptions extends Pick<ToolDefinition, 'concurrency'> {
  /** Default: an object that may hold anything. */
  parameters?: JsonObject
}

/** `run` returns what the model reads; a throw is an error result. */
export function textTool(name: string, run: (args: JsonObject, call: ToolCall) => string | Promise<string>, options: TextToolOptions = {}): ToolDefinition {
  return {
    name,
    description: `The test tool ${name}.`,
    parameters: { type: 'object' },
    ...options,
    execute: async (args, call) => [text(await run(args, call))],
  }
}
