import { describe, expect, it } from 'vitest'
import { LineLimit } from '../src/message-stream.ts'

/** What gets through, as text. */
function through(most: number, ...chunks: string[]): string {
  const limit = new LineLimit(most)
  return chunks.map(chunk => Buffer.from(limit.cut(Buffer.from(chunk))).toString()).join('')
}

describe('a limit of lines', () => {
  it.each([
    [4, ['abcd\nefgh\n'], 'abcd\nefgh\n'],
    [4, ['abcdef\ngh\n'], 'abcd\ngh\n'],
    [4, ['ab', 'cd', 'ef', '\n', 'gh\n'], 'abcd\ngh\n'],
    [4, ['abcdefgh', 'ijkl\nmn'], 'abcd\nmn'],
    [4, ['\n\n', 'abcde\n\n'], '\n\nabcd\n\n'],
    [4, [''], ''],
  ])('of %d lets %j through as %j', (most, chunks, expected) => {
    expect(through(most, ...chunks)).toBe(expected)
  })

  it('hands on the very bytes where nothing is too long', () => {
    const chunk = Buffer.from('ab\ncd')

    expect(new LineLimit(4).cut(chunk)).toBe(chunk)
  })
})
