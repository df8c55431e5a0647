import { expect, it } from 'vitest'
import { maskValue } from '../src/mask.ts'

it.each<[string, unknown, unknown, { env?: string; before?: unknown }?]>([
  ['apiKey', 's', '********'],
  ['dbPass', 's', '********'],
  ['env.GH_PAT', 's', '********'],
  ['passphrase', 's', '********'],
  ['headers.X-Anything', 's', '********'],
  ['value', 's', '********', { env: 'GH_TOKEN' }],
  ['args.1', 's', '********', { before: '--token' }],
  ['args.1', 's', 's', { before: '--verbose' }],
  ['path', 'compass/pattern', 'compass/pattern'],
  ['maxTokens', 5, 5],
  ['keyless', false, false],
  ['dsn', 'mysql://root:p@ss@host/db', 'mysql://********@host/db'],
  ['url', 'https://host/v1?a=1&api_key=s&sig=s#x', 'https://host/v1?a=1&api_key=********&sig=********#x'],
  ['url', 'https://host/@scope/name', 'https://host/@scope/name'],
  ['command', 'run --token=s PASSWORD=s --level=3', 'run --token=******** PASSWORD=******** --level=3'],
  ['note', 'Authorization: Bearer s', 'Authorization: Bearer ********'],
])('shows %s %j as %j', (path, value, shown, surroundings) => {
  expect(maskValue(path, value, surroundings)).toBe(shown)
})
