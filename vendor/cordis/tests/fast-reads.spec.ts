import { Service, type Context } from 'cordis'
import { createRoot } from 'cordis/host'
import { describe, expect, it } from 'vitest'

declare module 'cordis' {
  interface Context {
    probe: Probe
    absent: unknown
  }
}

class Probe extends Service {
  static readonly provide = 'probe'

  constructor(ctx: Context) {
    super(ctx, 'probe')
  }

  /** Services see the context of their caller. */
  caller(): string {
    return this.ctx.fiber.name
  }
}

/** What reading `ctx.probe` gives inside a plugin: the caller it sees, or the message of the error. */
async function readIn(root: Context, inject: string[], read: (ctx: Context) => unknown): Promise<unknown> {
  let result: unknown
  await root.plugin({
    name: 'reader',
    inject,
    apply(ctx: Context) {
      try {
        result = read(ctx)
      } catch (error) {
        result = (error as Error).message
      }
    },
  })
  return result
}

describe('reads through a context', () => {
  it('give an injected service, seen from the caller', async () => {
    const root = createRoot()
    await root.plugin(Probe)

    expect(await readIn(root, ['probe'], ctx => ctx.probe.caller())).toBe('reader')
    await root.fiber.dispose()
  })

  it('refuse a service that is not injected, with the sentence of the framework', async () => {
    const root = createRoot()
    await root.plugin(Probe)

    expect(await readIn(root, [], ctx => ctx.probe)).toBe('cannot get property "probe" without inject')
    expect(await readIn(root, [], ctx => ctx.absent)).toBe('cannot get property "absent" without inject')
    await root.fiber.dispose()
  })

  it('go by the isolation of the scope', async () => {
    const root = createRoot()
    await root.plugin(Probe)
    let inner: unknown
    await root.isolate('probe').plugin({ name: 'isolated', apply: (ctx: Context) => void (inner = ctx.get('probe')) })

    expect(inner).toBeUndefined()
    await root.fiber.dispose()
  })

  it('do not reach through an isolation to what a parent has', async () => {
    const root = createRoot()
    await root.plugin(Probe)
    let inner: unknown
    await readIn(root, ['probe'], ctx => {
      ctx.isolate('probe').plugin({
        name: 'isolated',
        apply(isolated: Context) {
          try {
            inner = isolated.probe
          } catch (error) {
            inner = (error as Error).message
          }
        },
      })
    })
    await new Promise(resolve => setImmediate(resolve))

    expect(inner).toBe('cannot get property "probe" without inject')
    await root.fiber.dispose()
  })

  it('let a listener of internal/get answer', async () => {
    const root = createRoot()
    await root.plugin(Probe)
    root.on('internal/get', (_ctx, name, _error, next) => (name === 'probe' ? 'intercepted' : next()))

    expect(await readIn(root, ['probe'], ctx => ctx.probe)).toBe('intercepted')
    await root.fiber.dispose()
  })

  it('capture no stack when they succeed', async () => {
    const root = createRoot()
    await root.plugin(Probe)
    const before = Error.prepareStackTrace
    let stacks = 0

    const result = await readIn(root, ['probe'], ctx => {
      const { stackTraceLimit } = Error
      Object.defineProperty(Error, 'stackTraceLimit', { configurable: true, get: () => (stacks++, stackTraceLimit) })
      const read = [ctx.emit, ctx.probe, ctx.on].map(value => typeof value)
      Object.defineProperty(Error, 'stackTraceLimit', { configurable: true, writable: true, value: stackTraceLimit })
      return read
    })

    expect(result).toEqual(['function', 'object', 'function'])
    expect(stacks).toBe(0)
    expect(Error.prepareStackTrace).toBe(before)
    await root.fiber.dispose()
  })
})
