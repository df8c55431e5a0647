/** Over streams that are no terminal; tests/e2e types on a real one. */

import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { InputEnded, openLines, type LineReader } from '../src/line-reader.ts'

const NEVER = new AbortController().signal

interface Opened {
  lines: LineReader
  type(text: string): Promise<void>
  end(): Promise<void>
  shown(): string
}

function open(): Opened {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  let shown = ''
  stderr.on('data', chunk => (shown += String(chunk)))
  return {
    lines: openLines({ stdin, stdout, stderr }),
    async type(text) {
      stdin.write(text)
      await new Promise(resolve => setImmediate(resolve))
    },
    async end() {
      stdin.end()
      await new Promise(resolve => setImmediate(resolve))
    },
    shown: () => shown,
  }
}

describe('lines', () => {
  it('come one for each question, with its prompt on stderr', async () => {
    const { lines, type, shown } = open()
    const first = lines.ask('one> ', NEVER)
    await type('a\n')
    const second = lines.ask('Two lines\ntwo> ', NEVER)
    await type('b\r\n')

    expect([await first, await second]).toEqual(['a', 'b'])
    expect(shown()).toBe('one> Two lines\ntwo> ')
  })

  it('that were typed before anybody asked are kept in order', async () => {
    const { lines, type } = open()
    await type('a\nb\nc\n')

    expect([await lines.ask('', NEVER), await lines.ask('', NEVER), await lines.ask('', NEVER)]).toEqual(['a', 'b', 'c'])
  })

  it('go to the question that was asked last, and then to the one before', async () => {
    const { lines, type } = open()
    const outer = lines.ask('> ', NEVER)
    const inner = lines.ask('sure? ', NEVER)
    await type('y\nhello\n')

    expect([await inner, await outer]).toEqual(['y', 'hello'])
  })

  it('leave a question that was given up, and go to the other one', async () => {
    const { lines, type } = open()
    const outer = lines.ask('> ', NEVER)
    const stop = new AbortController()
    const inner = lines.ask('sure? ', stop.signal)
    stop.abort(new Error('stopped'))
    await expect(inner).rejects.toThrow('stopped')
    await type('hello\n')

    expect(await outer).toBe('hello')
    await expect(lines.ask('again? ', stop.signal)).rejects.toThrow('stopped')
  })

  it('end every question when the input ends, and those that come later', async () => {
    const { lines, end } = open()
    const asked = [lines.ask('> ', NEVER), lines.ask('sure? ', NEVER)]
    const outcomes = Promise.allSettled(asked)
    await end()

    expect((await outcomes).map(outcome => outcome.status === 'rejected' && outcome.reason instanceof InputEnded)).toEqual([true, true])
    await expect(lines.ask('> ', NEVER)).rejects.toThrow(InputEnded)
  })

  it('can still be read when they came before the end', async () => {
    const { lines, type, end } = open()
    await type('last\n')
    await end()

    expect(await lines.ask('> ', NEVER)).toBe('last')
    await expect(lines.ask('> ', NEVER)).rejects.toThrow(InputEnded)
  })

  it('hide their prompt while others write, and show it afterwards', async () => {
    const { lines, shown } = open()
    const asked = lines.ask('> ', NEVER)
    lines.hold()
    lines.print('between\n')
    lines.release()
    lines.release()
    lines.close()
    await expect(asked).rejects.toThrow(InputEnded)

    expect(shown()).toBe('> between\n> ')
    expect(lines.clearTyped()).toBe(false)
  })
})
