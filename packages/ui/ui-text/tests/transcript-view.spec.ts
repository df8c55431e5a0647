import { PassThrough } from 'node:stream'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { describe, expect, it } from 'vitest'
import type { LineReader } from '../src/line-reader.ts'
import { TranscriptView } from '../src/transcript-view.ts'

/** Everything that the view does, in order: what goes to stdout, what is printed above the typed line, and when that line is hidden. */
function record(...events: readonly (readonly [string, unknown])[]): string[] {
  const done: string[] = []
  const lines = {
    print: (text: string) => void done.push(`print ${JSON.stringify(text)}`),
    hold: () => void done.push('hold'),
    release: () => void done.push('release'),
  } as unknown as LineReader
  const stdout = new PassThrough()
  stdout.write = (chunk: unknown) => done.push(`stdout ${JSON.stringify(chunk)}`) > 0
  const view = new TranscriptView(lines, stdout)
  for (const [type, data] of events) view.show({ type, seq: 0, time: 0, data } as SessionEvent)
  return done
}

const chunk = (text: string) => ['assistant/chunk', { chunk: { type: 'text-delta', index: 0, text } }] as const
const thought = ['assistant/chunk', { chunk: { type: 'reasoning-delta', index: 0, text: 'hm' } }] as const
const message = ['assistant/message', { content: [] }] as const
const end = (reason: unknown) => ['turn/end', { reason }] as const

describe('the transcript', () => {
  it('streams an answer with the typed line hidden, and ends its last line', () => {
    expect(record(chunk('Hel'), thought, chunk('lo'), message, end({ kind: 'completed' }))).toEqual(['hold', 'stdout "Hel"', 'hold', 'stdout "lo"', 'stdout "\\n"', 'release'])
  })

  it('adds no line to an answer that ends one, and none for an answer without text', () => {
    expect(record(chunk('Hello\n'), message)).toEqual(['hold', 'stdout "Hello\\n"', 'release'])
    expect(record(message)).toEqual(['release'])
  })

  it('keeps notices out of the middle of a line', () => {
    const attempt = ['llm/attempt', { attempt: 1, error: { message: 'broken', code: 'STREAM_CLOSED' }, retryInMs: 1000 }] as const
    expect(record(chunk('Hel'), attempt, chunk('Hello'))).toEqual([
      'hold', 'stdout "Hel"', 'stdout "\\n"', 'release',
      'print "! request attempt 1 failed: broken [STREAM_CLOSED]; trying again in 1.0 s; what was streamed so far does not count\\n"',
      'hold', 'stdout "Hello"',
    ])
  })

  it('shows calls, every result, and every end that is not clean', () => {
    const call = ['tool/call', { name: 'bash', arguments: '{"command":"ls"}' }] as const
    const result = ['tool/result', { content: [{ type: 'text', text: 'a.txt' }], isError: false }] as const
    expect(record(call, result, end({ kind: 'aborted', reason: 'by\u001b[2J you' }))).toEqual(['release', 'print "● bash ls\\n"', 'release', 'print "  └ a.txt\\n"', 'release', 'print "! stopped: by you\\n"'])
  })

  it('passes no control sequence on, not even one that two chunks share', () => {
    expect(record(chunk('a\u001b'), chunk(']52;c;x\u0007b\u009b2J')).filter(each => each.startsWith('stdout'))).toEqual(['stdout "a"', 'stdout "]52;c;xb"'])
  })

  it('says nothing about what nobody needs to see', () => {
    expect(record(['step/start', {}], ['request/header', {}], ['inbox/queued', {}], chunk(''))).toEqual([])
  })
})
