import { expect, it } from 'vitest'
import { isHarmlessSetting, parseYaml } from '../src/index.ts'

async function harmless(row: string, path: string, yaml: string): Promise<boolean> {
  const { root } = await parseYaml(yaml, 'settings.yml')
  if (root === undefined) throw new Error('nothing to judge')
  return isHarmlessSetting(row, path.split('.'), root)
}

it.each([
  ['web-fetch-local', 'timeoutMs', '5', true],
  ['ui-repl', 'theme', 'dark', true],
  ['tool-todo', 'labels', '[a, b]', true],
  ['llm-deepseek', 'baseUrl', 'https://example.org', false],
  ['llm-deepseek', 'apiKey', 'x', false],
  ['llm-deepseek', 'headers.x', 'x', false],
  ['web-fetch-local', 'allowHosts', '[localhost]', false],
  ['permission-rules', 'limit', '1', false],
  ['bash-local', 'timeoutMs', '1', false],
  ['mcp', 'retries', '1', false],
  ['ui-repl', 'theme', '!env HOME', false],
  ['ui-repl', 'theme', '[!env HOME]', false],
  ['ui-repl', 'theme', '!!js 1', false],
  ['ui-repl', 'commands', '[a]', false],
])('judges %s %s: %s as harmless: %s', async (row, path, yaml, expected) => {
  expect(await harmless(row, path, yaml)).toBe(expected)
})
