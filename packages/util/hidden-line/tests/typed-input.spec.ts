/** Over a stream that only says that it is a terminal; tests/e2e/hidden-lines.spec.ts stops and continues on a real one. */

import { createInterface } from 'node:readline'
import { describe, expect, it, vi } from 'vitest'
import { InputLane, TypedInput, type InputReader } from '../src/index.ts'
import { fakeTerminal } from './fake-terminal.ts'

function reader(onFeed?: (text: string) => void): InputReader & { got: string[] } {
  const got: string[] = []
  return {
    got,
    feed(text) {
      got.push(text)
      onFeed?.(text)
    },
    finish: () => void got.push('(end)'),
  }
}

describe('what is typed', () => {
  it('waits until somebody reads, and goes to whoever reads when its line begins', async () => {
    const stdin = fakeTerminal()
    using input = new TypedInput(stdin)
    await stdin.type('one\rtwo\rthr', 'ee')
    const second = reader()
    const first = reader(() => input.passTo(second))
    input.passTo(first)
    await stdin.type('\r')

    expect([first.got, second.got]).toEqual([['one\r'], ['two\r', 'three', '\r']])
  })

  it('has one end of a line where that comes in two pieces', async () => {
    const stdin = fakeTerminal()
    using input = new TypedInput(stdin)
    const second = reader()
    const first = reader(() => input.passTo(second))
    input.passTo(first)
    await stdin.type('one\r', '\ntwo\r')

    expect([first.got, second.got]).toEqual([['one\r'], ['two\r']])
  })

  it('ends for one reader after the other, behind all that was typed', async () => {
    const stdin = fakeTerminal({ isTTY: false })
    using input = new TypedInput(stdin)
    await stdin.type('one\ntwo')
    stdin.end()
    await new Promise(resolve => setImmediate(resolve))
    const [first, second] = [reader(() => input.passTo(undefined)), reader()]
    input.passTo(first)
    input.passTo(second)
    input.passTo(first)

    expect([first.got, second.got]).toEqual([['one\n', '(end)'], ['two', '(end)']])
  })

  it('is not read any more when it is closed', async () => {
    const stdin = fakeTerminal()
    const only = reader()
    const before = process.listenerCount('SIGCONT')
    {
      using input = new TypedInput(stdin)
      input.passTo(only)
      expect(process.listenerCount('SIGCONT')).toBe(before + 1)
    }
    await stdin.type('late\r')

    expect([only.got, stdin.isPaused(), process.listenerCount('SIGCONT')]).toEqual([[], true, before])
  })

  it('tells of an error to whoever listens', () => {
    const stdin = fakeTerminal()
    using input = new TypedInput(stdin)
    const told = vi.fn<(error: unknown) => void>()
    input.on('error', told)
    const error = new Error('gone')
    stdin.emit('error', error)

    expect(told).toHaveBeenCalledWith(error)
  })
})

describe('Ctrl-C while nobody reads', () => {
  it('interrupts at once, and throws away what was typed before it', async () => {
    const stdin = fakeTerminal()
    using input = new TypedInput(stdin)
    input.setRawMode(input, true)
    const interrupted = vi.fn<() => void>()
    input.on('interrupt', interrupted)
    await stdin.type('half\u0003next')
    const only = reader()
    input.passTo(only)

    expect([interrupted.mock.calls.length, only.got]).toEqual([1, ['next']])
  })

  it('is a character where it comes from a pipe', async () => {
    const stdin = fakeTerminal({ isTTY: false })
    using input = new TypedInput(stdin)
    const only = reader()
    await stdin.type('a\u0003b')
    input.passTo(only)

    expect(only.got.join('')).toBe('a\u0003b')
  })
})

describe('raw mode', () => {
  it('lasts as long as anybody wants it', () => {
    const stdin = fakeTerminal()
    using input = new TypedInput(stdin)
    const [one, two] = [{}, {}]
    input.setRawMode(one, true)
    input.setRawMode(two, true)
    input.setRawMode(one, true)
    input.setRawMode(one, false)
    expect(stdin.modes).toEqual([true])
    input.setRawMode(two, false)
    expect(stdin.modes).toEqual([true, false])
  })

  it('is set again when the process was stopped and goes on, which is told', () => {
    const stdin = fakeTerminal()
    const before = process.listeners('SIGCONT')
    using input = new TypedInput(stdin)
    const back = vi.fn<() => void>()
    input.on('back', back)
    input.setRawMode(input, true)
    for (const listener of process.listeners('SIGCONT')) if (!before.includes(listener)) listener('SIGCONT')

    expect([stdin.modes, back.mock.calls.length, stdin.isPaused()]).toEqual([[true, false, true], 1, false])
  })

  it('is given back when input is closed', () => {
    const stdin = fakeTerminal()
    {
      using input = new TypedInput(stdin)
      input.setRawMode(input, true)
    }
    expect(stdin.modes).toEqual([true, false])
  })
})

it('lets an editor of lines see what it gets at once, and not go on behind its line', async () => {
  const stdin = fakeTerminal()
  using input = new TypedInput(stdin)
  const lane = new InputLane(input)
  const editor = createInterface({ input: lane, terminal: true })
  const lines: string[] = []
  editor.on('line', line => {
    lines.push(line)
    input.passTo(undefined)
  })
  input.passTo(lane)
  await stdin.type('one\rtwo\rthree')
  expect([lines, editor.line, stdin.modes]).toEqual([['one'], '', [true]])

  input.passTo(lane)
  input.passTo(lane)
  expect([lines, editor.line]).toEqual([['one', 'two'], 'three'])
  editor.close()
  expect(stdin.modes).toEqual([true, false])
})
