import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clipEnd, clipMiddle, clipStart, fenced, nearest, plural, stripControls, wrapWords } from '../src/index.ts'

const text = fc.string({ unit: 'binary', maxLength: 40 })
const most = fc.nat(45)

describe('clipping', () => {
  it('keeps at most so many units, all from the right side, and never half a character', () => {
    fc.assert(
      fc.property(text, most, (value, length) => {
        const [start, end] = [clipEnd(value, length), clipStart(value, length)]
        expect([start.length <= length, value.startsWith(start), start.isWellFormed()]).toEqual([true, true, true])
        expect([end.length <= length, value.endsWith(end), end.isWellFormed()]).toEqual([true, true, true])
        expect(Math.min(value.length, length) - Math.min(start.length, end.length)).toBeLessThanOrEqual(1)
      }),
    )
  })

  it('counts what it leaves out of the middle', () => {
    fc.assert(
      fc.property(text, most, (value, length) => {
        let cut = 0
        const clipped = clipMiddle(value, length, left => {
          cut = left
          return ''
        })
        expect([clipped.length + cut, clipped.length <= length, clipped.isWellFormed()]).toEqual([value.length, true, true])
      }),
    )
    expect(clipMiddle('abcdefgh', 4, cut => `[${cut}]`)).toBe('ab[4]gh')
    expect(clipMiddle('abcd', 4, cut => `[${cut}]`)).toBe('abcd')
  })

  it('moves off a surrogate pair', () => {
    expect([clipEnd('a😀b', 2), clipEnd('a😀b', 3), clipStart('a😀b', 2), clipStart('a😀b', 3)]).toEqual(['a', 'a😀', 'b', '😀b'])
  })

  it('takes a length below nothing for nothing', () => {
    expect([clipEnd('abc', 0), clipStart('abc', 0), clipEnd('abc', -1), clipStart('abc', -1)]).toEqual(['', '', '', ''])
  })
})

describe('nearest', () => {
  it.each([
    ['grpe', 'grep'],
    ['GREP', 'grep'],
    ['gre', 'grep'],
    ['todowrite', 'todo_write'],
    ['web-fetch', 'web_fetch'],
    ['xyz', undefined],
    ['', undefined],
  ])('finds for %s: %s', (name, expected) => {
    expect(nearest(name, ['bash', 'grep', 'glob', 'todo_write', 'web_fetch', 'web_search'])).toBe(expected)
  })

  it('prefers the closest, and of equals the first', () => {
    expect(nearest('reed', ['seed', 'read', 'reeds'])).toBe('seed')
    expect(nearest('reads', ['real', 'read'])).toBe('read')
  })

  it('always finds a name that is there', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, selector: value => value.toLowerCase() }), names => {
        for (const name of names) expect(nearest(name, names)).toBe(name)
      }),
    )
  })

  it('finds a name after any one typing error', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{4,10}$/), fc.nat(), fc.constantFrom('drop', 'double', 'swap'), (name, seed, error) => {
        const at = seed % (name.length - 1)
        const [a = '', b = ''] = [name[at], name[at + 1]]
        const wrong = { drop: b, double: a + a + b, swap: b + a }[error] ?? ''
        expect(nearest(name.slice(0, at) + wrong + name.slice(at + 2), [name])).toBe(name)
      }),
    )
  })
})

it('counts in English', () => {
  expect([plural(0, 'file'), plural(1, 'file'), plural(2, 'file'), plural(2, 'entry', 'entries'), plural(1_000, 'file')]).toEqual(['0 files', '1 file', '2 files', '2 entries', '1000 files'])
})

describe('stripControls', () => {
  it.each([
    ['colours', '\u001b[31mred\u001b[0m', 'red'],
    ['cursor moves and clearing', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
    ['window titles', '\u001b]0;title\u0007x', 'x'],
    ['titles ended by a string terminator', '\u001b]0;title\u001b\\x', 'x'],
    ['links, keeping their text', '\u001b]8;;http://e.x\u001b\\text\u001b]8;;\u001b\\', 'text'],
    ['clipboard writes', '\u001b]52;c;ZXZpbA==\u0007x', 'x'],
    ['device control strings', '\u001bPq#0;2\u001b\\x', 'x'],
    ['eight-bit controls', '\u009b31mred\u009d0;t\u009cx', 'redx'],
    ['an unended string, to the end of its line', 'a\u001b]0;title\nb', 'a\nb'],
    ['bells, backspaces, escapes', 'a\u0007\b\u001bb', 'ab'],
    ['carriage returns', 'a\r\nb\rc', 'a\nbc'],
    ['bidirectional overrides', 'a\u202eb\u2066c\u2069', 'abc'],
    ['nothing of tabs, line breaks and letters', 'a\tb\né😀', 'a\tb\né😀'],
  ])('takes out %s', (_, value, clean) => {
    expect(stripControls(value)).toBe(clean)
  })

  it('leaves nothing that a terminal would act on, however it is nested', () => {
    const piece = fc.constantFrom('\u001b', '[', ']', 'P', '0', ';', 'm', '\u0007', '\u009b', '\u009d', '\u009c', '\\', 'x', '\n', '\t', '\r', '\u202e')
    fc.assert(
      fc.property(fc.string({ unit: piece }), value => {
        expect(stripControls(value)).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/) // oxlint-disable-line no-control-regex
        expect(stripControls(stripControls(value))).toBe(stripControls(value))
      }),
    )
  })

  it('takes time in proportion to the text', () => {
    const started = performance.now()
    stripControls('\u001b]'.repeat(200_000))
    stripControls(`\u001b]${'x'.repeat(1_000_000)}`)
    stripControls('\u001b['.repeat(200_000))
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})

describe('a fenced block', () => {
  it.each([
    ['a', '```js\na\n```'],
    ['```\nx\n```\n', '````js\n```\nx\n```\n````'],
    ['`', '```js\n`\n```'],
  ])('holds %j as it is', (inner, block) => {
    expect(fenced(inner, 'js')).toBe(block)
  })
})

describe('lines broken at words', () => {
  it.each([
    ['short', 10, '', 'short'],
    ['one two three', 7, '', 'one two\nthree'],
    ['one two three', 7, '  ', 'one two\n  three'],
    ['  a bb  ccc', 6, '    ', '  a bb\n    ccc'],
    ['a verylongword b', 6, '', 'a\nverylongword\nb'],
    ['漢字 漢字', 6, '', '漢字\n漢字'],
    ['one two\nthree four', 7, '', 'one two\nthree\nfour'],
    ['one two\n', 3, '', 'one\ntwo\n'],
    ['one two', Infinity, '', 'one two'],
  ])('%j in %d columns', (text, width, indent, wrapped) => {
    expect(wrapWords(text, width, indent)).toBe(wrapped)
  })
})
