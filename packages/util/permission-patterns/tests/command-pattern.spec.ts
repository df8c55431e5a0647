import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactCommand, matchesCommand, readCommandPattern } from '../src/index.ts'

function matches(pattern: string, ...words: string[]): boolean {
  const read = readCommandPattern(pattern)
  if (!read) throw new Error(`${pattern} is no pattern`)
  return matchesCommand(read, words)
}

describe('a pattern of commands', () => {
  it.each<[string, string[], boolean]>([
    ['git diff *', ['git', 'diff'], true],
    ['git diff *', ['git', 'diff', '--stat', 'a b'], true],
    ['git diff *', ['git', 'difftool'], false],
    ['git diff *', ['git', 'log', 'diff'], false],
    ['git diff:*', ['git', 'diff', 'x'], true],
    ['git diff:*', ['git', 'difftool'], false],
    ['git diff', ['git', 'diff', 'x'], false],
    ['git diff', ['git diff'], false],
    ['git *', ['git'], true],
    ['git*', ['gitk'], true],
    ['npm run lint*', ['npm', 'run', 'lint:fix'], true],
    ['npm * test', ['npm', '-w', 'a', 'test'], true],
    ['*', ['rm', 'x'], true],
    ['* --help', ['rm', '--help'], true],
    ['git commit -m "a b"', ['git', 'commit', '-m', 'a b'], true],
    ['git commit -m "a b"', ['git', 'commit', '-m', 'a', 'b'], false],
    ["echo 'a\"b'", ['echo', 'a"b'], true],
    ['echo \\*', ['echo', '*'], true],
    ['echo \\*', ['echo', 'x'], false],
    ['echo ""', ['echo', ''], true],
    ['npm test', ['npm', 'tesT'], false],
    ['npm t.st', ['npm', 'test'], false],
    ['npm [t]est', ['npm', 'test'], false],
    ['npm test|x', ['npm', 'test'], false],
    ['a\nb', ['a', 'b'], true],
  ])('%j over %j: %s', (pattern, words, expected) => {
    expect(matches(pattern, ...words)).toBe(expected)
  })

  it('is none while a quotation mark is open', () => {
    expect(readCommandPattern('echo "a')).toBeUndefined()
    expect(readCommandPattern("echo 'a")).toBeUndefined()
  })

  it('made for a command matches that and no other', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '*', '\\', '"', "'", ' ', ':', '.', '[', '(', ')', '$', '|', '#'), maxLength: 6 })
    const command = fc.array(word, { minLength: 1, maxLength: 5 })
    fc.assert(fc.property(command, command, (one, other) => {
      expect(matches(exactCommand(one), ...one)).toBe(true)
      expect(matches(exactCommand(one), ...other)).toBe(one.join('\0') === other.join('\0'))
    }), { numRuns: 2000 })
  })

  it('made open for a command takes anything behind it', () => {
    expect(exactCommand(['git', 'add'], true)).toBe('git add *')
  })
})
