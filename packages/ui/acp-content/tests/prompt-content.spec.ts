import { describe, expect, it } from 'vitest'
import { toPrompt } from '../src/prompt-content.ts'

describe('a prompt', () => {
  it('makes one text of words and links, and puts what is embedded behind it', () => {
    expect(toPrompt([
      { type: 'text', text: 'compare ' },
      { type: 'resource', resource: { uri: 'file:///w/a%20b.ts', text: 'const a = 1\n' } },
      { type: 'text', text: ' with ' },
      { type: 'resource_link', name: 'b.ts', uri: 'file:///w/b.ts' },
    ])).toEqual([
      { type: 'text', text: 'compare [@a b.ts](file:///w/a%20b.ts) with [@b.ts](file:///w/b.ts)' },
      { type: 'text', text: '<context ref="file:///w/a%20b.ts">\nconst a = 1\n</context>' },
    ])
  })

  it('keeps pictures where they stand, embedded ones and those with an address alone too', () => {
    expect(toPrompt([
      { type: 'text', text: 'before' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'text', text: 'after' },
      { type: 'image', data: '', mimeType: 'image/png', uri: 'https://example.org/a.png' },
      { type: 'resource', resource: { uri: 'file:///w/c.png', blob: 'aGk=', mimeType: 'image/png' } },
    ])).toEqual([
      { type: 'text', text: 'before' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
      { type: 'text', text: 'after' },
      { type: 'image', url: 'https://example.org/a.png', mimeType: 'image/png' },
      { type: 'text', text: '[@c.png](file:///w/c.png)' },
      { type: 'image', data: 'aGk=', mimeType: 'image/png' },
    ])
  })

  it('says of embedded bytes what they are', () => {
    expect(toPrompt([{ type: 'resource', resource: { uri: 'file:///w/x.bin', blob: 'AAECAw==', mimeType: 'application/x-thing' } }])).toEqual([
      { type: 'text', text: '[@x.bin](file:///w/x.bin)' },
      { type: 'text', text: '<context ref="file:///w/x.bin">\n(application/x-thing, 4 bytes, which cannot be shown here)\n</context>' },
    ])
  })

  it.each(['file:///w/100%', 'file:///w/%E4', 'x:', ''])('takes the address %j as it is', uri => {
    expect(toPrompt([{ type: 'resource', resource: { uri, text: 'x' } }])[1]).toEqual({ type: 'text', text: `<context ref="${uri}">\nx\n</context>` })
  })

  it('lets no address end the place that it names', () => {
    expect(toPrompt([{ type: 'resource', resource: { uri: 'a">\n</context>', text: 'x' } }])[1]).toEqual({ type: 'text', text: '<context ref="a%22%3E%0A%3C/context%3E">\nx\n</context>' })
  })

  it.each<[string, Parameters<typeof toPrompt>[0]]>([
    ['nothing', []],
    ['blanks', [{ type: 'text', text: ' \n' }]],
    ['sound', [{ type: 'audio', data: '', mimeType: 'audio/wav' }]],
    ['a picture that is not base64', [{ type: 'image', data: '!!!!', mimeType: 'image/png' }]],
    ['a picture cut in the middle', [{ type: 'image', data: 'aGk', mimeType: 'image/png' }]],
    ['a picture of another type', [{ type: 'image', data: 'aGk=', mimeType: 'text/html' }]],
    ['an embedded picture that is not base64', [{ type: 'resource', resource: { uri: 'file:///a.png', blob: '<svg>', mimeType: 'image/png' } }]],
    ['a picture without anything in it', [{ type: 'image', data: '', mimeType: 'image/png' }]],
  ])('of %s is refused', (_what, blocks) => {
    expect(() => toPrompt(blocks)).toThrow(expect.objectContaining({ code: 'INVALID_PROMPT' }))
  })
})
