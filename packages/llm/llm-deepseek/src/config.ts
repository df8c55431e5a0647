/** The options of the row `llm-deepseek`, and what they become before a request. */

import z from 'schemastery'
import { LlmError } from '@deepseek-ai/dsh-llm'
import type { ReasoningReplay } from './wire-messages.ts'

const DEFAULT_URL = 'https://api.deepseek.com'

export interface DeepSeekConfig {
  /** Default: the environment's DEEPSEEK_API_KEY. */
  apiKey?: string
  /** What comes before `/chat/completions`. Default: DEEPSEEK_BASE_URL, else the provider's own. */
  baseURL?: string
  /** The server needs no key, as local ones do. */
  keyless: boolean
  models: string[]
  /** Serve every other model name too. */
  anyModel: boolean
  /** Unset: not sent, so the provider decides. */
  thinking?: 'enabled' | 'disabled'
  reasoningEffort?: string
  reasoningReplay: ReasoningReplay
  /** Unset: as far as the model is known to see. */
  vision?: boolean
  connectTimeoutMs: number
  /** From the request to the first byte of the answer; models that think are silent for long. */
  firstByteTimeoutMs: number
  /** Between two bytes. */
  idleTimeoutMs: number
  /** How long keep-alive comments may stand in for events. */
  eventTimeoutMs: number
  /** How long the end marker may lag behind the finish reason; then the answer counts as complete. */
  finishTimeoutMs: number
  maxRequestBytes: number
  /** Sent with every request; they win over the adapter's own. */
  headers: Record<string, string>
}

export const Config: z<Partial<DeepSeekConfig>, DeepSeekConfig> = z.object({
  apiKey: z.string().role('secret'),
  baseURL: z.string(),
  keyless: z.boolean().default(false),
  models: z.array(z.string()).default(['deepseek-flash', 'deepseek-v4-flash', 'deepseek-v4-pro']),
  anyModel: z.boolean().default(true),
  thinking: z.union(['enabled', 'disabled'] as const),
  reasoningEffort: z.string(),
  reasoningReplay: z.union(['with-tool-calls', 'always', 'never'] as const).default('with-tool-calls'),
  vision: z.boolean(),
  connectTimeoutMs: z.natural().default(15_000),
  firstByteTimeoutMs: z.natural().default(300_000),
  idleTimeoutMs: z.natural().default(120_000),
  eventTimeoutMs: z.natural().default(900_000),
  finishTimeoutMs: z.natural().default(5000),
  maxRequestBytes: z.natural().default(32 * 1024 * 1024),
  headers: z.dict(z.string()).default({}),
}) as z<Partial<DeepSeekConfig>, DeepSeekConfig>

/** Where requests go: the origin for the connection, the path before the endpoint, the host for messages. */
export interface Endpoint {
  origin: string
  path: string
  host: string
}

/** Throws `INVALID_REQUEST` when the address is none. */
export function endpointOf(config: DeepSeekConfig, env: NodeJS.ProcessEnv): Endpoint {
  const address = (config.baseURL || env.DEEPSEEK_BASE_URL || DEFAULT_URL).trim()
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new LlmError('INVALID_REQUEST', `the base URL "${address}" is not an http or https address; set DEEPSEEK_BASE_URL or baseURL of the row llm-deepseek`)
  }
  const path = url.pathname.replace(/\/+$/, '').replace(/\/chat\/completions$/, '')
  return { origin: url.origin, path, host: url.host }
}

/**
 * The key, or undefined for a server that needs none. Throws `AUTH` when it is
 * missing or cannot stand in a header; the message never holds it.
 */
export function keyOf(config: DeepSeekConfig, env: NodeJS.ProcessEnv): string | undefined {
  const key = (config.apiKey || env.DEEPSEEK_API_KEY || '').trim()
  if (key === '' && config.keyless) return undefined
  if (key === '') {
    throw new LlmError('AUTH', 'no API key: give one with /login or dsh auth, or set the environment variable DEEPSEEK_API_KEY, or apiKey of the row llm-deepseek in your settings (keyless: true for a local server that needs none)')
  }
  const bad = /[^\x21-\x7e]/.exec(key)
  if (bad) {
    const point = bad[0].charCodeAt(0).toString(16).padStart(4, '0').toUpperCase()
    throw new LlmError('AUTH', `the API key holds a character that no key can have (U+${point} at position ${bad.index + 1}); copy it again into DEEPSEEK_API_KEY`)
  }
  return key
}
