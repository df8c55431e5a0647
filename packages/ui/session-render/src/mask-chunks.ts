/**
 * Masks what was streamed: a secret that came in pieces shows in none of them,
 * so each block is looked at whole. Pure.
 */

import type { SessionEvent } from '@deepseek-ai/dsh-session'
import type { Mask } from './mask-secrets.ts'

type ChunkEvent = SessionEvent<'assistant/chunk'>

/** Where one piece of a block stands. */
interface Piece {
  at: number
  event: ChunkEvent
  text: string
}

/** The same events in the same number; the first piece of a block with a secret holds the masked whole, its others nothing. */
export function maskChunks(events: readonly SessionEvent[], mask: Mask): SessionEvent[] {
  const masked = [...events]
  for (const pieces of blocksOf(events)) {
    const whole = pieces.map(({ text }) => text).join('')
    const safe = mask(whole)
    if (safe === whole) continue
    for (const [i, { at, event }] of pieces.entries()) masked[at] = withText(event, i === 0 ? safe : '')
  }
  return masked
}

/** The pieces of each streamed block, in order. */
function blocksOf(events: readonly SessionEvent[]): Piece[][] {
  const blocks: Piece[][] = []
  let open = new Map<number, Piece[]>()
  for (const [at, event] of events.entries()) {
    if (event.type === 'step/start' || event.type === 'llm/attempt') open = new Map()
    const piece = event.type === 'assistant/chunk' ? pieceOf(event, at) : undefined
    if (!piece) continue
    const { index } = piece
    const pieces = open.get(index) ?? []
    if (pieces.length === 0) blocks.push(pieces)
    pieces.push(piece)
    open.set(index, pieces)
  }
  return blocks
}

function pieceOf(event: ChunkEvent, at: number): (Piece & { index: number }) | undefined {
  const { chunk } = event.data
  if (chunk.type === 'text-delta' || chunk.type === 'reasoning-delta') return { at, event, index: chunk.index, text: chunk.text }
  return chunk.type === 'tool-call-delta' ? { at, event, index: chunk.index, text: chunk.argumentsDelta } : undefined
}

function withText(event: ChunkEvent, text: string): ChunkEvent {
  const { chunk } = event.data
  const changed = chunk.type === 'tool-call-delta' ? { ...chunk, argumentsDelta: text } : { ...chunk, text }
  return { ...event, data: { ...event.data, chunk: changed as typeof chunk } }
}
