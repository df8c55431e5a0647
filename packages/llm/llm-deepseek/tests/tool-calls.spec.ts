import { describe, expect, it } from 'vitest'
import { toolCallsOf, type Message } from '@deepseek-ai/dsh-llm'
import { answer, delta, DONE, textAnswer, type MockReply } from '@deepseek-ai/dsh-llm-mock-server'
import { answerOf, ask, cleanUp, collect, open, userText } from './harness.ts'

cleanUp()

type Fragment = Record<string, unknown>

/** One event per list of fragments. */
function fragments(...events: Fragment[][]): MockReply {
  return { pieces: [...events.map(tool_calls => delta({ tool_calls: tool_calls as never })), delta({}, 'tool_calls'), DONE] }
}

function whole(id: unknown, command: string, more: Fragment = {}): Fragment {
  return { id, type: 'function', function: { name: 'bash', arguments: JSON.stringify({ command }) }, ...more }
}

/** Id, name and arguments of every call of one answer. */
async function callsOf(reply: MockReply, messages?: Message[]): Promise<[string, string, string][]> {
  const harness = await open([reply])
  const { blocks } = await answerOf(harness, messages && { messages })
  return toolCallsOf(blocks).map(call => [call.id, call.name, call.arguments])
}

const LS = '{"command":"ls"}'
const PWD = '{"command":"pwd"}'

describe('tool calls without an index', () => {
  const both = [['c1', 'bash', LS], ['c2', 'bash', PWD]]

  it.each<[string, MockReply]>([
    ['in one delta', fragments([whole('c1', 'ls'), whole('c2', 'pwd')])],
    ['in two deltas', fragments([whole('c1', 'ls')], [whole('c2', 'pwd')])],
    ['with index null', fragments([whole('c1', 'ls', { index: null }), whole('c2', 'pwd', { index: null })])],
    ['all with index 0', fragments([whole('c1', 'ls', { index: 0 })], [whole('c2', 'pwd', { index: 0 })])],
    ['all with index 0, in fragments', fragments([{ index: 0, id: 'c1', function: { name: 'bash', arguments: '' } }], [{ index: 0, function: { arguments: LS } }], [{ index: 0, id: 'c2', function: { name: 'bash', arguments: '' } }], [{ index: 0, function: { arguments: PWD } }])],
    ['followed by their fragments', fragments([{ id: 'c1', function: { name: 'bash', arguments: '' } }], [{ function: { arguments: LS } }], [{ id: 'c2', function: { name: 'bash', arguments: '{"command":' } }], [{ function: { arguments: '"pwd"}' } }])],
  ])('stay two calls %s', async (_name, reply) => {
    expect(await callsOf(reply)).toEqual(both)
  })

  it('stay two calls with neither index nor id', async () => {
    expect(await callsOf(fragments([whole(undefined, 'ls')], [whole(undefined, 'pwd')]))).toEqual([['call_0', 'bash', LS], ['call_1', 'bash', PWD]])
  })
})

describe('the id of a tool call', () => {
  const start = (id: unknown): Fragment => ({ index: 0, ...(id !== undefined && { id }), function: { name: 'bash', arguments: '{"command":' } })
  const rest = (id?: string): Fragment => ({ index: 0, ...(id !== undefined && { id }), function: { arguments: '"ls"}' } })

  it.each<[string, MockReply, string]>([
    ['absent', fragments([start(undefined)], [rest()]), 'call_0'],
    ['empty', fragments([start('')], [rest()]), 'call_0'],
    ['null', fragments([start(null)], [rest()]), 'call_0'],
    ['only in the last delta', fragments([start(undefined)], [rest('late')]), 'late'],
    ['in every fragment', fragments([start('same')], [rest('same')]), 'same'],
    ['illegal', fragments([start('functions.bash:0')], [rest()]), 'functions_bash_0'],
    ['too long', fragments([start('x'.repeat(100))], [rest()]), 'x'.repeat(64)],
  ])('is legal and the call is whole when it is %s', async (_name, reply, id) => {
    expect(await callsOf(reply)).toEqual([[id, 'bash', LS]])
  })

  it('is changed where two calls of an answer share it', async () => {
    expect(await callsOf(fragments([whole('call_0', 'ls', { index: 0 }), whole('call_0', 'pwd', { index: 1 })]))).toEqual([['call_0', 'bash', LS], ['call_0_2', 'bash', PWD]])
  })

  it('is changed where an earlier turn has used it, so that the next request pairs', async () => {
    const harness = await open([fragments([whole('call_0', 'pwd', { index: 0 })]), textAnswer('done')], {}, { rules: { reasoning: 'A' } })
    const messages: Message[] = [
      userText('go'),
      { role: 'assistant', content: [{ type: 'tool-call', id: 'call_0', name: 'bash', arguments: LS }] },
      { role: 'user', content: [{ type: 'tool-result', toolCallId: 'call_0', content: [] }] },
    ]
    const { blocks } = await answerOf(harness, { messages })
    const [call] = toolCallsOf(blocks)
    expect(call?.id).toBe('call_0_2')

    const next: Message[] = [...messages, { role: 'assistant', content: blocks }, { role: 'user', content: [{ type: 'tool-result', toolCallId: 'call_0_2', content: [] }] }]
    await answerOf(harness, { messages: next })
    expect(harness.server.violations).toEqual([])
  })

  it('is the same in every chunk of the call', async () => {
    const harness = await open([answer({ calls: [{ id: 'a:1', name: 'bash', arguments: { command: 'ls' } }] })])
    const chunks = await collect(harness.adapter.stream(ask()))
    expect(new Set(chunks.filter(chunk => chunk.type === 'tool-call-delta').map(chunk => chunk.id))).toEqual(new Set(['a_1']))
  })
})

describe('the name and the arguments of a tool call', () => {
  it('keep the first name when later fragments repeat it or blank it out', async () => {
    const reply = fragments([{ index: 0, id: 'c', function: { name: 'bash', arguments: '' } }], [{ index: 0, function: { name: '', arguments: '{"command":' } }], [{ index: 0, function: { name: 'bash', arguments: '"ls"}' } }])
    expect(await callsOf(reply)).toEqual([['c', 'bash', LS]])
  })

  it('stay one call whose every fragment has a new id and the name', async () => {
    const pieces = ['{"command":', '"', 'ls', '"', '}']
    const reply = fragments(...pieces.map((piece, i) => [{ index: 0, id: `id${i}`, function: { name: 'bash', arguments: piece } }]))
    expect(await callsOf(reply)).toEqual([['id0', 'bash', LS]])
  })

  it('are put together in linear time when every fragment repeats the name', async () => {
    const content = '{};'.repeat(20_000)
    const whole = JSON.stringify({ content })
    const pieces = whole.match(/.{1,3}/g) ?? []
    const harness = await open([{ pieces: [pieces.map(piece => delta({ tool_calls: [{ index: 0, id: 'w', function: { name: 'write', arguments: piece } }] })).join(''), delta({}, 'tool_calls'), DONE] }])
    const before = process.cpuUsage()
    expect((await answerOf(harness)).blocks).toEqual([{ type: 'tool-call', id: 'w', name: 'write', arguments: whole }])
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000)
  })

  it('become text when the server sends an object', async () => {
    expect(await callsOf(fragments([{ index: 0, id: 'c', function: { name: 'bash', arguments: { command: 'ls' } } }]))).toEqual([['c', 'bash', LS]])
  })

  it('are read from the legacy function_call', async () => {
    const reply = { pieces: [delta({ function_call: { name: 'bash', arguments: '{"command":' } }), delta({ function_call: { arguments: '"ls"}' } }), delta({}, 'function_call'), DONE] }
    expect(await callsOf(reply)).toEqual([['call_0', 'bash', LS]])
  })

  const cut = '{"path":"a.txt","content":"line1\\nli'

  it.each(['length', 'tool_calls', 'stop'])('are passed on cut, never repaired, when the answer ends with %s', async reason => {
    const harness = await open([{ pieces: [delta({ tool_calls: [{ index: 0, id: 'w', function: { name: 'write', arguments: cut } }] }), delta({}, reason), DONE] }])
    const { blocks, finish } = await answerOf(harness)
    expect(blocks).toEqual([{ type: 'tool-call', id: 'w', name: 'write', arguments: cut }])
    expect(finish).toEqual({ kind: reason === 'length' ? 'max-tokens' : 'tool-calls' })
  })

  it('are sent back as legal JSON when they were cut, and under a legal name', async () => {
    const harness = await open([textAnswer('ok')])
    const messages: Message[] = [
      userText('go'),
      { role: 'assistant', content: [{ type: 'tool-call', id: 'w', name: 'functions.write ', arguments: cut }, { type: 'tool-call', id: 'x', name: '', arguments: '' }] },
      { role: 'user', content: [{ type: 'tool-result', toolCallId: 'w', content: [] }, { type: 'tool-result', toolCallId: 'x', content: [] }] },
    ]
    await answerOf(harness, { messages })
    expect(harness.server.violations).toEqual([])
    expect(harness.server.requests[0]?.body.messages[1]?.tool_calls).toEqual([
      { id: 'w', type: 'function', function: { name: 'functions_write_', arguments: JSON.stringify({ unreadable_arguments: cut }) } },
      { id: 'x', type: 'function', function: { name: 'unnamed', arguments: '{}' } },
    ])
  })
})
