import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import { compareLogs } from '../src/index.ts'

const source = { kind: 'user' } as const

/** Numbers the events, `from` milliseconds on. */
function log(events: readonly object[], from = 0): SessionEvent[] {
  return events.map((event, seq) => ({ ...event, seq, time: from + seq }) as SessionEvent)
}

function delta(text: string): object {
  return { type: 'assistant/chunk', data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0, text } } }
}

function queued(id: string): object {
  return { type: 'inbox/queued', data: { id, target: 'turn', content: [{ type: 'text', text: 'go' }], source } }
}

const claimed = (id: string): object => ({ type: 'inbox/claimed', data: { ids: [id], turn: 1 } })
const header = (hash: string, system = 's'): object => ({ type: 'request/header', data: { turn: 1, step: 1, hash, system, tools: [] } })
const attempt = (retryInMs?: number): object => ({ type: 'llm/attempt', data: { turn: 1, step: 1, attempt: 1, error: { name: 'E', code: 'C', message: 'm' }, ...(retryInMs !== undefined && { retryInMs }) } })
const pair = (seq: number): object[] => [{ type: 'tool/call', data: { turn: 1, step: 1, callId: 'c', name: 'x', arguments: '{}' } }, { type: 'tool/result', data: { turn: 1, step: 1, callId: 'c', content: [], isError: false }, surfaceOp: 'append', sourceEventSeqs: [seq] }]

describe('logs are equal', () => {
  it.each<[string, object[], object[]]>([
    ['whatever their times', [queued('in-0')], [queued('in-0')]],
    ['whatever their inputs are called', [queued('in-0'), queued('in-1'), claimed('in-0')], [queued('a'), queued('b'), claimed('a')]],
    ['however an answer was cut into chunks', [delta('ab'), delta('c'), ...pair(2)], [delta('a'), delta('b'), delta('c'), ...pair(3)]],
    ['whatever mark a header bears', [header('1')], [header('2')]],
    ['however long a retry waited', [attempt(1)], [attempt(500)]],
  ])('%s', async (_, recorded, replayed) => {
    expect(await compareLogs(log(recorded), log(replayed, 1000))).toBe(undefined)
  })
})

describe('logs differ', () => {
  it.each<[string, object[], object[], string]>([
    ['by which input was claimed', [queued('a'), queued('b'), claimed('a')], [queued('a'), queued('b'), claimed('b')], 'ids[0]: "input 1" became "input 2"'],
    ['by the text that was streamed', [delta('ab')], [delta('a')], 'content[0].text: "ab" became "a"'],
    ['by the system text', [header('1')], [header('1', 't')], 'system: "s" became "t"'],
    ['by whether there is a retry', [attempt(1)], [attempt()], 'willRetry: true became false'],
    ['by what a result answers', [queued('a'), ...pair(1)], [queued('a'), ...pair(0)], 'sources[0]: 1 became 0'],
  ])('%s', async (_, recorded, replayed, place) => {
    expect(await compareLogs(log(recorded), log(replayed))).toContain(`\n    ${place}\n`)
  })

  it('in lines with what stands around them', async () => {
    const steps = (count: number, turn: number): object[] => Array.from({ length: count }, (_, i) => ({ type: 'step/start', data: { turn, step: i + 1 } }))
    const recorded = [...steps(5, 1), { type: 'step/end', data: { turn: 1, step: 5 } }, ...steps(8, 2)]
    const replayed = [...steps(5, 1), ...steps(8, 2), { type: 'step/end', data: { turn: 2, step: 9 } }]
    expect(await compareLogs(log(recorded), log(replayed))).toBe(`The logs differ, first at event 5 (- recorded, + replayed):
  … 2 entries alike …
  step/start {"step":3,"turn":1}
  step/start {"step":4,"turn":1}
  step/start {"step":5,"turn":1}
- step/end {"step":5,"turn":1}
  step/start {"step":1,"turn":2}
  step/start {"step":2,"turn":2}
  step/start {"step":3,"turn":2}
  … 2 entries alike …
  step/start {"step":6,"turn":2}
  step/start {"step":7,"turn":2}
  step/start {"step":8,"turn":2}
+ step/end {"step":9,"turn":2}
`)
  })

  it('without being matched up when they have little in common', async () => {
    const titles = (prefix: string): object[] => Array.from({ length: 3000 }, (_, i) => ({ type: 'session/title', data: { title: i < 2 ? 'same' : `${prefix} ${i}`, source } }))
    const started = performance.now()
    const text = await compareLogs(log(titles('a')), log(titles('b')))
    expect(text).toMatch(/^The logs differ, first at event 2 [^\n]*\n {2}session\/title .*"same"[^\n]*\n {2}session\/title .*"same"[^\n]*\n- session\/title .*"a 2"/)
    expect(performance.now() - started).toBeLessThan(5000)
  })

  it('in no more lines than one can read', async () => {
    const many = Array.from({ length: 200 }, (_, i) => queued(`in-${i}`))
    const text = await compareLogs(log(many), [])
    expect(text?.split('\n')).toHaveLength(63)
    expect(text).toMatch(/\n… 140 more lines\n$/)
  })
})
