import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { text, type ContentBlock, type Message } from '@deepseek-ai/dsh-llm'
import { textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { RequestBodies, type BodyParts } from '../src/request-bodies.ts'
import { encodeMessage, type WireOptions } from '../src/wire-messages.ts'
import { answerOf, BASH, cleanUp, open, userText } from './harness.ts'

cleanUp()

const WIRE: WireOptions = { model: 'm', vision: false, reasoningReplay: 'with-tool-calls', thinking: true }
const PNG: ContentBlock = { type: 'image', data: 'iVBO', mimeType: 'image/png' }

function wire(message: Message, options: Partial<WireOptions> = {}): unknown {
  return JSON.parse(`[${encodeMessage(message, { ...WIRE, ...options })}]`)
}

function call(id: string): ContentBlock {
  return { type: 'tool-call', id, name: 'bash', arguments: '{}' }
}

function result(id: string, ...content: ContentBlock[]): ContentBlock {
  return { type: 'tool-result', toolCallId: id, content }
}

describe('encodeMessage', () => {
  it('puts results before what the user says, and fills empty ones', () => {
    expect(wire({ role: 'user', content: [text('also'), result('a', text('one'), text('two')), result('b'), text('this')] })).toEqual([
      { role: 'tool', tool_call_id: 'a', content: 'one\ntwo' },
      { role: 'tool', tool_call_id: 'b', content: '(no output)' },
      { role: 'user', content: 'also\nthis' },
    ])
  })

  it('leaves out messages that hold nothing', () => {
    expect(wire({ role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, text(' ')] })).toEqual([])
    expect(wire({ role: 'user', content: [] })).toEqual([])
  })

  const thought: Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, text('a')] }
  const called: Message = { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, call('a')] }
  const unthought: Message = { role: 'assistant', content: [call('a')] }

  it.each([
    ['with-tool-calls', true, [undefined, 'hm', '']],
    ['with-tool-calls', false, [undefined, 'hm', undefined]],
    ['always', true, ['hm', 'hm', '']],
    ['never', true, [undefined, undefined, undefined]],
  ] as const)('replays reasoning %s (thinking: %s)', (reasoningReplay, thinking, expected) => {
    const replayed = [thought, called, unthought].map(message => (wire(message, { reasoningReplay, thinking }) as [{ reasoning_content?: string }])[0].reasoning_content)
    expect(replayed).toEqual(expected)
  })

  it('replaces images by words where the model cannot see', () => {
    expect(wire({ role: 'user', content: [result('a', PNG), text('look'), PNG] })).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '[image left out: the model m cannot see images]' },
      { role: 'user', content: 'look\n[image left out: the model m cannot see images]' },
    ])
  })

  it('sends images of results behind them where it can', () => {
    expect(wire({ role: 'user', content: [result('a', PNG), text('look'), { type: 'image', url: 'https://e.org/x.png' }] }, { vision: true })).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '[the image follows in the next message]' },
      {
        role: 'user',
        content: [
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO' } },
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'https://e.org/x.png' } },
        ],
      },
    ])
  })

  it('mends halves of surrogate pairs', () => {
    expect(wire(userText('a\ud83d b \\ud83d 👋'))).toEqual([{ role: 'user', content: 'a\ufffd b \\ud83d 👋' }])
  })

  it.each([
    ['{"command": "a\\ud83d"}', '{"command":"a\ufffd"}'],
    ['{"\\uDE00": ["\\ud83d\\ud83d"]}', '{"\ufffd":["\ufffd\ufffd"]}'],
    ['{"command": "\\ud83d\\ude00 \\\\ud83d"}', '{"command": "\\ud83d\\ude00 \\\\ud83d"}'],
  ])('mends halves that hide behind the escapes of arguments, and nothing else: %s', (args, expected) => {
    expect(wire({ role: 'assistant', content: [{ type: 'tool-call', id: 'a', name: 'bash', arguments: args }] })).toMatchObject([{ tool_calls: [{ function: { arguments: expected } }] }])
  })
})

describe('RequestBodies', () => {
  function parts(messages: readonly Message[], head = '{"model":"m","messages":[', encode = (message: Message) => encodeMessage(message, WIRE)): BodyParts {
    return { head, headHasMessage: false, messages, encode }
  }

  it('encodes each message once as a conversation grows', () => {
    const bodies = new RequestBodies()
    const messages: Message[] = []
    let encoded = 0
    const encode = (message: Message): string => (encoded++, encodeMessage(message, WIRE))
    for (let i = 0; i < 50; i++) {
      messages.push(userText(`message ${i} ü`))
      const { bytes, release } = bodies.build(parts(messages, undefined, encode))
      expect(JSON.parse(bytes.toString('utf8')).messages.map((message: { content: string }) => message.content)).toEqual(messages.map((_, n) => `message ${n} ü`))
      release()
    }
    expect(encoded).toBe(50)
  })

  it('does not touch the bytes of a body that is still being sent', () => {
    const bodies = new RequestBodies()
    const shared = [userText('shared')]
    const first = bodies.build(parts(shared))
    const before = first.bytes.toString('utf8')
    bodies.build(parts([...shared, userText('more')]))
    expect(first.bytes.toString('utf8')).toBe(before)
  })

  it('builds what a plain serialiser builds, whatever conversations alternate', () => {
    const pool = Array.from({ length: 6 }, (_, i) => userText(`m${i}${'é'.repeat(i)}`))
    const request = fc.record({ picks: fc.array(fc.nat(5), { maxLength: 8 }), head: fc.constantFrom('{"a":1,"messages":[', '{"b":2,"messages":['), keep: fc.boolean() })
    const property = fc.property(fc.array(request, { maxLength: 20 }), requests => {
      const bodies = new RequestBodies()
      for (const { picks, head, keep } of requests) {
        const messages = picks.flatMap(pick => pool[pick] ?? [])
        const { bytes, release } = bodies.build(parts(messages, head))
        expect(bytes.toString('utf8')).toBe(`${head}${messages.map(message => encodeMessage(message, WIRE)).join(',')}]}`)
        if (!keep) release()
      }
    })
    fc.assert(property)
  })
})

describe('a growing conversation', () => {
  it('sends a body that begins with the whole of the last one, and that a strict provider accepts', async () => {
    const harness = await open(() => textAnswer('ok'), {}, { rules: { reasoning: 'A' } })
    const messages: Message[] = [userText('go')]
    for (let i = 0; i < 20; i++) {
      await answerOf(harness, { messages: [...messages], system: 'be brief', tools: [BASH] })
      messages.push({ role: 'assistant', content: [{ type: 'reasoning', text: `r${i}` }, call(`c${i}`)] }, { role: 'user', content: [result(`c${i}`, text('ü'.repeat(i)))] })
    }
    const { requests, violations } = harness.server
    expect(violations).toEqual([])
    expect(requests.slice(1).map((request, i) => request.sharedBytes - (requests[i]?.bytes ?? 0))).toEqual(Array(19).fill(-']}'.length))
  })

  it('shows an image again once the model can see, after one that could not', async () => {
    const harness = await open(request => textAnswer(request.body.model), {}, { rules: { vision: true } })
    const messages: Message[] = [{ role: 'user', content: [text('look'), PNG] }]
    for (const model of ['deepseek-v4-pro', 'deepseek-flash', 'deepseek-v4-pro']) await answerOf(harness, { model, messages })
    expect(harness.server.requests.map(request => JSON.stringify(request.body).includes('image_url'))).toEqual([false, true, false])
  })

  it('says once that images are left out', async () => {
    const harness = await open(() => textAnswer('ok'))
    const messages: Message[] = [{ role: 'user', content: [text('look'), PNG] }]
    await answerOf(harness, { model: 'deepseek-v4-pro', messages })
    await answerOf(harness, { model: 'deepseek-v4-pro', messages: [{ role: 'user', content: [PNG] }] })
    expect(harness.notes).toEqual(['the model deepseek-v4-pro cannot see images; they are replaced by a line of text in what it is sent'])
    expect(harness.server.violations).toEqual([])
  })
})
