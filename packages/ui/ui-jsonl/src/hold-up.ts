/** Holds the work up while the reader of the output is behind, so that what waits for it stays small. */

import type { Context } from 'cordis'
import type { LineOutput } from '@deepseek-ai/dsh-json-lines'
import type { StreamChunk } from '@deepseek-ai/dsh-llm'
import type {} from '@deepseek-ai/dsh-tools'

/** Between the pieces of an answer, and before each tool. Stopping the turn ends the waiting. */
export function holdUpFor(output: LineOutput, ctx: Context, sessionId: string): void {
  ctx.on('llm/stream', (options, next) => {
    const answer = next()
    return options.sessionId === sessionId ? paced(answer, output, options.signal) : answer
  })
  ctx.on('tools/execute', async (call, _tool, next) => {
    if (call.agent?.session.id === sessionId) await output.room(call.signal)
    return await next()
  })
}

async function* paced(answer: AsyncIterable<StreamChunk> | Promise<AsyncIterable<StreamChunk>>, output: LineOutput, signal: AbortSignal): AsyncIterable<StreamChunk> {
  for await (const chunk of await answer) {
    yield chunk
    if (output.isFull) await output.room(signal)
  }
}
