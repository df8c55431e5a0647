import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { EarlyLines } from '../src/early-lines.ts'

function open(isHeld: boolean) {
  const stderr = new PassThrough()
  const passed: string[] = []
  let written = ''
  stderr.write = ((text: string) => {
    written += text
    return true
  }) as typeof stderr.write
  return { lines: new EarlyLines(stderr, isHeld), passed, written: () => written }
}

it('writes at once where nothing is to be held', () => {
  const { lines, written } = open(false)
  lines.tell('1')
  expect(written()).toBe('1')
})

it('holds lines, hands them over in order, and what comes later too', () => {
  const { lines, passed, written } = open(true)
  lines.tell('1')
  lines.tell('2')
  expect(written()).toBe('')
  lines.passTo(text => void passed.push(text))
  lines.tell('3')
  expect([passed, written()]).toEqual([['1', '2', '3'], ''])
})

it('loses nothing when nobody takes them', () => {
  const { lines, written } = open(true)
  lines.tell('1')
  lines[Symbol.dispose]()
  lines.tell('2')
  expect(written()).toBe('12')
})
