/** Lets whoever holds unsaved text of a file have a say when it is read and written. Without listeners nothing changes. */

import type { Context } from 'cordis'
import { FsError, type FsTarget } from '@deepseek-ai/dsh-fs'
import { HASHED_BYTES } from './file-version.ts'
import { decodeText, encodeText } from './text-codec.ts'

export class EditorBuffers {
  readonly #ctx: Context

  constructor(ctx: Context) {
    this.#ctx = ctx
  }

  /** `stored`, or the unsaved text in the file's own encoding and with its line ends. Only text that is not too large is asked about. */
  async read(target: FsTarget, stored: Buffer, signal: AbortSignal): Promise<Buffer> {
    if (stored.length > HASHED_BYTES) return stored
    const decoded = decodeText(stored)
    if (!decoded) return stored
    const held = await this.#ctx.root.serial('fs/buffer', target, signal)
    if (held === undefined || held === decoded.text) return stored
    // Editors keep lines, not line ends.
    const text = decoded.text.includes('\r\n') && !held.includes('\r') ? held.replaceAll('\n', '\r\n') : held
    const bytes = encodeText(text, decoded.format)
    // What is on the disk is not what the user sees: an edit of it would undo the unsaved text.
    if (bytes.length > HASHED_BYTES) throw new FsError('FS_TOO_LARGE', `${target.displayPath} has unsaved text of ${bytes.length} bytes in the editor, more than the ${HASHED_BYTES} that are taken from there; once it is saved, the file can be read`)
    return bytes
  }

  /** Whether somebody has written the file in our place. */
  async save(target: FsTarget, bytes: Buffer, signal: AbortSignal): Promise<boolean> {
    if (bytes.length > HASHED_BYTES) return false
    const decoded = decodeText(bytes)
    return decoded !== undefined && (await this.#ctx.root.serial('fs/save', target, decoded.text, signal)) === true
  }
}
