import { describe, expect, it } from 'vitest'
import { bodyReply, errorReply, type MockReply } from '@deepseek-ai/dsh-llm-mock-server'
import { text } from '@deepseek-ai/dsh-llm'
import { cleanUp, errorOf, open } from './harness.ts'

cleanUp()

async function refusal(reply: MockReply): Promise<object> {
  const { code, status, retryable, retryAfterMs } = (await errorOf(await open([reply]))) as unknown as Record<string, unknown>
  return { code, status, retryable, ...(retryAfterMs !== undefined && { retryAfterMs }) }
}

describe('a refusal', () => {
  it.each<[MockReply, string, boolean]>([
    [errorReply(400, 'bad field'), 'INVALID_REQUEST', false],
    [errorReply(401, 'who are you'), 'AUTH', false],
    [errorReply(402, 'Insufficient Balance'), 'QUOTA', false],
    [errorReply(403, 'forbidden'), 'AUTH', false],
    [errorReply(404, 'no such model'), 'INVALID_REQUEST', false],
    [errorReply(408, 'slow'), 'HTTP_408', true],
    [errorReply(418, 'teapot'), 'HTTP_418', false],
    [errorReply(422, 'parameters'), 'INVALID_REQUEST', false],
    [errorReply(429, 'slow down'), 'RATE_LIMIT', true],
    [errorReply(429, 'Rate limit reached: 30000 tokens per minute, request too large'), 'RATE_LIMIT', true],
    [errorReply(429, { message: 'You exceeded your current quota', code: 'insufficient_quota' }), 'QUOTA', false],
    [errorReply(500, 'boom'), 'SERVER', true],
    [errorReply(503, 'Loading model'), 'SERVER', true],
    [errorReply(529, 'overloaded'), 'SERVER', true],
  ])('becomes a code that says whether to try again (%#)', async (reply, code, retryable) => {
    expect(await refusal(reply)).toEqual({ code, status: reply.status, retryable })
  })

  it.each<[string, MockReply]>([
    ['a code', errorReply(400, { message: 'too big', type: 'invalid_request_error', code: 'context_length_exceeded' })],
    ['DeepSeek', errorReply(400, "This model's maximum context length is 131072 tokens. However, you requested 140000 tokens. Please reduce the length of the messages.")],
    ['vLLM', errorReply(400, { object: 'error', message: 'The prompt (total length 9000) is too long for the model with a max model length of 8192' })],
    ['llama.cpp', errorReply(400, { code: 400, message: 'the request exceeds the available context size, try increasing it', type: 'exceed_context_size_error' })],
    ['llama.cpp as 500', errorReply(500, 'input is too large: context size exceeded')],
    ['a configured limit', errorReply(400, 'Input tokens exceed the configured limit of 272000 tokens')],
    ['a maximum length', errorReply(422, 'Input length 140000 exceeds the maximum length 131072')],
    ['a count of tokens', errorReply(400, 'Requested token count exceeds the model maximum of 131072')],
    ['a bare 413', bodyReply(413, 'text/plain', '')],
    ['plain text', bodyReply(400, 'text/plain', 'prompt is too long: 210000 tokens > 200000 maximum')],
  ])('is recognised as an overflow of the window: %s', async (_name, reply) => {
    expect(await refusal(reply)).toMatchObject({ code: 'CONTEXT_OVERFLOW', retryable: false })
  })

  it('is taken for an overflow when a huge request gets a 400 without a word', async () => {
    const empty = bodyReply(400, 'text/plain', '')
    const large = await errorOf(await open([empty], {}, { validate: 'off' }), { messages: [{ role: 'user', content: [text('x'.repeat(900_000))] }] })
    expect(large).toMatchObject({ code: 'CONTEXT_OVERFLOW' })
    expect(await refusal(empty)).toMatchObject({ code: 'INVALID_REQUEST' })
  })

  it('carries the wait that the provider asks for, and says it', async () => {
    const harness = await open([errorReply(429, 'slow down', { 'retry-after': '7200' }), errorReply(503, 'busy', { 'retry-after-ms': '1500' })])
    expect(await errorOf(harness)).toMatchObject({ retryAfterMs: 7_200_000, message: expect.stringContaining('asks to wait 7200 s') })
    expect(await errorOf(harness)).toMatchObject({ code: 'SERVER', retryAfterMs: 1500 })
  })

  it('is cut to a short line without control characters', async () => {
    const error = await errorOf(await open([errorReply(500, `\u001b[31m${'long '.repeat(500)}\n\u0007`)]))
    expect(error.message.length).toBeLessThan(400)
    // oxlint-disable-next-line no-control-regex
    expect(error.message).not.toMatch(/[\u0000-\u001f]/)
  })
})
