import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const FRAMEWORK = [
  '@deepseek-ai/cordis',
  '@deepseek-ai/cordis-plugin-group',
  '@deepseek-ai/cordis-plugin-hmr',
  '@deepseek-ai/cordis-plugin-include',
  '@deepseek-ai/cordis-plugin-loader',
  '@deepseek-ai/cordis-plugin-timer',
  '@deepseek-ai/cosmokit',
  '@deepseek-ai/schemastery',
]

/** Keys of the section are `'<name>@<version>(<peers>)':` at two spaces; each is one installed instance. */
function instances(lockfile: string, name: string): string[] {
  const section = lockfile.slice(lockfile.lastIndexOf('\nsnapshots:\n'))
  return section.split('\n').flatMap(line => {
    const key = /^ {2}'([^']+)':/.exec(line)?.[1]
    return key?.startsWith(`${name}@`) === true ? [key] : []
  })
}

it('installs exactly one instance of each framework package', async () => {
  const lockfile = await readFile(new URL('../../../pnpm-lock.yaml', import.meta.url), 'utf8')

  const counts = Object.fromEntries(FRAMEWORK.map(name => [name, instances(lockfile, name).length]))

  expect(counts).toEqual(Object.fromEntries(FRAMEWORK.map(name => [name, 1])))
})
