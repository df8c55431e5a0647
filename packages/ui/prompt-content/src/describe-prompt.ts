/** What people read of a message: what was typed, and a line for everything that goes with it. Pure. */

import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import { plural } from '@deepseek-ai/dsh-text'

const ATTACHED = /^<(file|directory) path="(.*?)"(?: lines="(\d+-\d+)")?>\n([^]*)\n<\/\1>$/

/** The text that was typed: without the files that were attached to it. */
export function typedText(content: readonly ContentBlock[]): string {
  return content.flatMap((block, i) => (block.type === 'text' && (i === 0 || !ATTACHED.test(block.text)) ? [block.text] : [])).join('\n')
}

/** One line for each attached file, directory and image. */
export function attachedLines(content: readonly ContentBlock[]): string[] {
  const images = content.filter(({ type }) => type === 'image').length
  const files = content.flatMap((block, i) => {
    const match = block.type === 'text' && i > 0 ? ATTACHED.exec(block.text) : null
    if (!match) return []
    const [, kind, path, range, body = ''] = match
    const size = plural(body.split('\n').length, kind === 'file' ? 'line' : 'entry', kind === 'file' ? 'lines' : 'entries')
    return [`+ ${path}${range === undefined ? '' : `:${range}`} (${size})`]
  })
  return [...(images > 0 ? [`+ ${plural(images, 'image')}`] : []), ...files]
}
