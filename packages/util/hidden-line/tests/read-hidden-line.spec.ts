import { describe, expect, it, vi } from 'vitest'
import { discardInput, readHiddenLine, TypedInput } from '../src/index.ts'
import { fakeTerminal } from './fake-terminal.ts'

const NEVER = new AbortController().signal

describe('a hidden question', () => {
  it('is asked once the terminal shows nothing, and takes one line, which can be edited', async () => {
    const stdin = fakeTerminal()
    using input = new TypedInput(stdin)
    const told: unknown[] = []
    const answer = readHiddenLine(input, { ask: () => told.push(`asked, raw ${stdin.modes.at(-1)}`), over: () => told.push('over') })
    await stdin.type('sk-wrong\u0015', 'sk-1x\u007f', '23\r')

    expect([await answer, told, stdin.modes]).toEqual([{ line: 'sk-123', hasMore: false }, ['asked, raw true', 'over'], [true, false]])
  })

  it('takes what was typed before it, and throws away what comes right behind its answer', async () => {
    const stdin = fakeTerminal()
    using input = new TypedInput(stdin)
    await stdin.type('sk-1\rsk-2\rsk')
    const answer = readHiddenLine(input, { ask: () => undefined })
    await stdin.type('-3\r')
    await new Promise(resolve => setTimeout(resolve, 250))
    await stdin.type('sk-4\r')
    await new Promise(resolve => setTimeout(resolve, 250))
    expect(stdin.modes).toEqual([true])
    expect([await answer, stdin.modes]).toEqual([{ line: 'sk-1', hasMore: true }, [true, false]])

    await stdin.type('hello\r')
    const got: string[] = []
    input.passTo({ feed: text => void got.push(text), finish: () => undefined })
    expect(got).toEqual(['hello\r'])
  })

  it('cannot be answered with lines, cuts or changes of others, and leaves none of its own', async () => {
    const stdin = fakeTerminal()
    using input = new TypedInput(stdin)
    for (const [typed, line] of [['sk-1\u0015sk-2\r', 'sk-2'], ['\u001b[A\u0019\u001f\u001by\r', '']] as const) {
      const answer = readHiddenLine(input, { ask: () => undefined })
      await stdin.type(typed)
      expect(await answer).toEqual({ line, hasMore: false })
    }
  })

  it.each([['Ctrl-C', 'sk-1\u0003'], ['Ctrl-D', '\u0004']])('is given up on %s', async (_what, keys) => {
    const stdin = fakeTerminal()
    using input = new TypedInput(stdin)
    const answer = readHiddenLine(input, { ask: () => undefined })
    await stdin.type(keys)

    expect(stdin.modes).toEqual([true])
    expect([await answer, stdin.modes]).toEqual([{ line: undefined, hasMore: false }, [true, false]])
  })

  it.each([['', undefined], ['sk-1', 'sk-1'], ['sk-1\nhello\n', 'sk-1']])('takes a line of a pipe, and leaves what follows: %j', async (text, line) => {
    const stdin = fakeTerminal({ isTTY: false })
    using input = new TypedInput(stdin)
    stdin.end(text)
    expect(await readHiddenLine(input, { ask: () => undefined })).toEqual({ line, hasMore: false })

    const got: string[] = []
    input.passTo({ feed: more => void got.push(more), finish: () => void got.push('(end)') })
    await new Promise(resolve => setImmediate(resolve))
    expect(got).toEqual([...(text.includes('hello') ? ['hello\n'] : []), '(end)'])
  })

  it('ends with an abort, also while it throws away, and gives the terminal back', async () => {
    const over = vi.fn<() => void>()
    for (const keys of ['half', 'whole\rmore\r']) {
      const stdin = fakeTerminal()
      using input = new TypedInput(stdin)
      const stop = new AbortController()
      const answer = readHiddenLine(input, { ask: () => undefined, over, signal: stop.signal })
      await stdin.type(keys)
      stop.abort(new Error('stopped'))
      await expect(answer).rejects.toThrow('stopped')
      expect(stdin.modes).toEqual([true, false])
      await expect(readHiddenLine(input, { ask: over, signal: stop.signal })).rejects.toThrow('stopped')
    }
    expect(over).toHaveBeenCalledTimes(2)
  })

  it('is asked again when the process was stopped and goes on', async () => {
    const stdin = fakeTerminal()
    using input = new TypedInput(stdin)
    const ask = vi.fn<() => void>()
    const answer = readHiddenLine(input, { ask })
    input.emit('back')
    await stdin.type('sk-1\r')
    await answer
    input.emit('back')

    expect(ask).toHaveBeenCalledTimes(2)
  })
})

describe('throwing away', () => {
  it('says nothing of blanks', async () => {
    const stdin = fakeTerminal()
    using input = new TypedInput(stdin)
    await stdin.type('\r \r')
    expect(await discardInput(input, NEVER)).toBe(false)
  })

  it('does not keep Ctrl-C from whoever listens for it', async () => {
    const stdin = fakeTerminal()
    using input = new TypedInput(stdin)
    const interrupted = vi.fn<() => void>()
    input.on('interrupt', interrupted)
    const over = discardInput(input, NEVER)
    await stdin.type('sk-1\u0003', '\u0003')

    expect([await over, interrupted.mock.calls.length]).toEqual([true, 2])
  })

  it('takes one line of a pipe, waits for it only a while, and leaves the others', async () => {
    const stdin = fakeTerminal({ isTTY: false })
    using input = new TypedInput(stdin)
    await stdin.type('sk-1\nhello\n')
    expect(await discardInput(input, NEVER)).toBe(true)
    const got: string[] = []
    input.passTo({ feed: text => void got.push(text), finish: () => undefined })
    expect(got).toEqual(['hello\n'])
    expect(await discardInput(input, NEVER)).toBe(false)
  })
})
