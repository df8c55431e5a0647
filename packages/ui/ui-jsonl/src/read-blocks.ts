/** Checks the content of a message that came in as JSON. Pure. */

import type { ContentBlock, ImageBlock } from '@deepseek-ai/dsh-llm'
import { InputError } from './input-error.ts'

/** Text, or blocks: text and images, in the native shape or in that of Anthropic's messages. Throws `BAD_LINE`. */
export function readBlocks(content: unknown): ContentBlock[] {
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : content
  if (!Array.isArray(blocks) || blocks.length === 0) throw new InputError('BAD_LINE', 'a message is text, or a list of blocks')
  const read = blocks.map((block, index) => readBlock(block, index))
  if (read.every(block => block.type === 'text' && block.text.trim() === '')) throw new InputError('BAD_LINE', 'the message is empty')
  return read
}

function readBlock(block: unknown, index: number): ContentBlock {
  const { type, text } = (block ?? {}) as Record<string, unknown>
  if (type === 'text' && typeof text === 'string') return { type, text }
  if (type === 'image') return readImage(block as Record<string, unknown>, index)
  throw new InputError('BAD_LINE', `block ${index + 1} of the message is neither text nor an image`)
}

function readImage({ source, data, url, mimeType }: Record<string, unknown>, index: number): ImageBlock {
  if (typeof source === 'object' && source !== null) {
    const { type, data: base64, media_type: media, url: address } = source as Record<string, unknown>
    return readImage(type === 'url' ? { url: address } : { data: base64, mimeType: media }, index)
  }
  if (typeof url === 'string' && data === undefined) return { type: 'image', url }
  if (typeof data === 'string' && url === undefined && typeof mimeType === 'string') return { type: 'image', data, mimeType }
  throw new InputError('BAD_LINE', `block ${index + 1} is an image without "data" and "mimeType", or "url"`)
}
