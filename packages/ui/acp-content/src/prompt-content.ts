/**
 * What an editor sends as a prompt, as blocks for the model. Pure.
 *
 * Text and links that follow each other are one sentence to the user ("look at
 * @main.ts and …"), so they become one text; what is embedded follows it, under
 * the address by which the sentence names it:
 *
 *     look at [@main.ts](file:///w/main.ts) and tell me
 *
 *     <context ref="file:///w/main.ts">
 *     …
 *     </context>
 */

import type { ContentBlock as AcpBlock, EmbeddedResource } from '@agentclientprotocol/sdk'
import { text, type ContentBlock } from '@deepseek-ai/dsh-llm'
import { clipEnd } from '@deepseek-ai/dsh-text'
import { ContentError } from './errors.ts'

/** Throws `INVALID_PROMPT` for sound, for kinds that are not known, and for a prompt without anything in it. */
export function toPrompt(blocks: readonly AcpBlock[]): ContentBlock[] {
  const prompt = new PromptBuilder()
  for (const block of blocks) prompt.add(block)
  const content = prompt.finish()
  if (content.length === 0) throw new ContentError('INVALID_PROMPT', 'the prompt is empty')
  return content
}

class PromptBuilder {
  readonly #content: ContentBlock[] = []
  readonly #embedded: ContentBlock[] = []
  #sentence = ''

  add(block: AcpBlock): void {
    switch (block.type) {
      case 'text':
        this.#sentence += block.text
        return
      case 'resource_link':
        this.#sentence += linkTo(block.name, block.uri)
        return
      case 'resource':
        this.#embed(block)
        return
      case 'image':
        this.#endSentence()
        this.#content.push(imageBlock(block.data, block.mimeType, block.uri ?? undefined))
        return
      default:
        throw new ContentError('INVALID_PROMPT', `blocks of the type "${block.type}" are not taken; there are text, image, resource and resource_link`)
    }
  }

  finish(): ContentBlock[] {
    this.#endSentence()
    return [...this.#content, ...this.#embedded]
  }

  #embed({ resource }: EmbeddedResource): void {
    const { uri } = resource
    this.#sentence += linkTo(nameOf(uri), uri)
    const ref = quoted(uri)
    if ('text' in resource) this.#embedded.push(text(`<context ref="${ref}">\n${endLine(resource.text)}</context>`))
    else if (resource.mimeType?.startsWith('image/')) this.#embedded.push(imageBlock(resource.blob, resource.mimeType))
    else this.#embedded.push(text(`<context ref="${ref}">\n(${resource.mimeType ?? 'binary data'}, ${sizeOf(resource.blob)} bytes, which cannot be shown here)\n</context>`))
  }

  #endSentence(): void {
    if (this.#sentence.trim() !== '') this.#content.push(text(this.#sentence))
    this.#sentence = ''
  }
}

/** A picture that no provider takes would be sent again with every later request: it is refused here. */
function imageBlock(data: string, mimeType: string, url?: string): ContentBlock {
  if (!/^image\/[\w.+-]+$/.test(mimeType)) throw new ContentError('INVALID_PROMPT', `"${clipEnd(mimeType, 100)}" is no type of an image`)
  if (data !== '' && !isBase64(data)) throw new ContentError('INVALID_PROMPT', 'the data of an image is not base64')
  if (data !== '') return { type: 'image', data, mimeType }
  if (url === undefined || url === '') throw new ContentError('INVALID_PROMPT', 'an image has neither data nor an address')
  return { type: 'image', url, mimeType }
}

function isBase64(data: string): boolean {
  return data.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(data)
}

/** What would end the attribute, or its line, as an address has it. */
function quoted(uri: string): string {
  return uri.replace(/["<>\s]/g, encodeURIComponent)
}

function linkTo(name: string, uri: string): string {
  return `[@${name}](${uri})`
}

function nameOf(uri: string): string {
  const last = uri.replace(/[?#].*$/, '').split('/').findLast(part => part !== '') ?? uri
  return decodable(last)
}

/** Other people's addresses need not be well-formed; then they are shown as they are. */
function decodable(part: string): string {
  return /%(?![0-9A-Fa-f]{2})/.test(part) || /%[89A-Fa-f]/.test(part) ? part : decodeURIComponent(part)
}

function endLine(value: string): string {
  return value.endsWith('\n') ? value : `${value}\n`
}

function sizeOf(base64: string): number {
  return Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
}
