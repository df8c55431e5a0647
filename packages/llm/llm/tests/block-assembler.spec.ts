import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { BlockAssembler, text, type ContentBlock, type StreamChunk } from '../src/index.ts'

function assemble(...chunks: StreamChunk[]): BlockAssembler {
  const assembler = new BlockAssembler()
  for (const chunk of chunks) assembler.push(chunk)
  return assembler
}

/** A finished block with its deltas as an adapter may stream it. */
interface Streamed {
  block: ContentBlock
  deltas: (index: number) => StreamChunk[]
}

const pieces = fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1, maxLength: 5 })

const textual = fc.record({ type: fc.constantFrom('text' as const, 'reasoning' as const), pieces }).map(
  (made): Streamed => ({
    block: { type: made.type, text: made.pieces.join('') },
    deltas: index => made.pieces.map(piece => ({ type: `${made.type}-delta`, index, text: piece }) as StreamChunk),
  }),
)

const calling = fc.record({ id: fc.uuid(), name: fc.constantFrom('bash', 'read'), pieces }).map(
  ({ id, name, pieces: parts }): Streamed => ({
    block: { type: 'tool-call', id, name, arguments: parts.join('') },
    deltas: index => parts.map((argumentsDelta, n) => ({ type: 'tool-call-delta', index, id, argumentsDelta, ...(n === 0 && { name }) })),
  }),
)

const streamedBlocks = fc.array(fc.oneof(textual, calling), { maxLength: 6 })

/** Merges the lists in the order that `turns` dictates, each list keeping its own. */
function interleave(lists: StreamChunk[][], turns: readonly number[]): StreamChunk[] {
  const queues = lists.map(list => [...list])
  const merged: StreamChunk[] = []
  for (let turn = 0; queues.some(queue => queue.length > 0); turn++) {
    const filled = queues.filter(queue => queue.length > 0)
    const chunk = filled[(turns[turn % Math.max(1, turns.length)] ?? 0) % filled.length]?.shift()
    if (chunk) merged.push(chunk)
  }
  return merged
}

describe('BlockAssembler', () => {
  it('holds nothing of an empty stream, and takes it for stopped', () => {
    const assembler = assemble()
    expect([assembler.blocks(), assembler.message(), assembler.usage, assembler.finish, assembler.finished]).toEqual([[], { role: 'assistant', content: [] }, undefined, { kind: 'stop' }, false])
  })

  it('returns the block at its end and nothing before', () => {
    const assembler = new BlockAssembler()
    const chunks: StreamChunk[] = [{ type: 'block-start', index: 0, blockType: 'text' }, { type: 'text-delta', index: 0, text: 'a' }, { type: 'block-end', index: 0, block: text('a') }]
    expect(chunks.map(chunk => assembler.push(chunk))).toEqual([undefined, undefined, text('a')])
  })

  it('believes the first end of a block and ignores what follows it', () => {
    const assembler = assemble(
      { type: 'text-delta', index: 0, text: 'a' },
      { type: 'block-end', index: 0, block: text('first') },
      { type: 'text-delta', index: 0, text: 'b' },
      { type: 'block-end', index: 0, block: text('second') },
    )
    expect(assembler.blocks()).toEqual([text('first')])
  })

  it('keeps the first id and name of a call, and makes them up when none comes', () => {
    const assembler = assemble(
      { type: 'tool-call-delta', index: 3, id: '', argumentsDelta: '{' },
      { type: 'tool-call-delta', index: 3, id: 'a', name: '', argumentsDelta: '' },
      { type: 'tool-call-delta', index: 3, id: 'b', name: 'bash', argumentsDelta: '}' },
      { type: 'tool-call-delta', index: 5, id: '', argumentsDelta: '' },
    )
    expect(assembler.blocks()).toEqual([
      { type: 'tool-call', id: 'a', name: 'bash', arguments: '{}' },
      { type: 'tool-call', id: 'call-5', name: '', arguments: '' },
    ])
  })

  it('leaves out text that is empty', () => {
    expect(assemble({ type: 'block-start', index: 0, blockType: 'text' }, { type: 'reasoning-delta', index: 1, text: '' }).blocks()).toEqual([])
  })

  it('keeps the last usage and the last finish', () => {
    const assembler = assemble(
      { type: 'usage', usage: { inputTokens: 1, outputTokens: 1 } },
      { type: 'usage', usage: { inputTokens: 2, outputTokens: 3 } },
      { type: 'finish', reason: { kind: 'tool-calls' } },
      { type: 'finish', reason: { kind: 'max-tokens' } },
    )
    expect([assembler.usage, assembler.finish, assembler.finished]).toEqual([{ inputTokens: 2, outputTokens: 3 }, { kind: 'max-tokens' }, true])
  })

  it('refuses to guess at an unfinished block of a type it does not know', () => {
    expect(() => assemble({ type: 'block-start', index: 0, blockType: 'image' }).blocks()).toThrow('unfinished block of type image')
  })

  it('gives the same blocks from deltas alone, from ends alone, and from both, however blocks interleave', () => {
    const property = fc.property(streamedBlocks, fc.array(fc.nat(5)), (streamed, turns) => {
      const expected = streamed.map(({ block }) => block)
      const ends = streamed.map(({ block }, index): StreamChunk => ({ type: 'block-end', index, block }))
      const starts = streamed.map(({ block }, index): StreamChunk => ({ type: 'block-start', index, blockType: block.type }))
      const deltas = interleave(streamed.map(({ deltas: make }, index) => make(index)), turns)
      const kept = (assembler: BlockAssembler): ContentBlock[] => assembler.blocks()
      expect(kept(assemble(...starts, ...deltas))).toEqual(expected)
      expect(kept(assemble(...ends))).toEqual(expected)
      expect(kept(assemble(...starts, ...deltas, ...ends))).toEqual(expected)
    })
    fc.assert(property)
  })

  it('shows a growing prefix of the final text at every moment', () => {
    const property = fc.property(textual, ({ block, deltas }) => {
      const assembler = new BlockAssembler()
      const whole = block.type === 'text' || block.type === 'reasoning' ? block.text : ''
      for (const chunk of deltas(0)) {
        assembler.push(chunk)
        const [soFar] = assembler.blocks()
        expect(whole.startsWith(soFar && 'text' in soFar ? soFar.text : '\0')).toBe(true)
      }
    })
    fc.assert(property)
  })
})
