/** Says what a file that is not Unicode text probably is: the encoding of text, or the type of a binary. Guesses, for showing and for messages. */

import type { TextFormat } from '@deepseek-ai/dsh-fs'

/** So many bytes are looked at. */
const SAMPLE = 1 << 16

export interface ForeignText {
  text: string
  format: TextFormat
}

/** The text under the likeliest encoding, when every byte makes sense in it; undefined for binaries. */
export async function decodeForeign(bytes: Buffer): Promise<ForeignText | undefined> {
  const sample = bytes.subarray(0, SAMPLE)
  const wide = guessUtf16(sample)
  if (!wide && (sample.includes(0) || countControls(sample) > sample.length / 50)) return undefined
  if (!wide && isMostlyUtf8(sample)) return { text: bytes.toString('utf8'), format: { encoding: 'utf-8 with invalid bytes', bom: false, guessed: true } }
  for (const encoding of wide ? [wide] : await guessLegacy(sample)) {
    const text = tryDecode(bytes, encoding)
    if (text !== undefined) return { text, format: { encoding, bom: false, guessed: true } }
  }
  return undefined
}

/** UTF-8 with a few bytes that are not: its other characters would not come out right under any other name. */
function isMostlyUtf8(sample: Buffer): boolean {
  let good = 0
  let bad = 0
  for (const char of sample.toString('utf8')) {
    if (char === '\ufffd') bad++
    else if (char > '\u007f') good++
  }
  return good > bad * 2
}

/** Latin text in UTF-16 has a NUL in nearly every second byte. */
function guessUtf16(sample: Buffer): string | undefined {
  const pairs = sample.length >> 1
  if (pairs < 2 || sample.length % 2 !== 0) return undefined
  let even = 0
  let odd = 0
  for (let i = 0; i < pairs * 2; i += 2) {
    if (sample[i] === 0) even++
    if (sample[i + 1] === 0) odd++
  }
  if (odd > pairs * 0.3 && even < pairs * 0.02) return 'utf-16le'
  return even > pairs * 0.3 && odd < pairs * 0.02 ? 'utf-16be' : undefined
}

function countControls(sample: Buffer): number {
  let count = 0
  for (const byte of sample) if (byte < 0x20 && (byte < 0x09 || byte > 0x0d) && byte !== 0x1b) count++
  return count
}

async function guessLegacy(sample: Buffer): Promise<string[]> {
  const { analyse } = await import('chardet')
  const names = analyse(sample).map(({ name }) => name.toLowerCase()).filter(name => !name.startsWith('utf'))
  // What the detector calls Latin-1 is in practice its superset, and a western text is the likeliest when it has no opinion.
  return [...names.map(name => (name === 'iso-8859-1' ? 'windows-1252' : name)), 'windows-1252']
}

function tryDecode(bytes: Buffer, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes)
  } catch (error) {
    // A name that the platform does not know (RangeError), or bytes that the encoding does not have (TypeError).
    if (error instanceof RangeError || error instanceof TypeError) return undefined
    throw error
  }
}

const SIGNATURES: readonly [mediaType: string, hex: string, at?: number][] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['image/webp', '57454250', 8],
  ['image/bmp', '424d'],
  ['image/tiff', '49492a00'],
  ['image/tiff', '4d4d002a'],
  ['image/x-icon', '00000100'],
  ['image/avif', '6674797061766966', 4],
  ['image/heic', '6674797068656963', 4],
  ['application/pdf', '25504446'],
  ['application/zip', '504b0304'],
  ['application/gzip', '1f8b'],
  ['application/zstd', '28b52ffd'],
  ['application/x-executable', '7f454c46'],
  ['application/vnd.sqlite3', '53514c69746520666f726d6174203300'],
]

/** By the first bytes, never by the name. */
export function sniffMediaType(head: Buffer): string | undefined {
  return SIGNATURES.find(([, hex, at = 0]) => head.subarray(at, at + hex.length / 2).toString('hex') === hex)?.[0]
}
