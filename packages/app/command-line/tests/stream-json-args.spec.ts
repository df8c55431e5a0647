import { expect, it } from 'vitest'
import { parseCommandLine } from '../src/index.ts'

const STREAM = ['--output-format', 'stream-json', '--input-format', 'stream-json']

it('takes what wrappers of Claude Code pass', () => {
  const line = parseCommandLine([...STREAM, '--verbose', '--model=offline', '--permission-prompt-tool=stdio', '--setting-sources='])
  expect(line).toEqual(parseCommandLine([...STREAM, '--verbose', '--model', 'offline']))
})

it.each([['default', 'ask'], ['acceptEdits', 'ask'], ['plan', 'read-only'], ['bypassPermissions', 'auto'], ['read-only', 'read-only']])('reads --permission-mode %s as --permission %s', (mode, permission) => {
  expect(parseCommandLine([...STREAM, '--permission-mode', mode]).permission).toBe(permission)
})

it('reads --dangerously-skip-permissions as no more than --permission auto', () => {
  expect(parseCommandLine([...STREAM, '--dangerously-skip-permissions', 'go'])).toMatchObject({ permission: 'auto', prompt: 'go' })
})

it('leaves a prompt alone, and knows them with no other format', () => {
  expect(parseCommandLine([...STREAM, '-p', '--', '--setting-sources']).prompt).toBe('--setting-sources')
  expect(() => parseCommandLine(['--output-format', 'jsonl', '--setting-sources='])).toThrow('there is no option --setting-sources')
  expect(() => parseCommandLine([...STREAM, '--permission-prompt-tool', 'mcp__x'])).toThrow('only stdio is known')
})
