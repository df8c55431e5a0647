/**
 * Sends a made-up request over a connection that leads nowhere, and reads the
 * answer that it gets there. What runs for the first time takes many times as
 * long as afterwards: here that happens while nobody waits for it.
 */

import { AnsweredConnection, Transport } from '@deepseek-ai/dsh-http-exchange'
import { text, type GenerateOptions } from '@deepseek-ai/dsh-llm'
import { endpointOf, type DeepSeekConfig } from './config.ts'
import { DeepSeekAdapter, type AdapterSurroundings } from './deepseek-adapter.ts'

const CHUNKS = [{ reasoning_content: 'a' }, { content: 'b' }, { tool_calls: [{ index: 0, id: 'c', function: { name: 'read', arguments: '{}' } }] }, {}]

/** Rejects as a request does that cannot be made, for want of a key; asks no network, and reports nothing. */
export async function rehearse(model: string, { config, around }: { config: DeepSeekConfig; around: AdapterSurroundings }, signal: AbortSignal): Promise<void> {
  const { origin } = endpointOf(config, around.env)
  const transport = new Transport(origin, { connectTimeoutMs: config.connectTimeoutMs, env: around.env, connect: () => new AnsweredConnection(answer()) })
  const adapter = new DeepSeekAdapter(config, { ...around, note: () => {} }, transport)
  const request: GenerateOptions = { model, messages: [{ role: 'user', content: [text('a')] }], system: 'b', tools: [{ name: 'read', description: 'c', parameters: { type: 'object' } }], sessionId: 'rehearsal', signal }
  try {
    for await (const chunk of adapter.stream(request)) void chunk
  } finally {
    await adapter.close()
  }
}

function answer(): string {
  const events = CHUNKS.map((delta, i) => ({ choices: [{ index: 0, delta, finish_reason: i === CHUNKS.length - 1 ? 'tool_calls' : null }], usage: { prompt_tokens: 1, completion_tokens: 1 } }))
  const body = [...events.map(event => JSON.stringify(event)), '[DONE]'].map(data => `data: ${data}\n\n`).join('')
  return `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`
}
