/** Bytes to text and back without loss: UTF-8, and UTF-16 with a byte order mark. Anything else is not decoded here. */

import { isUtf8 } from 'node:buffer'
import type { TextFormat } from '@deepseek-ai/dsh-fs'

/** A NUL in here means binary. */
const PROBED_BYTES = 8192

export interface DecodedText {
  /** Without the byte order mark. */
  text: string
  format: TextFormat
}

const UTF8_BOM = Buffer.from([0xef, 0xbb, 0xbf])
const UTF16LE_BOM = Buffer.from([0xff, 0xfe])
const UTF16BE_BOM = Buffer.from([0xfe, 0xff])

export const PLAIN_UTF8: TextFormat = { encoding: 'utf-8', bom: false }

/** The byte order mark that the bytes begin with. */
export function markedFormat(bytes: Buffer): TextFormat | undefined {
  if (startsWith(bytes, UTF8_BOM)) return { encoding: 'utf-8', bom: true }
  if (startsWith(bytes, UTF16BE_BOM)) return { encoding: 'utf-16be', bom: true }
  const utf32 = bytes.length >= 4 && bytes[2] === 0 && bytes[3] === 0
  return startsWith(bytes, UTF16LE_BOM) && !utf32 ? { encoding: 'utf-16le', bom: true } : undefined
}

/** Undefined when the bytes are not such text; then encoding the text again would not give the bytes. `strict` looks for NUL everywhere, else only at the beginning. */
export function decodeText(bytes: Buffer, strict = false): DecodedText | undefined {
  const format = markedFormat(bytes) ?? PLAIN_UTF8
  if (format.encoding !== 'utf-8') return decodeUtf16(bytes, format)
  if ((strict ? bytes : bytes.subarray(0, PROBED_BYTES)).includes(0) || !isUtf8(bytes)) return undefined
  return { text: bytes.toString('utf8', format.bom ? UTF8_BOM.length : 0), format }
}

function decodeUtf16(bytes: Buffer, format: TextFormat): DecodedText | undefined {
  if (bytes.length % 2 !== 0) return undefined
  const body = bytes.subarray(2)
  const text = format.encoding === 'utf-16be' ? Buffer.from(body).swap16().toString('utf16le') : body.toString('utf16le')
  return text.includes('\0') ? undefined : { text, format }
}

/** The bytes of `text` in an exact format; a byte order mark that `text` itself begins with is not doubled. */
export function encodeText(text: string, { encoding, bom }: TextFormat): Buffer {
  const marked = bom && !text.startsWith('\ufeff') ? `\ufeff${text}` : text
  if (encoding === 'utf-8') return Buffer.from(marked, 'utf8')
  const bytes = Buffer.from(marked, 'utf16le')
  return encoding === 'utf-16be' ? bytes.swap16() : bytes
}

function startsWith(bytes: Buffer, mark: Buffer): boolean {
  return bytes.length >= mark.length && mark.every((byte, i) => bytes[i] === byte)
}
