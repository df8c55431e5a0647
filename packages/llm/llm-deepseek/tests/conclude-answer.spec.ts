import { describe, expect, it } from 'vitest'
import { answer, delta, DONE, type MockReply } from '@deepseek-ai/dsh-llm-mock-server'
import { answerOf, cleanUp, errorOf, open } from './harness.ts'

cleanUp()

const CONTENT: Record<string, string[]> = {
  text: [delta({ content: 'hello' })],
  call: [delta({ tool_calls: [{ index: 0, id: 'c', function: { name: 'bash', arguments: '{}' } }] })],
  nothing: [],
  blanks: [delta({ content: ' \n\u200b\ufeff' })],
  reasoning: [delta({ reasoning_content: 'hm' })],
}

/** What ends as what: a kind of finish, or the code of an error. */
const TABLE: Record<string, Record<string, string>> = {
  stop: { text: 'stop', call: 'tool-calls', nothing: 'EMPTY_RESPONSE', blanks: 'EMPTY_RESPONSE', reasoning: 'EMPTY_RESPONSE' },
  tool_calls: { text: 'stop', call: 'tool-calls', nothing: 'EMPTY_RESPONSE', blanks: 'EMPTY_RESPONSE', reasoning: 'EMPTY_RESPONSE' },
  length: { text: 'max-tokens', call: 'max-tokens', nothing: 'CONTEXT_OVERFLOW', blanks: 'CONTEXT_OVERFLOW', reasoning: 'EMPTY_RESPONSE' },
  content_filter: { text: 'CONTENT_FILTER', call: 'tool-calls', nothing: 'CONTENT_FILTER', blanks: 'CONTENT_FILTER', reasoning: 'CONTENT_FILTER' },
  null: { text: 'stop', call: 'tool-calls', nothing: 'EMPTY_RESPONSE', blanks: 'EMPTY_RESPONSE', reasoning: 'EMPTY_RESPONSE' },
  eos: { text: 'stop', call: 'tool-calls', nothing: 'EMPTY_RESPONSE', blanks: 'EMPTY_RESPONSE', reasoning: 'EMPTY_RESPONSE' },
  function_call: { text: 'stop', call: 'tool-calls', nothing: 'EMPTY_RESPONSE', blanks: 'EMPTY_RESPONSE', reasoning: 'EMPTY_RESPONSE' },
  insufficient_system_resource: { text: 'SERVER', call: 'SERVER', nothing: 'SERVER', blanks: 'SERVER', reasoning: 'SERVER' },
}

async function outcome(reply: MockReply): Promise<string> {
  const harness = await open([reply])
  try {
    return (await answerOf(harness)).finish.kind
  } catch (error) {
    return (error as { code: string }).code
  }
}

describe('the end of an answer', () => {
  const rows = Object.entries(TABLE).flatMap(([reason, cells]) => Object.entries(cells).map(([content, expected]) => [reason, content, expected] as const))

  it.each(rows)('with finish reason %s and %s is %s', async (reason, content, expected) => {
    const pieces = [...(CONTENT[content] ?? []), delta({}, reason === 'null' ? null : reason), DONE]
    expect(await outcome({ pieces })).toBe(expected)
  })

  it('is an empty answer when the end marker comes alone', async () => {
    expect(await errorOf(await open([{ pieces: [DONE] }]))).toMatchObject({ code: 'EMPTY_RESPONSE', retryable: true })
  })

  it('is a good answer after an empty one', async () => {
    const harness = await open([answer({ reasoning: 'hm' }), answer({ text: 'here' })])
    await errorOf(harness)
    expect((await answerOf(harness)).finish).toEqual({ kind: 'stop' })
  })
})
