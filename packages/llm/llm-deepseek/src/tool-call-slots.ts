/**
 * Puts the fragments of tool calls together. Servers differ in how they say
 * which call a fragment belongs to: by `index`, by `id`, by order, or not at all.
 */

import type { StreamChunk, ToolCallBlock } from '@deepseek-ai/dsh-llm'
import type { CallIds } from './call-ids.ts'
import { JsonBalance } from './json-balance.ts'

/** A fragment as the wire has it; every field may be missing, null or of another type. */
export interface CallFragment {
  index?: unknown
  id?: unknown
  function?: { name?: unknown; arguments?: unknown } | null
}

interface Slot {
  index: number
  key: number | undefined
  /** As the provider wrote it; empty until it does. */
  wireId: string
  /** Ours; fixed when the first chunk goes out. */
  id: string | undefined
  name: string
  nameSent: boolean
  pieces: string[]
  /** Whether the arguments so far are a whole object. */
  balance: JsonBalance
  /** How many of the pieces have gone out. */
  sent: number
}

/** Emits chunks as far as they are certain; a call whose id is not known yet waits. */
export class ToolCallSlots {
  private readonly ids: CallIds
  private readonly emit: (chunk: StreamChunk) => void
  private readonly nextIndex: () => number
  private readonly slots: Slot[] = []

  constructor(ids: CallIds, nextIndex: () => number, emit: (chunk: StreamChunk) => void) {
    this.ids = ids
    this.nextIndex = nextIndex
    this.emit = emit
  }

  get count(): number {
    return this.slots.length
  }

  push(fragment: CallFragment): void {
    const id = typeof fragment.id === 'string' ? fragment.id : ''
    const name = typeof fragment.function?.name === 'string' ? fragment.function.name : ''
    const piece = argumentsText(fragment.function?.arguments)
    const key = typeof fragment.index === 'number' ? fragment.index : undefined
    const slot = this.find(key, id, { name, piece }) ?? this.open(key)
    if (id !== '' && slot.wireId === '') slot.wireId = id
    // Later fragments may repeat the name or blank it out; the first one counts.
    if (slot.name === '') slot.name = name
    if (piece !== '') append(slot, piece)
    if (slot.wireId !== '') this.flush(slot)
  }

  /** Adds a call that arrived whole. */
  add(name: string, args: string): void {
    const slot = this.open(undefined)
    slot.name = name
    append(slot, args)
  }

  /** Emits what waited and the end of every call. */
  close(): ToolCallBlock[] {
    return this.slots.map((slot, position) => {
      if (slot.wireId === '') slot.wireId = `call_${position}`
      const id = this.flush(slot)
      const block: ToolCallBlock = { type: 'tool-call', id, name: slot.name, arguments: slot.pieces.join('') }
      this.emit({ type: 'block-end', index: slot.index, block })
      return block
    })
  }

  private find(key: number | undefined, id: string, { name, piece }: { name: string; piece: string }): Slot | undefined {
    const candidate = this.candidate(key, id)
    if (!candidate) return undefined
    // Some servers give every call the same index or id. A named fragment that
    // begins arguments, or brings another id, to a call that is complete begins
    // another call.
    const begins = name !== '' && (piece.startsWith('{') || (id !== '' && id !== candidate.wireId))
    return begins && candidate.balance.closed ? undefined : candidate
  }

  private candidate(key: number | undefined, id: string): Slot | undefined {
    if (key !== undefined) return this.slots.findLast(slot => slot.key === key)
    if (id !== '') return this.slots.findLast(slot => slot.wireId === id) ?? this.slots.findLast(slot => slot.wireId === '' && !slot.balance.closed)
    return this.slots.at(-1)
  }

  private open(key: number | undefined): Slot {
    const slot: Slot = { index: this.nextIndex(), key, wireId: '', id: undefined, name: '', nameSent: false, pieces: [], balance: new JsonBalance(), sent: 0 }
    this.slots.push(slot)
    return slot
  }

  private flush(slot: Slot): string {
    const { index } = slot
    if (slot.id === undefined) {
      slot.id = this.ids.claim(slot.wireId)
      this.emit({ type: 'block-start', index, blockType: 'tool-call' })
    }
    const { id } = slot
    const fresh = slot.sent < slot.pieces.length
    const naming = !slot.nameSent && slot.name !== ''
    if (fresh || naming) {
      const argumentsDelta = slot.sent === slot.pieces.length - 1 ? (slot.pieces[slot.sent] ?? '') : slot.pieces.slice(slot.sent).join('')
      this.emit(naming ? { type: 'tool-call-delta', index, id, name: slot.name, argumentsDelta } : { type: 'tool-call-delta', index, id, argumentsDelta })
      slot.sent = slot.pieces.length
      slot.nameSent ||= naming
    }
    return id
  }
}

function append(slot: Slot, piece: string): void {
  slot.pieces.push(piece)
  slot.balance.feed(piece)
}

/** Some servers send the arguments as an object instead of as text. */
function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : ''
}
