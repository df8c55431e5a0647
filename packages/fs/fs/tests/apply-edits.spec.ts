import { describe, expect, it } from 'vitest'
import { applyEdits, FsError, type FsEditRequest } from '../src/index.ts'

function edit(text: string, oldString: string, newString: string, replaceAll = false): string {
  return applyEdits(text, [{ oldString, newString, replaceAll }]).text
}

function failure(text: string, ...edits: FsEditRequest[]): { code: string; message: string } {
  try {
    applyEdits(text, edits)
  } catch (error) {
    if (error instanceof FsError) return { code: error.code, message: error.message }
    throw error
  }
  throw new Error('the edit was applied')
}

describe('what lands in the text', () => {
  const odd = '$$ $& $` $\' $1 $<n> \\1 \\\\n'

  it('puts dollar sequences there as they are, in all three forms', () => {
    expect(edit('total=OLD\nend\n', 'OLD', odd)).toBe(`total=${odd}\nend\n`)
    expect(edit('OLD OLD OLD', 'OLD', odd, true)).toBe(`${odd} ${odd} ${odd}`)
    const both = [{ oldString: 'a', newString: odd }, { oldString: 'b', newString: odd }]
    expect(applyEdits('a-b', both).text).toBe(`${odd}-${odd}`)
  })

  it('leaves typographic quotes alone, in kept and in new text', () => {
    const text = 'const r = /[\u2019\'"\u201c\u201d]/; // keep\nlet x = 1;\n'
    expect(edit(text, 'let x = 1;', 'let x = 2; // it\u2019s')).toBe('const r = /[\u2019\'"\u201c\u201d]/; // keep\nlet x = 2; // it\u2019s\n')
  })

  it('counts matches that do not overlap and does not search new text again', () => {
    expect(applyEdits('aXaXaXa', [{ oldString: 'X', newString: 'XX', replaceAll: true }])).toEqual({ text: 'aXXaXXaXXa', edits: [{ replacements: 3, line: 1 }] })
    expect(applyEdits('aaaa', [{ oldString: 'aa', newString: 'b', replaceAll: true }])).toEqual({ text: 'bb', edits: [{ replacements: 2, line: 1 }] })
  })

  it('keeps the state of the last line', () => {
    expect(edit('a\nb\nc', 'c', 'c\nX')).toBe('a\nb\nc\nX')
    expect(edit('a\nb\n', 'b\n', 'B')).toBe('a\nB')
    expect(edit('a\nb', 'a', 'A')).toBe('A\nb')
    expect(edit('a\nb', 'b', '')).toBe('a\n')
  })

  it('refuses half of a character', () => {
    expect(failure('a', { oldString: 'a', newString: '\ud83d' }).code).toBe('FS_INVALID_EDIT')
  })
})

describe('line ends', () => {
  it('matches LF against CRLF and writes CRLF', () => {
    expect(edit('one\r\ntwo\r\nthree\r\n', 'one\ntwo', '1\n2\n2b')).toBe('1\r\n2\r\n2b\r\nthree\r\n')
    expect(edit('one\r\ntwo\r\n', 'two', '2\n2b')).toBe('one\r\n2\r\n2b\r\n')
    expect(edit('one\r\ntwo', 'two', '2\n2b')).toBe('one\r\n2\r\n2b')
    expect(edit('one\r\ntwo\r\n', 'one\n', '')).toBe('two\r\n')
    expect(edit('a\r\n\r\nb\r\n', '\n\nb', '\nb')).toBe('a\r\nb\r\n')
  })

  it('keeps the end of each line of a mixed file', () => {
    expect(edit('a\r\nb\nc\r\nd', 'a\nb\nc', 'A\nb\nC')).toBe('A\r\nb\nC\r\nd')
    expect(edit('a\r\nb\nc\r\nd', 'b\nc', 'b\nnew\nc')).toBe('a\r\nb\nnew\nc\r\nd')
    expect(edit('a\nb\r\nc\r\nd\n', 'a\nb\nc\nd', 'a\nx\ny\nb\nc\nd')).toBe('a\nx\r\ny\r\nb\r\nc\r\nd\n')
  })

  it('matches CRLF against LF and writes LF', () => {
    expect(edit('one\ntwo\n', 'one\r\ntwo', '1\r\n2')).toBe('1\n2\n')
  })

  it('does what an edit says that names CR itself', () => {
    expect(edit('one\r\ntwo\r\n', 'one\r\n', 'one\n')).toBe('one\ntwo\r\n')
    expect(edit('one\ntwo\n', 'one', 'one\r\nx')).toBe('one\r\nx\ntwo\n')
  })

  it('treats both kinds of line breaks as one when it counts', () => {
    const { code, message } = failure('x\ny\nx\r\ny\r\n', { oldString: 'x\ny', newString: 'z' })
    expect([code, message]).toEqual(['FS_AMBIGUOUS_EDIT', expect.stringContaining('2 times (lines 1, 3)')])
  })
})

describe('what is refused', () => {
  it('names count and lines of an ambiguous match', () => {
    expect(failure('a\nb\na\n', { oldString: 'a', newString: 'c' })).toEqual({
      code: 'FS_AMBIGUOUS_EDIT',
      message: 'the old text is in the file 2 times (lines 1, 3); add lines around it until it is unique, or set replace_all to change all',
    })
  })

  it('refuses an empty and an unchanged text', () => {
    expect(failure('a', { oldString: '', newString: 'b' }).code).toBe('FS_INVALID_EDIT')
    expect(failure('a', { oldString: 'a', newString: 'a' }).code).toBe('FS_INVALID_EDIT')
  })

  it('says which edit of several failed, and that none was applied', () => {
    const edits = [{ oldString: 'a', newString: 'A' }, { oldString: 'zz', newString: 'Z' }]
    expect(failure('abc', ...edits)).toEqual({ code: 'FS_EDIT_NOT_FOUND', message: expect.stringMatching(/^edits\[1\] of 2 failed, so none was applied: the old text is not in the file/) })
  })

  it('explains that an earlier edit changed the place', () => {
    const edits = [{ oldString: 'one two', newString: '1' }, { oldString: 'two three', newString: '2' }]
    expect(failure('one two three', ...edits).message).toContain('an earlier edit of this call changed that part')
  })

  it.each([
    ['tabs', 'all:\n\techo hi\n', '    echo hi', /line 2 differs from it only in whitespace: the file has 1 tab before the text, the old text has 4 spaces/],
    ['quotes', 'say \u201chi\u201d\n', 'say "hi"', /line 1 differs from it only in typographic characters/],
    ['escapes', 'a\nb\n', 'a\\nb', /escape sequences/],
    ['the last line break', 'a\nb', 'b\n', /the last line of the file has none/],
    ['a gutter', 'a\nb\n', '1: a\n2: b', /line number as the read view shows it/],
    ['a near line', 'function f() {\n  return 1\n}\n', 'function f() {\n  return 2\n}', /begins like line 1, but line 2 of the file is "  return 1"/],
    ['an empty file', '', 'x', /the file is empty/],
  ])('points to %s', (_, text, oldString, expected) => {
    const { code, message } = failure(text, { oldString, newString: 'new' })
    expect(code).toBe('FS_EDIT_NOT_FOUND')
    expect(message).toMatch(expected)
  })
})

describe('line numbers of the read view', () => {
  const text = Array.from({ length: 10 }, (_, i) => `line ${i + 1}\n`).join('')

  it('are taken off when old and new text carry them on every line', () => {
    expect(edit(text, '2: line 2\n3: line 3', '2: line two\n3: line three')).toBe(text.replace('line 2\nline 3', 'line two\nline three'))
    expect(edit(text, '2: line 2\n', '')).toBe(text.replace('line 2\n', ''))
  })

  it('never land when only the new text carries them', () => {
    expect(failure(text, { oldString: 'line 2\nline 3', newString: '2: line two\n3: line three' }).code).toBe('FS_LINE_NUMBERS')
    expect(failure(text, { oldString: 'line 2', newString: '2: line two' }).code).toBe('FS_LINE_NUMBERS')
    expect(failure(text, { oldString: 'line 2', newString: '40: a\n41: b' }).code).toBe('FS_LINE_NUMBERS')
  })

  it('leave a file editable that really is like that', () => {
    const data = '6: six\n7: seven\n8: eight\n'
    expect(edit(data, '7: seven', '7: SEVEN')).toBe('6: six\n7: SEVEN\n8: eight\n')
    expect(edit(data, 'seven\n', 'seven\n7: again\n')).toBe('6: six\n7: seven\n7: again\n8: eight\n')
    expect(edit('x\n6: six', 'x\n', '5: five\n')).toBe('5: five\n6: six')
    expect(edit('codes:\n404: gone\nend', 'gone', '500: broken')).toBe('codes:\n404: 500: broken\nend')
  })
})
