/** Which image bytes are, by their own beginning. Pure. */

const PNG = [0x89, 0x50, 0x4e, 0x47]
const JPEG = [0xff, 0xd8, 0xff]

/** The kinds that providers take; undefined for anything else. */
export function imageKind(bytes: Uint8Array): string | undefined {
  if (startsWith(bytes, PNG)) return 'image/png'
  if (startsWith(bytes, JPEG)) return 'image/jpeg'
  const head = Buffer.from(bytes.subarray(0, 12)).toString('latin1')
  if (/^GIF8[79]a/.test(head)) return 'image/gif'
  return head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP' ? 'image/webp' : undefined
}

const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i

/** Whether a path is named as such a file. */
export function namesImage(path: string): boolean {
  return IMAGE_NAME.test(path)
}

/**
 * The path that a terminal types when a file is dropped on it: quoted, with
 * backslashes before blanks, or as a `file:` address; undefined when the text
 * is not the path of one image. It must be absolute, or begin with `~/`, `./` or `../`.
 */
export function droppedImagePath(text: string): string | undefined {
  const bare = unquote(text.trim())
  return bare.length <= 4_096 && !bare.includes('\n') && /^(?:\/|~\/|\.\.?\/)/.test(bare) && namesImage(bare) ? bare : undefined
}

function unquote(text: string): string {
  const quoted = /^(['"])(.*)\1$/.exec(text)
  if (quoted) return quoted[2] ?? ''
  if (/^file:\/\/(?:localhost)?\//.test(text)) return decodePath(text.replace(/^file:\/\/(?:localhost)?/, ''))
  // Another word behind a blank: a sentence, not a path.
  return /(?<!\\)\s/.test(text) ? '' : text.replace(/\\(.)/g, '$1')
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}

function startsWith(bytes: Uint8Array, head: readonly number[]): boolean {
  return head.every((byte, i) => bytes[i] === byte)
}
