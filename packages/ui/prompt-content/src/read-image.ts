/** Reads an image for the model: a file, or what the clipboard holds. */

import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { describeError } from '@deepseek-ai/dsh-errors'
import type { ImageBlock } from '@deepseek-ai/dsh-llm'
import { childEnv } from '@deepseek-ai/dsh-process-env'
import { PromptContentError } from './errors.ts'
import { imageKind } from './image-kind.ts'

/** The bound of the strictest provider, before base64. */
export const MOST_IMAGE_BYTES = 5 * 1024 * 1024

/** Rejects with `NOT_AN_IMAGE` and `IMAGE_TOO_LARGE`, and as the file system does. Pipes and devices are no images. */
export async function readImageFile(path: string, cwd: string, signal: AbortSignal): Promise<ImageBlock> {
  const absolute = resolve(cwd, path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : path)
  signal.throwIfAborted()
  await using file = await open(absolute, constants.O_RDONLY | constants.O_NONBLOCK)
  const found = await file.stat()
  if (!found.isFile()) throw new PromptContentError('NOT_AN_IMAGE', `${basename(absolute)} is not a file`)
  if (found.size > MOST_IMAGE_BYTES) throw tooLarge(basename(absolute), found.size)
  return toBlock(await file.readFile({ signal }), basename(absolute))
}

function toBlock(bytes: Buffer, name: string): ImageBlock {
  const mimeType = imageKind(bytes)
  if (mimeType === undefined) throw new PromptContentError('NOT_AN_IMAGE', `${name} is not an image that models take (PNG, JPEG, GIF, WebP)`)
  return { type: 'image', data: bytes.toString('base64'), mimeType }
}

function tooLarge(name: string, size: number): PromptContentError {
  return new PromptContentError('IMAGE_TOO_LARGE', `${name} has ${(size / 1024 / 1024).toFixed(1)} MB; an image may have ${MOST_IMAGE_BYTES / 1024 / 1024} MB`)
}

interface Reader {
  program: string
  args: readonly string[]
}

const CLIPBOARD_TIMEOUT_MS = 5_000

/** `osascript` can only write the image to a file, or, as here, print it in hexadecimal digits. */
const APPLE_SCRIPT = 'get the clipboard as «class PNGf»'

function readersOf(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): Reader[] {
  if (platform === 'darwin') return [{ program: 'pngpaste', args: ['-'] }, { program: 'osascript', args: ['-e', APPLE_SCRIPT] }]
  const wayland = { program: 'wl-paste', args: ['--no-newline', '--type', 'image/png'] }
  const x11 = { program: 'xclip', args: ['-selection', 'clipboard', '-target', 'image/png', '-out'] }
  return env['WAYLAND_DISPLAY'] ? [wayland, x11] : [x11, wayland]
}

/** The image of the clipboard, by the first installed program that has one. Rejects with `NO_IMAGE_IN_CLIPBOARD` and `IMAGE_TOO_LARGE`. */
export async function readClipboardImage(signal: AbortSignal, env: NodeJS.ProcessEnv = process.env, platform = process.platform): Promise<ImageBlock> {
  const readers = readersOf(platform, env)
  let isInstalled = false
  for (const reader of readers) {
    const output = await runReader(reader, env, signal)
    if (output === undefined) continue
    isInstalled = true
    const bytes = fromAppleScript(output)
    if (imageKind(bytes) !== undefined) return toBlock(bytes, 'the clipboard')
  }
  const names = readers.map(({ program }) => program).join(' or ')
  throw new PromptContentError('NO_IMAGE_IN_CLIPBOARD', isInstalled ? 'the clipboard holds no image' : `the clipboard cannot be read: install ${names}, or give the path of the image`)
}

function fromAppleScript(output: Buffer): Buffer {
  const match = output.length > 0 && output[0] === 0xc2 ? /PNGf([0-9A-F]+)/.exec(output.toString()) : null
  return match ? Buffer.from(match[1] ?? '', 'hex') : output
}

/** Undefined when the program is not there. What fails has printed nothing. */
function runReader({ program, args }: Reader, env: NodeJS.ProcessEnv, signal: AbortSignal): Promise<Buffer | undefined> {
  return new Promise((done, reject) => {
    const child = spawn(program, [...args], { env: childEnv(env), stdio: ['ignore', 'pipe', 'ignore'], signal: AbortSignal.any([signal, AbortSignal.timeout(CLIPBOARD_TIMEOUT_MS)]), killSignal: 'SIGKILL' })
    const chunks: Buffer[] = []
    let size = 0
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > 2 * MOST_IMAGE_BYTES + 1024) child.kill('SIGKILL')
      else chunks.push(chunk)
    })
    child.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') done(undefined)
      else if (signal.aborted) reject(signal.reason)
      else reject(new PromptContentError('NO_IMAGE_IN_CLIPBOARD', `${program} failed: ${describeError(error)}`, { cause: error }))
    })
    child.once('close', () => {
      if (size > 2 * MOST_IMAGE_BYTES) reject(tooLarge('the image in the clipboard', size))
      else done(Buffer.concat(chunks))
    })
  })
}
