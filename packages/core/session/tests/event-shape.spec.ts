import { describe, expect, it } from 'vitest'
import { misshapenField, Session, type SessionEventMap, type SessionEventType } from '../src/index.ts'

const source = { kind: 'user' as const }
const content = [{ type: 'text' as const, text: 'hi' }]
const at = { turn: 1, step: 1 }

/** Something of every type that is the log's own. */
const sound: { [T in SessionEventType]?: SessionEventMap[T] } = {
  'inbox/queued': { id: 'q', target: 'turn', content, source },
  'inbox/claimed': { ids: ['q'], turn: 1 },
  'inbox/dropped': { ids: ['q'], reason: 'cancelled' },
  'turn/start': { turn: 1, trigger: { kind: 'message', source } },
  'turn/end': { turn: 1, reason: { kind: 'completed' } },
  'step/start': at,
  'step/end': at,
  'user/message': { content: [], source },
  'prompt/blocked': { content, source, reason: 'no' },
  'context/message': { content: [{ type: 'image', mimeType: 'image/png', data: '' }], source },
  'steering/message': { turn: 1, content, source },
  'request/header': { ...at, hash: 'h', system: '', tools: [] },
  'assistant/chunk': { ...at, chunk: { type: 'block-end', index: 0, block: { type: 'reasoning', text: '' } } },
  'assistant/message': { ...at, content: [{ type: 'tool-call', id: 'c', name: 'read', arguments: '{' }], finish: { kind: 'stop' }, model: 'm' },
  'llm/attempt': { ...at, attempt: 1, error: { name: 'E', code: 'C', message: '' } },
  'tool/call': { ...at, callId: 'c', name: 'read', arguments: '' },
  'tool/result': { ...at, callId: 'c', content: [], isError: false },
  'derivation/repaired': { ...at, repairs: [] },
  'session/title': { title: 't', source },
}

const misshapen: [type: string, change: object, field: string][] = [
  ['turn/start', { turn: '1' }, 'turn'],
  ['turn/end', { reason: 'completed' }, 'reason'],
  ['step/start', { step: 0.5 }, 'step'],
  ['inbox/claimed', { ids: ['a', 1] }, 'ids'],
  ['user/message', { content: 'hi' }, 'content'],
  ['user/message', { content: [{ type: 'text' }] }, 'content'],
  ['user/message', { content: ['hi'] }, 'content'],
  ['user/message', { content: [{ type: 'tool-result', toolCallId: 'c', content: [null] }] }, 'content'],
  ['assistant/message', { content: [{ type: 'tool-call', id: 'c', name: 'read', arguments: {} }] }, 'content'],
  ['assistant/chunk', { chunk: { type: 'text-delta', index: 0 } }, 'chunk'],
  ['assistant/chunk', { chunk: { type: 'text-delta', text: 'a' } }, 'chunk'],
  ['assistant/chunk', { chunk: { type: 'tool-call-delta', index: 0, id: 'c' } }, 'chunk'],
  ['assistant/chunk', { chunk: { type: 'block-end', index: 0 } }, 'chunk'],
  ['request/header', { tools: [1] }, 'tools'],
  ['session/title', { title: null }, 'title'],
]

describe('misshapenField', () => {
  it.each(Object.entries(sound))('finds nothing wrong with %s, with whatever further fields', (type, data) => {
    expect([misshapenField(type, data), misshapenField(type, { ...data, later: { added: true } })]).toEqual([undefined, undefined])
  })

  it('finds the fields missing that a fold of the log needs', () => {
    const needed = Object.entries(sound).map(([type, data]) => {
      const fields = Object.keys(data).filter(field => misshapenField(type, Object.fromEntries(Object.entries(data).filter(([key]) => key !== field))) === field)
      return `${type}: ${fields.join(' ')}`
    })
    expect(needed).toEqual([
      'inbox/queued: id content',
      'inbox/claimed: ids turn',
      'inbox/dropped: ids',
      'turn/start: turn',
      'turn/end: turn reason',
      'step/start: turn step',
      'step/end: turn step',
      'user/message: content',
      'prompt/blocked: content',
      'context/message: content',
      'steering/message: content',
      'request/header: turn step system tools',
      'assistant/chunk: turn step chunk',
      'assistant/message: turn step content finish model',
      'llm/attempt: turn step error',
      'tool/call: turn step callId name arguments',
      'tool/result: turn step callId content',
      'derivation/repaired: turn step repairs',
      'session/title: title',
    ])
  })

  it.each(misshapen)('finds %s with %j', (type, change, field) => {
    expect(misshapenField(type, { ...sound[type as SessionEventType], ...change })).toBe(field)
  })

  it('leaves the types of plugins alone', () => {
    expect([misshapenField('plugin/own', {}), misshapenField('toString', {})]).toEqual([undefined, undefined])
  })
})

describe('Session', () => {
  it.each(misshapen)('takes in nothing that nobody could read again: %s with %j', (type, change, field) => {
    const session = new Session({ version: 1, id: 'one', createdAt: 1 })
    const data = { ...sound[type as SessionEventType], ...change }
    const append = session.append.bind(session) as (type: string, data: object, intent?: object) => unknown
    const intent = ['user/message', 'assistant/message'].includes(type) ? [{ surfaceOp: 'append' }] : []
    expect(() => append(type, data, ...intent)).toThrow(expect.objectContaining({ code: 'INVALID_EVENT', message: `cannot append: the ${field} of ${type} is missing or of another kind` }))
    expect(session.events).toEqual([])
  })
})
