import { describe, expect, it } from 'vitest'
import { hostOf, matchesDomain, readDomain } from '../src/index.ts'

describe('a rule about hosts', () => {
  it.each<[string, string, boolean]>([
    ['domain:example.org', 'https://example.org/a', true],
    ['domain:example.org', 'https://EXAMPLE.org./a', true],
    ['domain:example.org', 'https://www.example.org/', false],
    ['domain:example.org', 'https://example.org.evil.net/', false],
    ['domain:example.org', 'https://evil.net/example.org', false],
    ['domain:example.org', 'https://example.org@evil.net/', false],
    ['domain:*.example.org', 'https://www.example.org/', true],
    ['domain:*.example.org', 'https://example.org/', false],
    ['domain:*.example.org', 'https://badexample.org/', false],
    ['domain:bücher.example', 'https://xn--bcher-kva.example/', true],
  ])('%s, of %s: %s', (pattern, address, expected) => {
    const domain = readDomain(pattern)
    expect(domain && matchesDomain(domain, hostOf(address) ?? '')).toBe(expected)
  })

  it('knows no host of what is no address', () => {
    expect([hostOf('nonsense'), hostOf(undefined), hostOf(7)]).toEqual([undefined, undefined, undefined])
  })
})
