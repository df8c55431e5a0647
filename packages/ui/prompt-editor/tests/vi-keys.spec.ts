/** vi's keys over a text: a table of keys, each with the text before and after; `|` is the cursor. */

import { describe, expect, it } from 'vitest'
import { ViKeys } from '../src/vi-keys.ts'

const segmenter = new Intl.Segmenter()
const units = (line: string): number[] => [...segmenter.segment(line)].map(({ index }) => index)

function run(before: string, keys: string): string {
  const vi = new ViKeys(units)
  vi.mode = 'normal'
  const row = before.split('\n').findIndex(line => line.includes('|'))
  let text = { lines: before.replace('|', '').split('\n'), line: row, col: (before.split('\n')[row] ?? '').indexOf('|') }
  for (const key of keys) {
    const outcome = vi.key(key, text)
    if (outcome?.kind === 'edit') text = { lines: outcome.lines, line: outcome.line, col: outcome.col }
    else if (outcome?.kind === 'move') text = { ...text, line: outcome.line, col: outcome.col }
    else if (!outcome) {
      const own = text.lines[text.line] ?? ''
      text = { ...text, lines: text.lines.with(text.line, own.slice(0, text.col) + key + own.slice(text.col)), col: text.col + key.length }
    }
  }
  return text.lines.map((line, i) => (i === text.line ? `${line.slice(0, text.col)}|${line.slice(text.col)}` : line)).join('\n')
}

describe('ViKeys', () => {
  it.each([
    ['ab|cd', 'h', 'a|bcd'], ['ab|cd', 'l', 'abc|d'], ['abc|d', 'l', 'abc|d'], ['ab|cd', '9h', '|abcd'],
    ['a|b\ncd', 'j', 'ab\nc|d'], ['ab\nc|d', 'k', 'a|b\ncd'], ['abc|d\ne', 'j', 'abcd\n|e'],
    ['  a|b', '0', '|  ab'], ['  a|b', '^', '  |ab'], ['|abc', '$', 'ab|c'],
    ['|foo.bar baz', 'w', 'foo|.bar baz'], ['|foo.bar baz', '3w', 'foo.bar |baz'], ['foo |bar\nbaz', 'w', 'foo bar\n|baz'],
    ['foo bar|', 'b', 'foo |bar'], ['foo |bar', 'b', '|foo bar'], ['foo\n|bar', 'b', '|foo\nbar'],
    ['|foo bar', 'e', 'fo|o bar'], ['fo|o bar', 'e', 'foo ba|r'], ['|a\nb\nc', 'G', 'a\nb\n|c'], ['a\nb\n|c', 'gg', '|a\nb\nc'], ['|a\nb\nc', '2G', 'a\n|b\nc'],
  ])('moves: %j by %s to %j', (before, keys, after) => {
    expect(run(before, keys)).toBe(after)
  })

  it.each([
    ['a|bc', 'x', 'a|c'], ['ab|c', 'x', 'a|b'], ['|abcd', '2x', '|cd'], ['ab|c', 'X', 'a|c'],
    ['|foo bar', 'dw', '|bar'], ['foo |bar\nbaz', 'dw', 'foo| \nbaz'], ['|a b c d', 'd2w', '|c d'], ['|a b c d', '2d2w', '|'],
    ['|foo bar', 'de', '| bar'], ['foo |bar', 'db', '|bar'], ['foo |bar', 'd0', '|bar'], ['fo|o bar', 'd$', 'f|o'], ['fo|o', 'D', 'f|o'],
    ['a\n|b\nc', 'dd', 'a\n|c'], ['a\n|b\nc', '2dd', '|a'], ['|only', 'dd', '|'], ['a\n|b\nc', 'dj', '|a'], ['a\nb\n|c', 'dgg', '|'], ['a\n|b\nc', 'dG', '|a'],
    ['|foo bar', 'cwnew', 'new| bar'], ['|foo bar', 'ccnew', 'new|'], ['foo |bar', 'Cx', 'foo x|'], ['a|bc', 'sXY', 'aXY|c'],
    ['a|b', 'iX', 'aX|b'], ['a|b', 'aX', 'abX|'], [' a|b', 'IX', ' X|ab'], ['|ab', 'AX', 'abX|'], ['|a\nb', 'oX', 'a\nX|\nb'], ['a\n|b', 'OX', 'a\nX|\nb'],
    ['|foo bar', 'yw$p', 'foo barfoo| '], ['|foo', 'yyp', 'foo\n|foo'], ['a\n|b', 'yyP', 'a\n|b\nb'], ['|ab', 'xp', 'b|a'], ['|ab', 'ddp', '\n|ab'],
    ['a|bc', 'rX', 'a|Xc'], ['|abc', '2rX', 'X|Xc'], ['|abc', '9rX', '|abc'], ['|ab', 'dzx', '|b'],
  ])('changes: %j by %s to %j', (before, keys, after) => {
    expect(run(before, keys)).toBe(after)
  })

  it('takes graphemes for characters', () => {
    expect([run('|👩‍👩‍👧e\u0301x', 'x'), run('|👩‍👩‍👧e\u0301x', 'l'), run('漢|字', 'X')]).toEqual(['|e\u0301x', '👩‍👩‍👧|e\u0301x', '|字'])
  })
})
