/** Asks the provider which models it offers. */

import { Exchange, type ExchangeOptions, type ResponseSink, type Transport, type TransportRequest } from '@deepseek-ai/dsh-http-exchange'
import { LlmError } from '@deepseek-ai/dsh-llm'
import { asLlmError, notTheProtocol, responseError, type Refused } from './response-error.ts'

const MAX_BYTES = 4 * 1024 * 1024

export interface FetchModelsOptions extends Omit<ExchangeOptions, 'released'> {
  request: TransportRequest
  transport: Transport
  secret: string | undefined
  now: () => number
}

/** The ids, in the provider's order. Rejects with `LlmError`, or with the signal's reason. */
export async function fetchModels({ request, transport, secret, now, ...exchange }: FetchModelsOptions): Promise<string[]> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const refused: Refused = { headers: {}, body: '', host: exchange.host, requestBytes: 0, secret }
  const pieces: Uint8Array[] = []
  let size = 0
  const sink: ResponseSink = {
    head(status, headers) {
      Object.assign(refused, { status, headers })
    },
    data(bytes) {
      size += bytes.length
      if (size > MAX_BYTES) throw new LlmError('MALFORMED_RESPONSE', `${exchange.host} lists its models in more than ${MAX_BYTES} bytes`)
      pieces.push(bytes)
    },
    end: () => resolve(Buffer.concat(pieces).toString('utf8')),
    fail: error => reject(asLlmError(error)),
  }
  await new Exchange(sink, { ...exchange, released: () => undefined }).send(transport, request)
  refused.body = await promise
  if (refused.status !== 200) throw responseError(refused, now())
  return idsOf(refused)
}

function idsOf(answer: Refused): string[] {
  const list = parse(answer.body)?.data
  if (!Array.isArray(list)) throw notTheProtocol(answer, 'something else than a list of models')
  return list.map((entry: unknown) => (typeof entry === 'object' && entry !== null ? (entry as { id?: unknown }).id : undefined)).filter(id => typeof id === 'string')
}

function parse(body: string): { data?: unknown } | undefined {
  try {
    return JSON.parse(body) as { data?: unknown }
  } catch {
    return undefined // reported as "something else" with an extract
  }
}
