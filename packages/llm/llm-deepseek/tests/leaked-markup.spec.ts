import { describe, expect, it } from 'vitest'
import { text, toolCallsOf } from '@deepseek-ai/dsh-llm'
import { answer, delta, DONE } from '@deepseek-ai/dsh-llm-mock-server'
import { answerOf, cleanUp, errorOf, open } from './harness.ts'

cleanUp()

const CALL = { name: 'bash', arguments: '{"command":"touch marker"}' }

/** The parameter format with any spelling of the bars. */
function dsml(bar: string, { wrapper = 'function_calls', name = 'bash' } = {}): string {
  const tag = (inner: string, close = ''): string => `<${close}${bar}DSML${bar}${inner}>`
  const invoke = `${tag(`invoke name="${name}"`)}\n${tag('parameter name="command" string="true"')}touch marker${tag('parameter', '/')}\n${tag('invoke', '/')}`
  return wrapper === '' ? invoke : `${tag(wrapper)}\n${invoke}\n${tag(wrapper, '/')}`
}

describe('an answer with leaked markup', () => {
  it('calls the tool once, under an id of its own', async () => {
    const harness = await open([answer({ text: ['On it.\n', ...dsml('｜')], finish: 'stop' })])
    expect(await answerOf(harness)).toEqual({
      blocks: [text('On it.\n'), { type: 'tool-call', id: 'call_0', ...CALL }],
      finish: { kind: 'tool-calls' },
    })
    expect(harness.notes).toEqual(['read 1 tool call(s) from markup that leaked into the text of the answer'])
  })

  it('does not call twice when the server sends a real call as well', async () => {
    const harness = await open([answer({ text: dsml('｜'), calls: [{ id: 'c1', name: 'bash', arguments: CALL.arguments }] })])
    const { blocks } = await answerOf(harness)
    expect(toolCallsOf(blocks).map(call => call.id)).toEqual(['c1'])
    expect(JSON.stringify(blocks)).not.toContain('DSML')
  })

  it('runs the real call beside markup that is broken, and mentions what it dropped', async () => {
    const harness = await open([answer({ text: dsml('｜').slice(0, 60), calls: [{ id: 'c1', name: 'bash', arguments: CALL.arguments }] })])
    expect((await answerOf(harness)).blocks).toEqual([{ type: 'tool-call', id: 'c1', ...CALL }])
    expect(harness.notes).toEqual([expect.stringContaining('dropped tool-call markup')])
  })

  it('is a failure to try again when the block is cut or its tool unknown', async () => {
    const harness = await open([answer({ text: dsml('｜').slice(0, 60) }), answer({ text: dsml('｜', { name: 'launch' }) }), answer({ reasoning: dsml('｜') })])
    for (let i = 0; i < 3; i++) expect(await errorOf(harness)).toMatchObject({ code: 'MALFORMED_RESPONSE', retryable: true })
  })

  it('is text when it is quoted', async () => {
    const quoted = `\`\`\`\n${dsml('｜')}\n\`\`\``
    const harness = await open([{ pieces: [...Array.from(quoted, content => delta({ content })), delta({}, 'stop'), DONE] }])
    expect(await answerOf(harness)).toEqual({ blocks: [text(quoted)], finish: { kind: 'stop' } })
  })
})
