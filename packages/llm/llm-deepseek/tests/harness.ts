/** An adapter in front of a mock server, and ways to read it. */

import { afterEach } from 'vitest'
import { BlockAssembler, text, type ContentBlock, type FinishReason, type GenerateOptions, type Message, type StreamChunk, type ToolSchema } from '@deepseek-ai/dsh-llm'
import { MockLlmServer, type MockScript, type MockServerOptions } from '@deepseek-ai/dsh-llm-mock-server'
import { Config } from '../src/config.ts'
import { DeepSeekAdapter, type DeepSeekConfig } from '../src/index.ts'

export const KEY = 'sk-test-0123456789'

export const BASH: ToolSchema = {
  name: 'bash',
  description: 'runs a command',
  parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'], additionalProperties: false },
}

export interface Harness {
  server: MockLlmServer
  adapter: DeepSeekAdapter
  notes: string[]
}

const cleanups: (() => Promise<unknown>)[] = []

/** Call it once per spec file. */
export function cleanUp(): void {
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
}

export function later(cleanup: () => Promise<unknown>): void {
  cleanups.push(cleanup)
}

/** An adapter that talks to `baseURL` (or to nobody). */
export function adapterFor(baseURL: string, config: Partial<DeepSeekConfig> = {}, env: NodeJS.ProcessEnv = {}): { adapter: DeepSeekAdapter; notes: string[] } {
  const notes: string[] = []
  const adapter = new DeepSeekAdapter(Config({ apiKey: KEY, baseURL, ...config }), { env, now: () => Date.now(), note: message => notes.push(message) })
  later(() => adapter.close())
  return { adapter, notes }
}

export async function open(script: MockScript = [], config: Partial<DeepSeekConfig> = {}, server: MockServerOptions = {}): Promise<Harness> {
  const mock = await MockLlmServer.start({ script, ...server })
  later(() => mock.close())
  return { server: mock, ...adapterFor(mock.url, config) }
}

export function ask(more: Partial<GenerateOptions> = {}): GenerateOptions {
  const messages: Message[] = [{ role: 'user', content: [text('hi')] }]
  return { model: 'deepseek-flash', messages, tools: [BASH], signal: new AbortController().signal, ...more }
}

export async function collect(stream: AsyncIterable<StreamChunk>): Promise<StreamChunk[]> {
  const chunks: StreamChunk[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return chunks
}

/** The blocks and the finish of one answer, or the error that it ended in. */
export async function answerOf({ adapter }: { adapter: DeepSeekAdapter }, more: Partial<GenerateOptions> = {}): Promise<{ blocks: ContentBlock[]; finish: FinishReason }> {
  const assembler = new BlockAssembler()
  for await (const chunk of adapter.stream(ask(more))) assembler.push(chunk)
  return { blocks: assembler.blocks(), finish: assembler.finish }
}

/** The error that an answer ends in; fails when it ends well. */
export async function errorOf(harness: { adapter: DeepSeekAdapter }, more: Partial<GenerateOptions> = {}): Promise<Error & { code?: string; retryable?: boolean }> {
  try {
    const answer = await answerOf(harness, more)
    throw new Error(`expected a failure, got ${JSON.stringify(answer)}`)
  } catch (error) {
    return error as Error
  }
}

export function userText(value: string): Message {
  return { role: 'user', content: [text(value)] }
}
