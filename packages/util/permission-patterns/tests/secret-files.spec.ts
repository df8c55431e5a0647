import { expect, it } from 'vitest'
import { whySecret } from '../src/index.ts'

it.each(['/w/.env', '/w/.env.local', '/w/a/.ENV', '/w/prod.env', '/w/id_rsa', '/h/.ssh/config', '/h/.aws/credentials', '/w/server.pem', '/w/tls.key', '/h/.config/gh/hosts.yml', '/h/.netrc', '/proc/self/environ', '/etc/shadow', '/w/service-account-1.json'])('%s is known to hold secrets', path => {
  expect(whySecret(path)).toBeDefined()
})

it.each(['/w/.env.example', '/w/.env.sample', '/w/environ.ts', '/h/.ssh/id_rsa.pub', '/h/.ssh/known_hosts', '/w/env.ts', '/w/keys.ts', '/w/monkey', '/w/package.json', '/w/src/credentials.ts'])('%s is not', path => {
  expect(whySecret(path)).toBeUndefined()
})
