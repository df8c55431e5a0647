/** The entry for the registry of agents names what is packed. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../..')

function read(file: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown>
}

it('names the version of the program, the package that is published, and an icon of 16 by 16', () => {
  const { version } = read('packages/app/dsh/package.json')
  const published = /name: '(@deepseek-ai\/dsh)'/.exec(readFileSync(join(root, 'scripts/pack.ts'), 'utf8'))?.[1]

  expect(read('docs/acp-registry/agent.json')).toEqual({
    id: 'dsh',
    name: 'dsh',
    version,
    description: expect.stringMatching(/\S/),
    authors: ['DeepSeek'],
    license: 'MIT',
    icon: 'icon.svg',
    distribution: { npx: { package: `${published}@${String(version)}`, args: ['acp'] } },
  })
  expect(readFileSync(join(root, 'docs/acp-registry/icon.svg'), 'utf8')).toMatch(/^<svg [^>]*width="16" height="16"/)
})
