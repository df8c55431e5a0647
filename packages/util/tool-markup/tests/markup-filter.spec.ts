import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MarkupFilter, type MarkupEnd } from '../src/index.ts'

const CALL = { name: 'bash', arguments: '{"command":"touch marker"}' }

/** The parameter format with any spelling of the bars. */
function dsml(bar: string, { wrapper = 'function_calls', name = 'bash' } = {}): string {
  const tag = (inner: string, close = ''): string => `<${close}${bar}DSML${bar}${inner}>`
  const invoke = `${tag(`invoke name="${name}"`)}\n${tag('parameter name="command" string="true"')}touch marker${tag('parameter', '/')}\n${tag('invoke', '/')}`
  return wrapper === '' ? invoke : `${tag(wrapper)}\n${invoke}\n${tag(wrapper, '/')}`
}

const TOKENS = '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>bash<｜tool▁sep｜>{"command":"touch marker"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>'
const OLDER = '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>bash\n```json\n{"command":"touch marker"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>'

/** What is shown while the pieces come, and what is left at the end. */
function filter(...pieces: string[]): { shown: string } & MarkupEnd {
  const markup = new MarkupFilter(name => name === 'bash' || name === 'read')
  const shown = pieces.map(piece => markup.push(piece)).join('')
  const end = markup.end()
  return { ...end, shown: shown + end.text }
}

const leaks: [string, string][] = [
  ['full-width bars', dsml('｜')],
  ['double full-width bars', dsml('｜｜')],
  ['ASCII bars', dsml('|')],
  ['double ASCII bars', dsml('||')],
  ['the newer wrapper', dsml('｜', { wrapper: 'tool_calls' })],
  ['no wrapper', dsml('｜', { wrapper: '' })],
  ['special tokens', TOKENS],
  ['the older special tokens', OLDER],
  ['one bare token call', '<｜tool▁call▁begin｜>bash<｜tool▁sep｜>{"command":"touch marker"}<｜tool▁call▁end｜>'],
]

describe('MarkupFilter', () => {
  it.each(leaks)('reads a call from %s, cut at any place', (_name, block) => {
    const whole = `Let me look.\n\n${block}`
    expect(filter(whole)).toMatchObject({ shown: 'Let me look.\n\n', calls: [CALL], broken: false })
    expect(filter(...whole)).toMatchObject({ shown: 'Let me look.\n\n', calls: [CALL], broken: false })
    for (let cut = 0; cut <= whole.length; cut++) expect(filter(whole.slice(0, cut), whole.slice(cut)).calls).toEqual([CALL])
  })

  it('never shows a piece of markup, wherever the text is cut', () => {
    const property = fc.property(fc.constantFrom(...leaks.map(([, block]) => block)), fc.array(fc.nat(12)), (block, cuts) => {
      const whole = `a < b and c <d>\n${block}\nafter`
      const pieces: string[] = []
      let at = 0
      for (const cut of cuts) pieces.push(whole.slice(at, (at += cut)))
      const { shown, calls } = filter(...pieces, whole.slice(at))
      expect([shown, calls]).toEqual(['a < b and c <d>\n\nafter', [CALL]])
    })
    fc.assert(property)
  })

  it('reads several calls of one block and typed parameters', () => {
    const block = `<｜DSML｜function_calls>
<｜DSML｜invoke name="read">
<｜DSML｜parameter name="file_path" string="true">a "b" <c>
d</｜DSML｜parameter>
<｜DSML｜parameter name="limit" string="false">20</｜DSML｜parameter>
<｜DSML｜parameter name="note">plain</｜DSML｜parameter>
</｜DSML｜invoke>
<｜DSML｜invoke name="bash">
</｜DSML｜invoke>
</｜DSML｜function_calls>`
    expect(filter(block).calls).toEqual([
      { name: 'read', arguments: JSON.stringify({ file_path: 'a "b" <c>\nd', limit: 20, note: 'plain' }) },
      { name: 'bash', arguments: '{}' },
    ])
  })

  it.each<[string, string]>([
    ['a fence', `Like this:\n\`\`\`xml\n${dsml('｜')}\n\`\`\`\nDone.`],
    ['a tilde fence', `~~~\n${dsml('｜')}\n~~~\n`],
    ['a longer fence around a shorter one', `\`\`\`\`\n\`\`\`\n${TOKENS}\n\`\`\`\n\`\`\`\``],
    ['a fence in a list', `1. so:\n   \`\`\`\n   ${dsml('|')}\n   \`\`\`\n`],
    ['inline code', `The tag \`${TOKENS}\` is internal.`],
    ['a block quote', `> ${dsml('｜').replaceAll('\n', '\n> ')}\n`],
    ['indented code', `text\n\n    ${TOKENS}\n`],
    ['an open fence', `\`\`\`\n${dsml('｜')}`],
  ])('leaves alone what is quoted in %s', (_name, quoted) => {
    expect(filter(quoted)).toEqual({ shown: quoted, text: '', calls: [], broken: false })
    expect(filter(...quoted).shown).toBe(quoted)
  })

  it('reads a block behind a closed fence, and leaves the quoted one', () => {
    const quoted = `\`\`\`\n${dsml('|')}\n\`\`\`\n`
    expect(filter(`${quoted}${dsml('｜')}`)).toMatchObject({ shown: quoted, calls: [CALL], broken: false })
  })

  it.each<[string, string]>([
    ['has no end', dsml('｜').slice(0, -30)],
    ['ends behind the opening', 'ok\n<｜DSML｜function_calls>'],
    ['ends in the middle of a parameter', dsml('｜').slice(0, 90)],
    ['names no known tool', dsml('｜', { name: 'launch' })],
    ['holds arguments that are not JSON', TOKENS.replace('{', '')],
    ['begins its line with other words behind it', '<｜DSML｜function_calls> oh well'],
  ])('is broken when a block %s', (_name, block) => {
    const { calls, broken, shown } = filter(block)
    expect({ calls, broken }).toEqual({ calls: [], broken: true })
    expect(shown).not.toMatch(/[｜|]/)
  })

  it('takes a tag in the middle of a sentence for what it is', () => {
    const prose = 'Servers may leak <｜DSML｜function_calls> or <｜tool▁calls▁begin｜> into the text.'
    expect(filter(prose)).toMatchObject({ shown: prose, calls: [], broken: false })
  })

  it('holds back no more than what may become a tag', () => {
    const markup = new MarkupFilter(() => true)
    expect(['if a <', ' b', ' and <|', 'x', '<｜DSML', '｜parameter'].map(piece => markup.push(piece))).toEqual(['if a ', '< b', ' and ', '<|x', '', '<｜DSML｜parameter'])
  })

  it('shows text that only begins like a tag', () => {
    expect(filter('a <', '｜', 'b and <|DS').shown).toBe('a <｜b and <|DS')
  })
})
