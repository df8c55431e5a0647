import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { StreamChunk } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { growRun, packRun, RunReader, type RunFrame, type RunPiece } from '../src/index.ts'

type ChunkEvent = SessionEvent<'assistant/chunk'>

const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 5 }), fc.constantFrom('', '\u2028', '😀'.slice(0, 1), '\n'))
const delta = fc.constantFrom<(text: string) => StreamChunk>(
  each => ({ type: 'text-delta', index: 1, text: each }),
  each => ({ type: 'reasoning-delta', index: 0, text: each }),
  each => ({ type: 'tool-call-delta', index: 2, id: 'c1', argumentsDelta: each }),
)

/** A run from event 5 on, in pieces. */
const run = fc.tuple(delta, fc.array(fc.array(fc.tuple(text, fc.integer({ min: -3, max: 900 })), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 8 })).map(([chunkOf, pieces]) => {
  let seq = 5
  let time = 1_700_000_000_000
  return pieces.map(piece => piece.map(([each, gap]): ChunkEvent => ({ type: 'assistant/chunk', seq: seq++, time: (time += gap), data: { turn: 1, step: 2, chunk: chunkOf(each) } })))
})

function write(pieces: readonly ChunkEvent[][]): unknown[] {
  return pieces.flatMap((piece, index) => growRun(piece, pieces[index - 1]?.at(-1)))
}

function read(values: readonly unknown[]): SessionEvent[] | undefined {
  const reader = new RunReader()
  const taken = values.map(value => reader.take(JSON.parse(JSON.stringify(value)) as unknown))
  return taken.every(each => each !== undefined) ? taken.flat() : undefined
}

describe('a run that grows', () => {
  it('is read as the events that came, in whatever pieces they came', () => {
    fc.assert(fc.property(run, pieces => {
      expect(read(write(pieces))).toEqual(pieces.flat())
    }))
  })

  it('comes to the fields of the packed run when its pieces are strung together, also where runs of numbers are cut', () => {
    fc.assert(fc.property(run, pieces => {
      const [frame, ...written] = write(pieces) as [RunFrame, ...RunPiece[]]
      const strung = { ...frame, n: 0, text: '', cuts: '', gaps: '' }
      for (const [, n, said, cuts, gaps] of written) Object.assign(strung, { n: strung.n + n, text: strung.text + said, cuts: strung.cuts + cuts, gaps: strung.gaps + gaps })
      const packed = packRun(pieces.flat())
      expect({ ...strung, cuts: undefined, gaps: undefined }).toEqual({ ...packed, cuts: undefined, gaps: undefined })
      expect(read([frame, [strung.seq, strung.n, strung.text, strung.cuts, strung.gaps]])).toEqual(pieces.flat())
    }))
  })

  it.each([
    ['a piece before the frame', [[5, 1, 'a', '1', '0']]],
    ['no frame', [{ type: 'turn/start', seq: 5, time: 1, data: {} }]],
    ['null', [null]],
    ['a second frame', [{ type: 'assistant/chunk', seq: 5, time: 1, data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0 } } }, { type: 'assistant/chunk', seq: 5, time: 1, data: {} }]],
    ['a piece that is missing', [{ type: 'assistant/chunk', seq: 5, time: 1, data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0 } } }, [5, 1, 'a', '1', '0'], [7, 1, 'a', '1', '0']]],
    ['a piece that does not add up', [{ type: 'assistant/chunk', seq: 5, time: 1, data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0 } } }, [5, 2, 'abc', '11', '00']]],
    ['numbers that are none', [{ type: 'assistant/chunk', seq: 5, time: 1, data: { turn: 1, step: 1, chunk: { type: 'text-delta', index: 0 } } }, [5, 1, 'a', '!', '0']]],
    ['chunks that are none', [{ type: 'assistant/chunk', seq: 5, time: 1, data: { turn: 1, step: 1 } }, [5, 1, 'a', '1', '0']]],
  ])('is not read further than to %s', (_what, values) => {
    expect(read(values)).toBeUndefined()
  })
})
