/** Small readers and makers of content blocks. */

import type { ContentBlock, TextBlock, ToolCallBlock } from './types.ts'

export function text(value: string): TextBlock {
  return { type: 'text', text: value }
}

/** A string becomes one text block; blocks stay as they are. */
export function asBlocks(content: string | readonly ContentBlock[]): ContentBlock[] {
  return typeof content === 'string' ? [text(content)] : [...content]
}

/** The text of all text blocks, one after the other, with a line break between blocks. */
export function textOf(content: readonly ContentBlock[]): string {
  return content.filter(block => block.type === 'text').map(block => block.text).join('\n')
}

export function toolCallsOf(content: readonly ContentBlock[]): ToolCallBlock[] {
  return content.filter(block => block.type === 'tool-call')
}
