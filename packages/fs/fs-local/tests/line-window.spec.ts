import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { windowOf } from '../src/line-window.ts'
import { streamWindow } from '../src/stream-window.ts'

const WINDOW = { offset: 1, limit: 10, maxBytes: 10_000, maxLineLength: 10 }

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  // One memory for all chunks, as the real reader has.
  const buffer = Buffer.alloc(size)
  for (let at = 0; at < bytes.length; at += size) {
    const length = bytes.copy(buffer, 0, at, at + size)
    yield buffer.subarray(0, length)
  }
}

describe('a window', () => {
  it('cuts long lines at a character and says how much is missing', () => {
    expect(windowOf(`${'a'.repeat(9)}😀tail\n`, WINDOW).lines).toEqual([{ number: 1, text: 'a'.repeat(9), cut: 6 }])
  })

  it('ends before it gets too big, with one line at least', () => {
    expect(windowOf('aaaa\nbbbb\ncccc\n', { ...WINDOW, maxBytes: 11 })).toEqual({
      lines: [{ number: 1, text: 'aaaa' }, { number: 2, text: 'bbbb' }],
      totalLines: 3,
      more: true,
      truncatedByBytes: true,
      finalNewline: true,
    })
    expect(windowOf('aaaa\nbbbb\n', { ...WINDOW, maxBytes: 1 }).lines).toEqual([{ number: 1, text: 'aaaa' }])
  })

  it('is the same whether the file was in memory or streamed in any pieces', async () => {
    const texts = fc.array(fc.constantFrom('a', 'é', '你', '😀', '\n', '\r\n', '\r'), { minLength: 1, maxLength: 60 }).map(parts => parts.join(''))
    await fc.assert(
      fc.asyncProperty(texts, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 40 }), async (text, size, offset, maxBytes) => {
        const window = { offset, limit: 3, maxBytes, maxLineLength: 1_000 }
        const streamed = await streamWindow(pieces(Buffer.from(text), size), { ...window, maxScanBytes: 1_000 })
        const { format, ...rest } = streamed
        expect(format.encoding).toBe('utf-8')
        expect(rest).toEqual(windowOf(text, window))
      }),
      { numRuns: 300 },
    )
  })
})
