import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MarkdownSplitter, type MarkdownPart } from '../src/index.ts'

/** Parts as one would write them down: text as it is, code behind its language. */
function shown(parts: readonly (MarkdownPart | undefined)[]): string[] {
  return parts.flatMap(part => (part === undefined ? [] : part.kind === 'text' ? part.text.trim() : `${part.language}${part.before === '' ? '' : '+'}: ${part.code}`))
}

function split(text: string): string[] {
  const splitter = new MarkdownSplitter()
  return shown([...splitter.push(text), ...splitter.end()])
}

describe('Markdown', () => {
  it.each<[string, string, string[]]>([
    ['paragraphs', 'one\ntwo\n\nthree', ['one\ntwo', 'three']],
    ['a block of code between texts', 'see:\n```ts x\nlet a = 1\n\nlet b\n```\nthen', ['see:', 'ts: let a = 1\n\nlet b', 'then']],
    ['a list with gaps as one part until the margin is reached', '- a\n\n  more of a\n\n- b\n\nafter', ['- a\n\n  more of a', '- b', 'after']],
    ['a block of code inside a list item', '- a\n  ```\n  x\n  ```\n- b', ['- a\n  ```\n  x\n  ```\n- b']],
    ['a longer mark around a shorter one', '````md\n```\nx\n```\n````\nend', ['md: ```\nx\n```', 'end']],
    ['code whose end never comes', '```sh\nls', ['sh: ls']],
    ['code whose end is the end of the text', '```\nls\n```', [': ls']],
    ['tildes', '~~~\na\n~~~', [': a']],
    ['a table', '| a | b |\n|---|---|\n| 1 | 2 |\n\nx', ['| a | b |\n|---|---|\n| 1 | 2 |', 'x']],
    ['nothing', '\n\n', []],
  ])('is cut: %s', (_what, text, parts) => {
    expect(split(text)).toEqual(parts)
  })

  it('hands a long block of code over in parts that know what stands before them', () => {
    const code = Array.from({ length: 100 }, (_, i) => `line ${i}`)
    const splitter = new MarkdownSplitter()
    const parts = [...splitter.push(`\`\`\`ts\n${code.join('\n')}\n\`\`\`\n`), ...splitter.end()]
    expect(parts.map(part => part.kind === 'code' && part.code.split('\n').length)).toEqual([40, 40, 20])
    expect(parts.map(part => part.kind === 'code' && part.before.split('\n').length)).toEqual([1, 40, 80])
    expect(parts.map(part => part.kind === 'code' && part.code).join('\n')).toBe(code.join('\n'))
  })

  it('shows no beginning of the mark that ends a block', () => {
    const splitter = new MarkdownSplitter()
    splitter.push('```ts\na\n``')
    expect(shown([splitter.rest])).toEqual(['ts: a'])
    expect(shown(splitter.push('`\n'))).toEqual(['ts: a'])
    expect(splitter.rest).toBe(undefined)
  })

  it('is cut the same however it arrives', () => {
    const pieces = fc.array(fc.constantFrom('\n', '\n\n', '```', '```ts', '~~~', 'word', '- ', '  ', '1. x', '|a|', '> q', '\n```\n'), { maxLength: 40 })
    fc.assert(fc.property(pieces, fc.integer({ min: 1, max: 7 }), (words, size) => {
      const text = words.join('')
      const splitter = new MarkdownSplitter()
      const parts: MarkdownPart[] = []
      for (let i = 0; i < text.length; i += size) parts.push(...splitter.push(text.slice(i, i + size)))
      parts.push(...splitter.end())
      expect(shown(parts)).toEqual(split(text))
    }))
  })
})
