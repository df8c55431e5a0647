/** Over streams that are no terminal or only say that they are; tests/e2e types on a real one. */

import { PassThrough } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { InputEnded, openLines, type LineReader } from '../src/line-reader.ts'

const NEVER = new AbortController().signal

interface Opened {
  lines: LineReader
  type(text: string): Promise<void>
  end(): Promise<void>
  shown(): string
}

function open({ isTTY = false } = {}): Opened {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()]
  if (isTTY) vi.stubEnv('TERM', 'xterm')
  for (const stream of [stdin, stderr]) Object.assign(stream, { isTTY, setRawMode: () => undefined, columns: 80 })
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

afterEach(() => void vi.unstubAllEnvs())

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

describe('a line behind which a secret may stand', () => {
  const precedesSecret = (line: string): boolean => line === '/login'

  it('is followed by nothing but the hidden question, and what another one gets is not what was typed ahead', async () => {
    const { lines, type, shown } = open({ isTTY: true })
    const command = lines.ask('> ', NEVER, { waits: true, precedesSecret })
    await type('/login\rsk-ahead\r')
    await command
    const choice = lines.ask('which: ', NEVER)
    await type('sk-more')
    await vi.waitFor(() => expect(shown()).toContain('thrown away: it may belong to the key.)\n'))
    await type('1\rsk-1\r')
    const key = lines.askHidden('key: ', NEVER)
    const later = lines.ask('sure? ', NEVER)
    await type('y\r')

    expect([await choice, await key]).toEqual(['1', 'sk-1'])
    lines.secretOver()
    await type('n\r')
    expect(await later).toBe('n')
    expect(shown()).not.toContain('sk-')
  })

  it('leaves the lines of a pipe to whoever asks next', async () => {
    const { lines, type } = open()
    await type('/login\n1\nsk-1\nhello\n')
    await lines.ask('> ', NEVER, { waits: true, precedesSecret })
    expect([await lines.ask('which: ', NEVER), await lines.askHidden('key: ', NEVER)]).toEqual(['1', 'sk-1'])
    lines.secretOver()
    expect(await lines.ask('> ', NEVER)).toBe('hello')
  })

  it('lets nothing behind it through when no hidden question comes', async () => {
    const { lines, type, shown } = open({ isTTY: true })
    const command = lines.ask('> ', NEVER, { waits: true, precedesSecret })
    await type('/login\r')
    await command
    lines.secretOver()
    const next = lines.ask('> ', NEVER, { waits: true, precedesSecret })
    await type('sk-late\r')
    await vi.waitFor(() => expect(shown()).toContain('thrown away'))
    await type('hello\r')

    expect(await next).toBe('hello')
    expect(shown()).not.toContain('sk-')
  })

  it('does not come back with a key when it is private', async () => {
    const { lines, type } = open({ isTTY: true })
    for (const [typed, line] of [['hello\r', 'hello'], ['/login sk-1\r', '/login sk-1'], ['\u001b[A\r', 'hello']] as const) {
      const asked = lines.ask('> ', NEVER, { isPrivate: each => each.includes('sk-') })
      await type(typed)
      expect(await asked).toBe(line)
    }
  })
})

describe('a hidden question', () => {
  it('is given up with its signal, and when the input ends', async () => {
    const { lines, type, end } = open({ isTTY: true })
    const stop = new AbortController()
    const first = lines.askHidden('key: ', stop.signal)
    const outer = lines.ask('> ', NEVER)
    await type('sk-half')
    stop.abort(new Error('stopped'))
    await expect(first).rejects.toThrow('stopped')
    await type('hello\r')
    expect(await outer).toBe('hello')

    const last = lines.askHidden('key: ', NEVER)
    await end()
    expect([await last, await lines.askHidden('key: ', NEVER)]).toEqual([undefined, undefined])
    await expect(lines.ask('> ', NEVER)).rejects.toThrow(InputEnded)
  })

  it('is given up when the lines are closed', async () => {
    const { lines } = open({ isTTY: true })
    const asked = lines.askHidden('key: ', NEVER)
    lines.close()
    expect(await asked).toBe(undefined)
  })
})
