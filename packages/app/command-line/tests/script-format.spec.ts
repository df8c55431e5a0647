import { expect, it } from 'vitest'
import { scriptFormat } from '../src/index.ts'

it.each([
  [['-p', 'go', '--output-format', 'jsonl'], 'jsonl'],
  [['--output-format=stream-json', '--nonsense'], 'stream-json'],
  [['--output-format', 'jsonl', '--output-format', 'json'], 'json'],
  [['--output-format', 'text'], undefined],
  [['--output-format', 'xml'], undefined],
  [['--output-format'], undefined],
  [['-p', '--', '--output-format', 'jsonl'], undefined],
] as const)('finds in %j the format %s', (args, format) => {
  expect(scriptFormat(args)).toBe(format)
})
