/** Images that were put into a message while it is written; in its text a mark stands for each. */

import type { ImageBlock } from '@deepseek-ai/dsh-llm'

/** More images are refused by some providers. */
const MOST_IMAGES = 20

export class ImageShelf {
  readonly #images = new Map<number, ImageBlock>()
  #last = 0

  /** The mark for the text: `[image 1]`. Of more than 20 the oldest goes. */
  add(image: ImageBlock): string {
    this.#images.set(++this.#last, image)
    if (this.#images.size > MOST_IMAGES) this.#images.delete(this.#last - MOST_IMAGES)
    return markOf(this.#last)
  }

  /** Those whose mark stands in the text, in the order of their numbers. The shelf is empty afterwards. */
  take(text: string): ImageBlock[] {
    const taken = [...this.#images].flatMap(([id, image]) => (text.includes(markOf(id)) ? [image] : []))
    this.#images.clear()
    this.#last = 0
    return taken
  }
}

function markOf(id: number): string {
  return `[image ${id}]`
}
