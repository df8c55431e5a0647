import { expect, it } from 'vitest'
import { createMask, maskDeep } from '../src/index.ts'

const mask = createMask({ MY_API_KEY: 's3cr3t-value', HOME: '/me', PATH: '/bin' })

it.each([
  ['it is s3cr3t-value, twice: s3cr3t-value', 'it is [redacted], twice: [redacted]'],
  ['sk-proj-abcdef0123456789 and ghp_abcdefghijklmnopqrst0123', '[redacted] and [redacted]'],
  ['AKIAABCDEFGHIJKLMNOP', '[redacted]'],
  ['eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.SflKxwRJSMeKKF2QT4', '[redacted]'],
  ['a\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\nb', 'a\n[redacted]\nb'],
  ['-----BEGIN PRIVATE KEY-----\ncut off', '[redacted]'],
  ['Authorization: Bearer abcdef.ghijkl_123', 'Authorization: Bearer [redacted]'],
  ['postgres://me:hunter2@db/x', 'postgres://me:[redacted]@db/x'],
  ['export DB_PASSWORD=correcthorse', 'export DB_PASSWORD=[redacted]'],
  ['{"api_key": "abc123def", "n": 1}', '{"api_key": "[redacted]", "n": 1}'],
  ['{\\"token\\":\\"abc123def\\"}', '{\\"token\\":\\"[redacted]\\"}'],
  ['password: hunter22', 'password: [redacted]'],
  ['input_tokens: 123456, const token = readToken()', 'input_tokens: 123456, const token = readToken()'],
  ['MONKEY=banana1 AUTHOR=someone1 key = value', 'MONKEY=banana1 AUTHOR=someone1 key = value'],
  ['TOKEN=$OTHER and task-12345678901234', 'TOKEN=$OTHER and task-12345678901234'],
])('%j is shown as %j', (text, shown) => {
  expect(mask(text)).toBe(shown)
})

it('goes through all texts of plain data and leaves keys, numbers and the original alone', () => {
  const data = { 'sk-key-0123456789abc': ['sk-key-0123456789abc', 1, null, { deep: 's3cr3t-value' }] }
  expect(maskDeep(data, mask)).toEqual({ 'sk-key-0123456789abc': ['[redacted]', 1, null, { deep: '[redacted]' }] })
  expect(data['sk-key-0123456789abc'][0]).toBe('sk-key-0123456789abc')
})
