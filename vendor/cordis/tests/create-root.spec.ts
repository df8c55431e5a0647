import type { Context } from 'cordis'
import { createRoot } from 'cordis/host'
import { describe, expect, it } from 'vitest'

declare module 'cordis' {
  interface Events {
    'probe/ping'(value: number): void | Promise<void>
  }
}

interface Line {
  type: string
  name: string
  text: string
}

/** A root whose log lines are collected, first lines only: stacks differ from machine to machine. */
function rootWithLog(): { root: Context; log: Line[] } {
  const root = createRoot()
  const log: Line[] = []
  root.logger.exporter({
    export: ({ type, name, args }) => {
      const [format, ...rest] = args.map(String)
      let text = format ?? ''
      for (const value of rest) text = text.replace('%s', value.split('\n')[0] ?? '')
      log.push({ type, name, text })
    },
  })
  return { root, log }
}

describe('contained emit', () => {
  it('runs every listener and logs what one of them throws', async () => {
    const { root, log } = rootWithLog()
    const seen: string[] = []
    await root.plugin({
      name: 'thrower',
      apply(ctx: Context) {
        ctx.on('probe/ping', () => {
          throw new Error('boom')
        })
      },
    })
    root.on('probe/ping', value => {
      seen.push(`second ${value}`)
    })

    root.emit('probe/ping', 7)

    expect(seen).toEqual(['second 7'])
    expect(log).toEqual([{ type: 'error', name: 'events', text: 'listener of "probe/ping" in plugin thrower failed: Error: boom' }])
    await root.fiber.dispose()
  })

  it('logs a rejection and leaves the process alive', async () => {
    const { root, log } = rootWithLog()
    root.on('probe/ping', async () => {
      throw new Error('late')
    })

    root.emit('probe/ping', 1)
    await new Promise(resolve => setImmediate(resolve))

    expect(log).toEqual([{ type: 'error', name: 'events', text: 'listener of "probe/ping" in plugin root failed: Error: late' }])
    await root.fiber.dispose()
  })

  it('reaches the emit of every child context', async () => {
    const { root, log } = rootWithLog()
    root.on('probe/ping', () => {
      throw new Error('boom')
    })
    await root.plugin({ name: 'emitter', apply: (ctx: Context) => ctx.emit('probe/ping', 1) })

    expect(log.map(line => line.text)).toEqual(['listener of "probe/ping" in plugin root failed: Error: boom'])
    await root.fiber.dispose()
  })

  it('lets the throw of an internal listener pass as a veto', async () => {
    const { root } = rootWithLog()
    root.on('internal/plugin', () => {
      throw new Error('not this one')
    })

    expect(() => root.plugin({ name: 'refused', apply: () => undefined })).toThrow('not this one')
  })

  it('tells internal/dispatch about an event once', async () => {
    const { root } = rootWithLog()
    const seen: unknown[][] = []
    root.on('internal/dispatch', (...args) => {
      seen.push(args)
    })

    root.emit('probe/ping', 3)

    expect(seen).toEqual([['emit', 'probe/ping', [3], null]])
    await root.fiber.dispose()
  })
})

describe('logger', () => {
  it('removes the exporter whose disposer is called', async () => {
    const root = createRoot()
    const seen: string[] = []
    const disposeFirst = root.logger.exporter({ export: () => seen.push('first') })
    root.logger.exporter({ export: () => seen.push('second') })

    await disposeFirst()
    root.logger.info('x')

    expect(seen).toEqual(['second'])
    await root.fiber.dispose()
  })

  it('passes warnings by default and no debug lines', async () => {
    const { root, log } = rootWithLog()
    await root.plugin({
      name: 'talker',
      apply(ctx: Context) {
        ctx.logger.warn('careful')
        ctx.logger.debug('noise')
      },
    })

    expect(log).toEqual([{ type: 'warn', name: 'talker', text: 'careful' }])
    await root.fiber.dispose()
  })
})
