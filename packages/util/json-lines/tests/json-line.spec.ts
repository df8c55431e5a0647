import { expect, it } from 'vitest'
import { jsonLine } from '../src/index.ts'

it('writes one line of ASCII line ends, whatever is in it', () => {
  expect(jsonLine({ a: 'b\nc\r\u2028d\u2029e' })).toBe('{"a":"b\\nc\\r\\u2028d\\u2029e"}\n')
})

it('writes lone surrogates so that they survive UTF-8', () => {
  const text = `x\uD800y\uDC00z😀`
  const line = jsonLine(text)
  expect(Buffer.from(line).toString('utf8')).toBe(line)
  expect(JSON.parse(line)).toBe(text)
})
