/** Signals are emitted on `process` here; tests/e2e sends real ones. */

import { afterEach, describe, expect, it, vi } from 'vitest'
import { forwardSignals } from '../src/forward-signals.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

/** What was passed on, and the codes with which the process would have ended. */
function watch(options: { tolerated: number; withinMs: number }) {
  const passed: string[] = []
  const codes: (number | string | null | undefined)[] = []
  vi.spyOn(process, 'exit').mockImplementation(code => {
    codes.push(code)
    throw new Error('the process ends')
  })
  const forwarding = forwardSignals({ pass: signal => void passed.push(signal), ...options })
  const send = (signal: NodeJS.Signals): void => {
    try {
      process.emit(signal)
    } catch (error) {
      expect(error).toEqual(new Error('the process ends'))
    }
  }
  return { passed, codes, send, [Symbol.dispose]: () => forwarding[Symbol.dispose]() }
}

describe('signals', () => {
  it.each([['SIGINT', 130], ['SIGTERM', 143], ['SIGHUP', 143]] as const)('are passed on once, and a second %s ends the process with %d', (signal, code) => {
    using watched = watch({ tolerated: 1, withinMs: Infinity })
    watched.send('SIGINT')
    watched.send(signal)

    expect(watched).toMatchObject({ passed: ['SIGINT'], codes: [code] })
  })

  it('that would drop the process where it stands mean its end as well', () => {
    using watched = watch({ tolerated: 1, withinMs: Infinity })
    watched.send('SIGQUIT')
    watched.send('SIGQUIT')

    expect(watched).toMatchObject({ passed: ['SIGTERM'], codes: [143] })
  })

  it('count anew when the last one is long ago', async () => {
    using watched = watch({ tolerated: 1, withinMs: 20 })
    watched.send('SIGINT')
    await new Promise(resolve => setTimeout(resolve, 40))
    watched.send('SIGINT')

    expect(watched).toMatchObject({ passed: ['SIGINT', 'SIGINT'], codes: [] })
  })

  it.each([['SIGTERM', [143]], ['SIGHUP', [143]], ['SIGINT', []]] as const)('%s leaves a front door ten seconds to come to an end: %j', (signal, codes) => {
    vi.useFakeTimers()
    using watched = watch({ tolerated: 1, withinMs: Infinity })
    watched.send(signal)
    vi.advanceTimersByTime(9_900)
    expect(watched.codes).toEqual([])
    const isOver = (): unknown => vi.advanceTimersByTime(200)
    if (codes.length > 0) expect(isOver).toThrow('the process ends')
    else isOver()

    expect(watched.codes).toEqual(codes)
  })

  it('end nothing after disposal', () => {
    vi.useFakeTimers()
    const watched = watch({ tolerated: 1, withinMs: Infinity })
    watched.send('SIGTERM')
    watched[Symbol.dispose]()
    vi.advanceTimersByTime(20_000)

    expect(watched.codes).toEqual([])
  })

  it('are not listened to any more after disposal', () => {
    const before = process.listenerCount('SIGINT')
    const watched = watch({ tolerated: 1, withinMs: 20 })
    expect(process.listenerCount('SIGINT')).toBe(before + 1)
    watched[Symbol.dispose]()

    expect(process.listenerCount('SIGINT')).toBe(before)
  })
})
