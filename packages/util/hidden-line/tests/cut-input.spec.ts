import { expect, it } from 'vitest'
import { cutInput } from '../src/cut-input.ts'

it.each([
  ['a', ['a', '']],
  ['', ['', '']],
  ['a\rb\r', ['a\r', 'b\r']],
  ['a\nb', ['a\n', 'b']],
  ['a\r\nb', ['a\r\n', 'b']],
  ['a\r\rb', ['a\r', '\rb']],
  ['a\u2028b', ['a\u2028', 'b']],
  ['a\u2029b', ['a\u2029', 'b']],
  ['a\u0003b', ['a\u0003', 'b']],
  ['\u0004b', ['\u0004', 'b']],
  ['\u001ab', ['\u001a', 'b']],
])('cuts %j behind whatever may end a question', (text, parts) => {
  expect(cutInput(text)).toEqual(parts)
})
