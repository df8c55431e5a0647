import { expect, it } from 'vitest'
import { fingerprint } from '../src/index.ts'

it('is sixteen hex digits, the same for the same text', () => {
  for (const text of ['', 'a', 'é𝄞', 'x'.repeat(10_000)]) {
    expect(fingerprint(text)).toMatch(/^[0-9a-f]{16}$/)
    expect(fingerprint(`${text}`)).toBe(fingerprint(text))
  }
})

it('differs for texts that differ in a character, in order or in length', () => {
  const base = 'You are an agent. '.repeat(50)
  const texts = new Set<string>()
  for (let i = 0; i < base.length; i++) texts.add(`${base.slice(0, i)}#${base.slice(i + 1)}`).add(base.slice(0, i))
  for (let i = 0; i < 100_000; i++) texts.add(`tool ${i}`)
  expect(new Set([...texts].map(fingerprint)).size).toBe(texts.size)
  expect(new Set([...texts].map(text => fingerprint(text).slice(0, 8))).size).toBeGreaterThan(texts.size * 0.999)
  expect(new Set([...texts].map(text => fingerprint(text).slice(8))).size).toBeGreaterThan(texts.size * 0.999)
})
