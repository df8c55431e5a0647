import { expect, it } from 'vitest'
import { redactValues, secretValues } from '../src/index.ts'

it('collects the values of secret variables, longest first', () => {
  expect(secretValues({ GH_TOKEN: 't-CCC', DEEPSEEK_API_KEY: 'sk-test-AAA', SIGNING_KEY: '/srv/me-1' })).toEqual(['sk-test-AAA', 't-CCC'])
})

it('leaves out values that innocent text may contain', () => {
  const env = { A_KEY: '1', B_TOKEN: 'true', C_SECRET: 'disabled', D_KEY: '/etc/key.pem', E_AUTH: 'https://auth.example', AUTH_METHOD: 'api-key', F_KEY: '4096', G_KEY: undefined }
  expect(secretValues(env)).toEqual([])
})

it('replaces every value in a text', () => {
  expect(redactValues('a=sk-test-AAA b=sk-test-AAA-long c=x', ['sk-test-AAA-long', 'sk-test-AAA'])).toBe('a=[redacted] b=[redacted] c=x')
})
