/**
 * Collects one output stream: its tail in memory, all of it in a file once it
 * outgrows memory. Bytes are decoded once, at the end, so no read boundary can
 * split a character.
 */

import type { CollectedOutput } from '@deepseek-ai/dsh-bash'
import type { SpillFile } from './scratch-dir.ts'

export interface OutputTailOptions {
  /** Bytes of the tail. */
  maxBytes: number
  /** Creates the file; called at most once. Throws when it cannot. */
  openSpill(): SpillFile
}

export class OutputTail {
  private chunks: Buffer[] = []
  private kept = 0
  private total = 0
  private ended = false
  private spill: SpillFile | undefined
  private spillError: string | undefined
  private readonly options: OutputTailOptions

  constructor(options: OutputTailOptions) {
    this.options = options
  }

  push(chunk: Buffer): void {
    if (this.ended) return
    this.chunks.push(chunk)
    this.kept += chunk.length
    this.total += chunk.length
    if (this.total <= this.options.maxBytes) return
    this.toSpill(chunk)
    this.trim()
  }

  /** No more will come, or will be wanted. `complete` says that the stream ended by itself: then even half a character is the command's own. */
  finish(complete: boolean): CollectedOutput {
    this.ended = true
    const truncated = this.total > this.options.maxBytes
    const bytes = Buffer.concat(this.chunks)
    const tail = truncated ? bytes.subarray(characterStart(bytes, bytes.length - this.options.maxBytes)) : bytes
    const textBytes = complete ? tail.length : characterEnd(tail)
    const text = tail.toString('utf8', 0, textBytes)
    this.chunks = []
    const file = this.spill?.close()
    return {
      text,
      truncated,
      ...(truncated && textBytes !== Buffer.byteLength(text) && { textBytes }),
      totalBytes: this.total,
      ...(file && { spillPath: file.path, spilledBytes: file.bytes }),
      ...(this.spillError !== undefined && { spillError: this.spillError }),
    }
  }

  /** Nobody wants it: the file goes as well. Does nothing after `finish`. */
  abandon(): void {
    if (this.ended) return
    this.ended = true
    this.chunks = []
    this.spill?.discard()
  }

  private toSpill(chunk: Buffer): void {
    if (this.spillError !== undefined) return
    try {
      if (this.spill) return this.spill.write(chunk)
      this.spill = this.options.openSpill()
      for (const each of this.chunks) this.spill.write(each)
    } catch (error) {
      // The command goes on without its file; the result says why there is none.
      this.spillError = error instanceof Error ? error.message : String(error)
      this.spill?.discard()
      this.spill = undefined
    }
  }

  /** Drops whole chunks that the tail does not reach into; seldom, because each time moves all the others. */
  private trim(): void {
    if (this.kept < 2 * this.options.maxBytes) return
    let dropped = 0
    for (let first = this.chunks[0]; first && this.kept - first.length >= this.options.maxBytes; first = this.chunks[dropped]) {
      this.kept -= first.length
      dropped++
    }
    if (dropped > 0) this.chunks.splice(0, dropped)
  }
}

/** The first place at or after `from` where a character starts. */
function characterStart(bytes: Buffer, from: number): number {
  let at = Math.max(0, from)
  while (at < bytes.length && at < from + 3 && isContinuation(bytes[at])) at++
  return at
}

/** The end of the last whole character. */
function characterEnd(bytes: Buffer): number {
  let lead = bytes.length - 1
  while (lead > bytes.length - 4 && lead > 0 && isContinuation(bytes[lead])) lead--
  const byte = bytes[lead] ?? 0
  const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1
  return lead >= 0 && lead + length > bytes.length ? lead : bytes.length
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}
