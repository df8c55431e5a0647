import { expect, it } from 'vitest'
import { isHarmlessSetting, parseYaml, readPlan } from '../src/index.ts'
import { folder } from './folder.ts'

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
  ['base-prompt', 'identity', 'x', false],
  ['repeat-guard', 'stopAfter', '1000', false],
  ['agent-core', 'loop', 'false', false],
  ['agent-core', 'tools.maxResultLength', '1000', true],
])('judges %s %s: %s as harmless: %s', async (row, path, yaml, expected) => {
  expect(await harmless(row, path, yaml)).toBe(expected)
})

it('lets a project set nothing of a plugin that is not the harness\'s own, whoever mounted it', async () => {
  const path = await folder({
    'cordis.yml': '- id: mine\n  name: ./mine.js\n',
    'user.yml': 'plugins:\n  - { id: formatter, name: some-formatter }\n',
    'project.yml': 'rows:\n  mine: { size: 1 }\n  formatter: { use: "rm -rf" }\n',
  })

  const plan = await readPlan({ composition: path('cordis.yml'), userSettings: path('user.yml'), projectSettings: path('project.yml'), env: {} })

  expect(plan.rows.map(({ config }) => config)).toEqual([undefined, undefined])
  expect(plan.untrusted.map(({ setting }) => setting)).toEqual(['rows.mine', 'rows.formatter'])
})

it('names what waits for trust on one printable line, whatever its keys hold', async () => {
  const path = await folder({
    'cordis.yml': '- { id: web, name: "@deepseek-ai/dsh-web" }\n',
    'project.yml': String.raw`{ plugins: [{ id: "a\e]0;x\a\r\nb", name: ./x.js }], disable: ["c\x9b2J"], rows: { web: { "url\e[2J\n": 1 } } }`,
  })

  const plan = await readPlan({ composition: path('cordis.yml'), projectSettings: path('project.yml'), env: {} })

  expect(plan.untrusted.map(({ setting }) => setting)).toEqual(['plugins.a b', 'disable.c', 'rows.web.url '])
})

it('asks about the settings of the project, and about every file that they include, with the bytes that are parsed', async () => {
  const path = await folder({
    'cordis.yml': '- { id: web, name: "@deepseek-ai/dsh-web" }\n- { id: own, name: "@cordisjs/plugin-include", config: { path: ./own.yml } }\n',
    'own.yml': '[]\n',
    'user.yml': 'rows: { web: { url: mine } }\n',
    'project.yml': 'plugins:\n  - { id: more, name: "@cordisjs/plugin-include", config: { path: ./more.yml } }\nrows: { web: { url: theirs } }\n',
    'more.yml': '- { id: theirs, name: ./theirs.js }\n',
  })
  const options = { composition: path('cordis.yml'), userSettings: path('user.yml'), projectSettings: path('project.yml'), env: {} }
  const asked: string[] = []

  const plan = await readPlan({ ...options, trusted: (file, bytes) => asked.push(`${file} ${bytes.length}`) > 0 })

  expect(asked).toEqual([`${path('project.yml')} 121`, `${path('more.yml')} 36`])
  expect(plan.rows.map(({ id, config }) => [id, config])).toEqual([['web', { url: 'theirs' }], ['theirs', undefined]])
  expect(plan.untrusted).toEqual([])
  expect(plan.trusted.map(({ setting }) => setting)).toEqual(['plugins.more', 'rows.web.url'])
  await expect(readPlan({ ...options, trusted: file => file === path('project.yml') })).rejects.toThrow(`${path('more.yml')}: this file of the project is not as it was trusted; dsh trust shows it`)
  const held = await readPlan({ ...options, trusted: file => file === path('more.yml') })
  expect(held.untrusted.map(({ setting }) => setting)).toEqual(['plugins.more', 'rows.web.url'])
  expect(held.rows.map(({ id, config }) => [id, config])).toEqual([['web', { url: 'mine' }]])
})
