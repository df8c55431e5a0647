import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { fillTemplate, parseCommandFile } from '../src/parse-command-file.ts'

describe('a command file', () => {
  it.each([
    ['---\ndescription: Look it over\nargument-hint: "[PATH]"\n---\n\nReview $1\n', { description: 'Look it over', argumentHint: '[PATH]', template: 'Review $1' }],
    ['---\r\nargument-hint: [a, b]\r\n---\r\nBody', { description: 'Body', argumentHint: '[a, b]', template: 'Body' }],
    ['# Fix the tests\n\nAll of them.', { description: 'Fix the tests', template: '# Fix the tests\n\nAll of them.' }],
    ['a\n---\nb', { description: 'a', template: 'a\n---\nb' }],
  ])('is read: %j', (text, file) => {
    expect(parseCommandFile(text, parse)).toEqual(file)
  })

  it.each(['---\n- a list\n---\nx', '---\n: : :\n  bad\n---\nx', '', ' \n', '---\ndescription: x\n---\n'])('with a broken head or no text is refused: %j', text => {
    expect(() => parseCommandFile(text, parse)).toThrow(/map|Nested|no text/)
  })
})

describe('arguments', () => {
  it.each([
    ['fix $ARGUMENTS now', 'a "b c"', 'fix a "b c" now'],
    ['$2 before $1', 'one "two words"', 'two words before one'],
    ["$1|$3", "'a b' c", 'a b|'],
    ['costs $10', 'x', 'costs $10\n\nx'],
    ['no place', 'extra words', 'no place\n\nextra words'],
    ['no place', '  ', 'no place'],
    ['$1', '$ARGUMENTS', '$ARGUMENTS'],
  ])('%j with %j makes %j', (template, args, message) => {
    expect(fillTemplate(template, args)).toBe(message)
  })
})
