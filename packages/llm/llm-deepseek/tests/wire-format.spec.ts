import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { text } from '@deepseek-ai/dsh-llm'
import { answer, bodyReply, delta, DONE, errorReply, frame, textAnswer, type MockReply, type Piece } from '@deepseek-ai/dsh-llm-mock-server'
import { answerOf, ask, BASH, cleanUp, collect, errorOf, open } from './harness.ts'

cleanUp()

const TOKENS = ['Der ', 'Käse ', '🧀 ', 'ist ', 'alle', '. ', '日本', '語 ', '–', '!']
const TEXT = TOKENS.join('')
const EVENTS = [...TOKENS.map(content => delta({ content })), delta({}, 'stop')]
const PLAIN = [...EVENTS, DONE].join('')

function bytewise(stream: string): Piece[] {
  return Array.from(Buffer.from(stream), byte => Uint8Array.of(byte))
}

describe('the stream format', () => {
  it.each<[string, readonly Piece[]]>([
    ['comments between all events', [PLAIN.replaceAll('data:', ': PROCESSING\n\ndata:')]],
    ['no space after the colon', [PLAIN.replaceAll('data: ', 'data:')]],
    ['CRLF', [PLAIN.replaceAll('\n', '\r\n')]],
    ['lone CR', [PLAIN.replaceAll('\n', '\r')]],
    ['empty data', [PLAIN.replaceAll('data: {', 'data:\n\ndata: {')]],
    ['other fields', [PLAIN.replaceAll('data:', 'id: 7\nretry: 10\nevent: message\ndata:')]],
    ['one byte a write', bytewise(PLAIN)],
    ['all in one write', [PLAIN]],
    ['a byte order mark', [`\ufeff${PLAIN}`]],
    ['no end marker', EVENTS],
    ['bytes after the end marker', [`${PLAIN}data: {"choices":[{"delta":{"content":"more"}}]}\n\ngarbage`]],
    ['no blank line at the end', [PLAIN.trimEnd()]],
    ['a comment inside a data field', [PLAIN.replaceAll('data: {', 'data: : PROCESSING\n\ndata: {')]],
    ['no blank lines at all', [PLAIN.replaceAll('\n\n', '\n')]],
  ])('gives the same text with %s', async (_name, pieces) => {
    const harness = await open([{ pieces }])
    expect(await answerOf(harness)).toEqual({ blocks: [text(TEXT)], finish: { kind: 'stop' } })
  })

  it('says nothing behind the finish, whatever follows the end marker', async () => {
    const harness = await open([{ pieces: [`${PLAIN}${delta({ content: 'more' })}`, delta({ tool_calls: [{ index: 0, id: 'x' }] })] }])
    expect((await collect(harness.adapter.stream(ask()))).at(-1)).toEqual({ type: 'finish', reason: { kind: 'stop' } })
  })

  it('reads an answer that a server did not stream', async () => {
    const body = { choices: [{ message: { role: 'assistant', content: 'whole', tool_calls: null }, finish_reason: 'stop' }], usage: { prompt_tokens: 3, completion_tokens: 1 } }
    const harness = await open([bodyReply(200, 'application/json', JSON.stringify(body))])
    const chunks = await collect(harness.adapter.stream(ask()))
    expect(chunks.at(-2)).toEqual({ type: 'usage', usage: { inputTokens: 3, outputTokens: 1 } })
    expect(chunks.filter(chunk => chunk.type === 'block-end')).toEqual([{ type: 'block-end', index: 0, block: text('whole') }])
  })

  it('keeps usage for the end although it comes after the finish reason, or before it', async () => {
    const usage = { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 6 }, completion_tokens_details: { reasoning_tokens: 3 } }
    const late = [delta({ content: 'a' }), delta({}, 'stop'), frame({ choices: [], usage }), DONE]
    const early = [frame({ choices: [], usage }), delta({ content: 'a' }), delta({}, 'stop'), DONE]
    const harness = await open([{ pieces: late }, { pieces: early }])
    for (let i = 0; i < 2; i++) {
      const chunks = await collect(harness.adapter.stream(ask()))
      expect(chunks.slice(-2)).toEqual([
        { type: 'usage', usage: { inputTokens: 4, outputTokens: 4, cacheReadTokens: 6, reasoningTokens: 3 } },
        { type: 'finish', reason: { kind: 'stop' } },
      ])
    }
  })

  it('reads reasoning under its other name', async () => {
    const harness = await open([{ pieces: [delta({ reasoning: 'hm' }), delta({ content: 'a' }, 'stop'), DONE] }])
    expect((await answerOf(harness)).blocks).toEqual([{ type: 'reasoning', text: 'hm' }, text('a')])
  })
})

describe('an answer that is an error', () => {
  const overloaded = frame({ error: { message: 'overloaded', code: 529 } })

  it.each<[string, MockReply, object]>([
    ['an error frame at the start', { pieces: [overloaded] }, { code: 'SERVER', retryable: true }],
    ['an error frame in the middle', { pieces: [delta({ content: 'a' }), overloaded, DONE] }, { code: 'SERVER', retryable: true }],
    ['an error as JSON', bodyReply(200, 'application/json', '{"error":{"message":"invalid model","type":"invalid_request_error"}}'), { code: 'INVALID_REQUEST', retryable: false }],
    ['an HTML page', bodyReply(200, 'text/html', '<html><head><title>Log in</title></head><body>secret</body></html>'), { code: 'MALFORMED_RESPONSE' }],
    ['a page of 200 KB', bodyReply(502, 'text/html', `<html><title>Bad gateway</title>${'x'.repeat(200_000)}</html>`), { code: 'SERVER', status: 502 }],
    ['no content', { status: 204, pieces: [] }, { code: 'MALFORMED_RESPONSE' }],
    ['zero bytes', { pieces: [] }, { code: 'STREAM_CLOSED', retryable: true }],
    ['an event that is not JSON', { pieces: ['data: {"choices":[{]}\n\n', DONE] }, { code: 'MALFORMED_RESPONSE' }],
    ['an event that is not an object', { pieces: ['data: [1]\n\n', DONE] }, { code: 'MALFORMED_RESPONSE' }],
  ])('fails with a short extract: %s', async (_name, reply, expected) => {
    const error = await errorOf(await open([reply]))
    expect(error).toMatchObject(expected)
    expect(error.message.length).toBeLessThan(600)
    expect(error.message).not.toContain('secret')
  })

  it('shows the title of a page and nothing of its body', async () => {
    const error = await errorOf(await open([bodyReply(502, 'text/html', '<!doctype html><title>Bad\n gateway</title><p>nginx</p>')]))
    expect(error.message).toMatch(/^the provider failed: 127\.0\.0\.1:\d+ \(HTTP 502\): Bad gateway$/)
  })

  it('does not follow a redirect with the key', async () => {
    const other = await open()
    const harness = await open([{ status: 302, headers: { location: `${other.server.url}/chat/completions` }, pieces: [] }])
    expect(await errorOf(harness)).toMatchObject({ code: 'MALFORMED_RESPONSE', message: expect.stringContaining('a redirect to') })
    expect(other.server.connections).toBe(0)
  })

  it.each<[string, Piece[], MockReply['end']]>([
    ['a reset after five tokens', EVENTS.slice(0, 5), 'reset'],
    ['the end of the connection after five tokens', EVENTS.slice(0, 5), 'fin'],
    ['a proper end without an end marker', EVENTS.slice(0, 5), 'finish'],
    ['a reset after a whole call', [delta({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'bash', arguments: '{"command":"ls"}' } }] })], 'reset'],
    ['a cut inside an event', [EVENTS.join('').slice(0, 700)], 'finish'],
  ])('is closed, not finished, after %s', async (_name, pieces, end) => {
    const harness = await open([{ pieces, end }])
    expect(await errorOf(harness)).toMatchObject({ code: expect.stringMatching(/STREAM_CLOSED|MALFORMED/), retryable: true })
  })

  it('is over soon after its end marker, even if the server keeps the connection', async () => {
    const harness = await open([{ pieces: [PLAIN], end: 'hang' }])
    expect((await answerOf(harness)).blocks).toEqual([text(TEXT)])
    while (harness.server.requests[0]?.aborted !== true) await sleep(5)
  })

  it('is still a refusal when the refusal breaks off', async () => {
    const harness = await open([{ ...errorReply(503, 'overloaded'), end: 'fin' }])
    expect(await errorOf(harness)).toMatchObject({ code: 'SERVER', message: expect.stringContaining('overloaded') })
  })

  it('takes an answer for complete when the connection breaks behind its finish reason', async () => {
    const harness = await open([{ pieces: EVENTS, end: 'fin' }])
    expect((await answerOf(harness)).blocks).toEqual([text(TEXT)])
  })

  it('names the host and a way out when nobody listens', async () => {
    const harness = await open()
    await harness.server.close()
    const error = await errorOf(harness)
    expect(error).toMatchObject({ code: 'UNREACHABLE', retryable: true })
    expect(error.message).toMatch(/^cannot reach 127\.0\.0\.1:\d+ \(ECONNREFUSED\): nothing listens there/)
  })

  it('asks again after the server has come up', async () => {
    const harness = await open([textAnswer('up')])
    const { adapter } = harness
    expect((await answerOf({ adapter })).blocks).toEqual([text('up')])
  })
})

describe('the size of an answer', () => {
  it('streams twenty thousand deltas', async () => {
    const tokens = Array.from({ length: 20_000 }, (_, i) => `tok${i} `)
    const harness = await open([answer({ text: tokens, perWrite: 50 })], {}, { validate: 'off' })
    const before = process.cpuUsage()
    const chunks = await collect(harness.adapter.stream(ask({ tools: [BASH] })))
    const { user, system } = process.cpuUsage(before)
    expect(chunks.filter(chunk => chunk.type === 'text-delta').map(chunk => chunk.text)).toEqual(tokens)
    // Generous: the server runs in this process too. The aim is a quarter of it.
    expect((user + system) / 1000).toBeLessThan(1500)
  })

  it('reads no more of a refusal than it needs', async () => {
    const harness = await open([{ ...errorReply(500, 'boom'), headers: { 'content-type': 'text/plain' }, pieces: Array.from({ length: 40 }, () => 'x'.repeat(10_000)), end: 'hang' }])
    expect(await errorOf(harness)).toMatchObject({ code: 'SERVER', status: 500 })
  })
})
