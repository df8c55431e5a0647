/** Our blocks as the protocol shows them. Pure. */

import type { ContentBlock as AcpBlock, ToolCallContent } from '@agentclientprotocol/sdk'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import { stripControls } from '@deepseek-ai/dsh-text'

/** Undefined for what is no content of its own, such as a call. */
export function toAcpBlock(block: ContentBlock): AcpBlock | undefined {
  switch (block.type) {
    case 'text':
      return { type: 'text', text: stripControls(block.text) }
    case 'image':
      if (block.data !== undefined) return { type: 'image', data: block.data, mimeType: block.mimeType ?? 'image/png' }
      return { type: 'resource_link', name: block.url ?? 'image', uri: block.url ?? '', ...(block.mimeType !== undefined && { mimeType: block.mimeType }) }
    default:
      return undefined
  }
}

/** As the content of a tool call. */
export function toAcpBlocks(blocks: readonly ContentBlock[]): ToolCallContent[] {
  return blocks.flatMap(block => {
    const content = toAcpBlock(block)
    return content ? [{ type: 'content' as const, content }] : []
  })
}
