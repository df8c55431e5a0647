import { describe, expect, it } from 'vitest'
import { callCard, consoleOf, resultCard } from '../src/tool-card.ts'

const OPTIONS = { cwd: '/w', name: 'some_tool', kind: 'other' as const }

describe('a card', () => {
  it('without a view has the tool\'s name, and the result as the model reads it', () => {
    const result = { content: [{ type: 'text' as const, text: 'done' }], isError: false }

    expect([callCard(undefined, OPTIONS), resultCard(undefined, result, OPTIONS)]).toEqual([{ title: 'some_tool', kind: 'other' }, { content: [{ type: 'content', content: { type: 'text', text: 'done' } }] }])
  })

  it('has one line of title, without control sequences, cut where it is too long', () => {
    const { title } = callCard({ card: 'terminal', title: `\u001b[31mls\n-l ${'x'.repeat(300)}` }, OPTIONS)

    expect([title.length, title.slice(0, 6), title.at(-1)]).toEqual([200, 'ls -l ', '…'])
  })

  it('has absolute paths, each place once', () => {
    expect(callCard({ card: 'diff', title: 'Edit', diffs: [{ path: 'a.ts', oldText: 'a', newText: 'b' }, { path: '/w/a.ts', oldText: 'c', newText: 'd' }] }, OPTIONS)).toEqual({
      title: 'Edit',
      kind: 'edit',
      content: [{ type: 'diff', path: '/w/a.ts', oldText: 'a', newText: 'b' }, { type: 'diff', path: '/w/a.ts', oldText: 'c', newText: 'd' }],
      locations: [{ path: '/w/a.ts' }],
    })
  })

  it('leaves out what a call without its arguments cannot tell', () => {
    const nothing = undefined as never

    expect(callCard({ card: 'diff', title: nothing, diffs: [{ path: nothing, oldText: null, newText: nothing }, { path: 'a', oldText: nothing, newText: nothing }], locations: [{ path: nothing }] }, OPTIONS)).toEqual({
      title: 'undefined',
      kind: 'edit',
      content: [{ type: 'diff', path: '/w/a', oldText: null, newText: '' }],
      locations: [],
    })
  })

  it.each([['plain', '```console\nplain\n```'], ['a ```` b', '`````console\na ```` b\n`````'], ['ends\n', '```console\nends\n```']])('fences %j so that nothing in it ends the fence', (output, text) => {
    expect(consoleOf(output)).toEqual([{ type: 'content', content: { type: 'text', text } }])
  })

  it('shows nothing for no output', () => {
    expect(consoleOf(' \n')).toEqual([])
  })

  it('shows pictures, and those with an address as links', () => {
    const result = { content: [{ type: 'image' as const, data: 'aGk=', mimeType: 'image/png' }, { type: 'image' as const, url: 'https://example.org/a.png' }], isError: false }

    expect(resultCard(undefined, result, OPTIONS).content).toEqual([
      { type: 'content', content: { type: 'image', data: 'aGk=', mimeType: 'image/png' } },
      { type: 'content', content: { type: 'resource_link', name: 'https://example.org/a.png', uri: 'https://example.org/a.png' } },
    ])
  })
})
