/** Writes and edits one file. The caller makes sure that nobody else here does at the same time. */

import type { BigIntStats } from 'node:fs'
import { access, constants, lstat, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { ABSENT, applyEdits, FsError } from '@deepseek-ai/dsh-fs'
import type { FsEditOptions, FsEditOutcome, FsEditRequest, FsTarget, FsVersion, FsWriteIntent, FsWriteOptions, FsWriteOutcome, TextFormat } from '@deepseek-ai/dsh-fs'
import { plural } from '@deepseek-ai/dsh-text'
import { replaceFile } from './atomic-write.ts'
import { notText } from './decode-any.ts'
import type { EditorBuffers } from './editor-buffers.ts'
import { contentVersion, isSameState, versionOf } from './file-version.ts'
import { decodeForeign } from './foreign-bytes.ts'
import { codeOf } from './io-error.ts'
import { openRegular, readAll } from './open-regular.ts'
import { removeStrays } from './stray-files.ts'
import { decodeText, encodeText, markedFormat, PLAIN_UTF8, type DecodedText } from './text-codec.ts'

/** Directories whose strays were removed are remembered, so many of them. */
const MOST_SWEPT = 1_000

export interface FileWriterConfig {
  maxWholeBytes: number
  durable: boolean
}

/** A file as it is now. */
interface Current {
  stats: BigIntStats
  bytes: Buffer
  version: FsVersion
  /** Undefined when it is not exactly decodable. */
  decoded: DecodedText | undefined
}

export class FileWriter {
  readonly #config: FileWriterConfig
  readonly #editor: EditorBuffers
  readonly #swept = new Set<string>()

  constructor(config: FileWriterConfig, editor: EditorBuffers) {
    this.#config = config
    this.#editor = editor
  }

  async write(target: FsTarget, content: string, { intent, signal }: FsWriteOptions): Promise<FsWriteOutcome> {
    if (!content.isWellFormed()) throw new FsError('FS_INVALID_EDIT', 'the content holds half of a character (a lone surrogate), which no file can hold')
    const current = await this.#look(target, signal)
    checkIntent(target, intent, current)
    const format = current ? await formatToKeep(target, current) : PLAIN_UTF8
    const bytes = encodeText(content, format)
    const before = current?.decoded?.text ?? null
    if (current?.bytes.equals(bytes)) return { operation: 'unchanged', version: current.version, before, after: content, format }
    if (!current) await mkdir(dirname(target.targetKey), { recursive: true })
    const version = await this.#replace(target, { bytes, current, signal })
    return { operation: current ? 'update' : 'create', version, before, after: content, format }
  }

  async edit(target: FsTarget, edits: readonly FsEditRequest[], { expect, signal }: FsEditOptions): Promise<FsEditOutcome> {
    const current = await this.#look(target, signal)
    if (!current) throw new FsError('FS_NOT_FOUND', `${target.displayPath} does not exist; use write to create it`, { details: { absent: true } })
    if (expect !== undefined && expect !== current.version) throw stale(target)
    const decoded = current.decoded ?? (await refuseToEdit(target, current))
    const { text, edits: applied } = applyEdits(decoded.text, edits)
    const outcome = { edits: applied, before: decoded.text, after: text, format: decoded.format }
    if (text === decoded.text) return { ...outcome, version: current.version }
    return { ...outcome, version: await this.#replace(target, { bytes: encodeText(text, decoded.format), current, signal }) }
  }

  /** Undefined when nothing is there. */
  async #look(target: FsTarget, signal: AbortSignal): Promise<Current | undefined> {
    try {
      const file = await openRegular(target)
      try {
        const stored = await readAll(file, { most: this.#config.maxWholeBytes, displayPath: target.displayPath, signal })
        const bytes = await this.#editor.read(target, stored, signal)
        return { stats: file.stats, bytes, version: versionOf(file.stats, bytes), decoded: decodeText(bytes, true) }
      } finally {
        await file.handle.close()
      }
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  async #replace(target: FsTarget, { bytes, current, signal }: { bytes: Buffer; current: Current | undefined; signal: AbortSignal }): Promise<FsVersion> {
    const path = target.targetKey
    if (await this.#editor.save(target, bytes, signal)) return contentVersion(bytes)
    // A rename would not mind that the file itself is read-only.
    if (current) await access(path, constants.W_OK)
    await this.#sweep(dirname(path))
    try {
      const stats = await replaceFile({ path, bytes, existing: current?.stats, durable: this.#config.durable, signal, verify: () => verify(target, current) })
      return versionOf(stats, bytes)
    } catch (error) {
      // Not the file: its directory is gone, or is one of those (/proc) where no file can be made.
      if (codeOf(error) === 'ENOENT') throw new FsError('FS_IO_ERROR', `${target.displayPath} cannot be written: its directory takes no new files`)
      if (codeOf(error) === 'EEXIST') throw new FsError('FS_STALE_VERSION', `${target.displayPath} was created by something else just now; read it first`)
      throw error
    }
  }

  async #sweep(directory: string): Promise<void> {
    if (this.#swept.has(directory)) return
    if (this.#swept.size >= MOST_SWEPT) this.#swept.clear()
    this.#swept.add(directory)
    await removeStrays(directory)
  }
}

async function verify(target: FsTarget, current: Current | undefined): Promise<void> {
  // A new file takes its name only if it is free; nothing to look at before.
  if (!current) return
  try {
    if (isSameState(await lstat(target.targetKey, { bigint: true }), current.stats)) return
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error
  }
  throw stale(target)
}

function checkIntent(target: FsTarget, intent: FsWriteIntent | undefined, current: Current | undefined): void {
  if (!intent) return
  const expected = intent.kind === 'createIfAbsent' ? ABSENT : intent.version
  if (expected === (current?.version ?? ABSENT)) return
  if (expected === ABSENT && current) throw new FsError('FS_NOT_OBSERVED', `${target.displayPath} exists already (${describeContent(current)}) and was not read; read it before you overwrite it`)
  throw current ? stale(target) : new FsError('FS_STALE_VERSION', `${target.displayPath} was deleted since it was last read; write it again if it should be there`, { details: { absent: true } })
}

function describeContent({ decoded, bytes }: Current): string {
  if (!decoded) return `a file of ${bytes.length} bytes that is not Unicode text`
  let lines = 0
  for (let at = 0; at >= 0 && at < decoded.text.length; lines++) {
    const newline = decoded.text.indexOf('\n', at)
    at = newline < 0 ? -1 : newline + 1
  }
  return plural(lines, 'line')
}

function stale({ displayPath }: FsTarget): FsError {
  return new FsError('FS_STALE_VERSION', `${displayPath} has changed since it was last read; read it again before changing it`)
}

/** The format that new content gets; text of another encoding is not turned into UTF-8 behind the user's back, a binary may be replaced. */
async function formatToKeep(target: FsTarget, { bytes, decoded }: Current): Promise<TextFormat> {
  if (decoded) return decoded.format
  const foreign = await decodeForeign(bytes)
  if (foreign) throw foreignEncoding(target, foreign.format.encoding)
  return markedFormat(bytes)?.encoding === 'utf-8' ? { encoding: 'utf-8', bom: true } : PLAIN_UTF8
}

async function refuseToEdit(target: FsTarget, { bytes }: Current): Promise<never> {
  const foreign = await decodeForeign(bytes)
  throw foreign ? foreignEncoding(target, foreign.format.encoding) : notText(bytes, target, bytes.length)
}

function foreignEncoding({ displayPath }: FsTarget, encoding: string): FsError {
  return new FsError('FS_ENCODING', `${displayPath} is not UTF-8 but probably ${encoding}; changing it here would damage it. Convert it first (such as with iconv), or change it with a program that knows the encoding`)
}
