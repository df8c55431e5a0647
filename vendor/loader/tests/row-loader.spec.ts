import { auditRows, RowLoader, type RowReport } from '@cordisjs/loader/host'
import type { Context, Plugin } from 'cordis'
import { createRoot } from 'cordis/host'
import { describe, expect, it } from 'vitest'

interface Row {
  id: string
  name: string
  config?: unknown
  disabled?: boolean
}

async function mount(plugins: Record<string, Plugin>, bears: (id: string) => boolean = () => true) {
  const root = createRoot()
  const failures = new Map<string, unknown>()
  await root.plugin(RowLoader as unknown as Plugin, {
    load: (name: string) => plugins[name] ?? Promise.reject(new Error(`no module ${name}`)),
    bears: (row: Row, error: unknown) => {
      failures.set(row.id, error)
      return bears(row.id)
    },
    startTimeoutMs: 100,
  })
  const audit = (rows: Row[]) => auditRows(root, rows, failures)
  return { root, audit, update: (rows: Row[]) => root.loader.root.update(rows) }
}

const provider = (service: string, inject: string[] = []): Plugin =>
  Object.assign((ctx: Context) => void ctx.provide(service, {}), { provide: service, inject })

const brief = (reports: RowReport[]) => reports.map(({ id, state, needs, cycle }) => ({ id, state, needs, cycle }))

describe('auditRows', () => {
  it('reports active, waiting, cyclic, failed, disabled and never-ending rows', async () => {
    const rows: Row[] = [
      { id: 'a', name: 'a' },
      { id: 'b', name: 'b' },
      { id: 'c', name: 'c' },
      { id: 'd', name: 'd' },
      { id: 'e', name: 'missing' },
      { id: 'f', name: 'a', disabled: true },
      { id: 'g', name: 'g' },
      { id: 'h', name: 'h' },
    ]
    const { root, audit, update } = await mount({
      a: provider('one'),
      b: provider('two', ['three']),
      c: provider('three', ['two']),
      d: provider('four', ['nowhere', 'one']),
      g: () => new Promise<void>(() => undefined),
      h: () => {
        throw new Error('boom')
      },
    })
    root.logger.exporters.clear()

    await update(rows)
    const reports = audit(rows)

    expect(brief(reports)).toEqual([
      { id: 'a', state: 'active', needs: [], cycle: undefined },
      { id: 'b', state: 'waiting', needs: [{ service: 'three', providers: ['c'] }], cycle: ['b', 'c', 'b'] },
      { id: 'c', state: 'waiting', needs: [{ service: 'two', providers: ['b'] }], cycle: ['c', 'b', 'c'] },
      { id: 'd', state: 'waiting', needs: [{ service: 'nowhere', providers: [] }], cycle: undefined },
      { id: 'e', state: 'failed', needs: [], cycle: undefined },
      { id: 'f', state: 'disabled', needs: [], cycle: undefined },
      { id: 'g', state: 'failed', needs: [], cycle: undefined },
      { id: 'h', state: 'failed', needs: [], cycle: undefined },
    ])
    expect(reports.filter(report => report.error !== undefined).map(report => String(report.error))).toEqual([
      'Error: failed to import loader entry e (missing): no module missing',
      'Error: plugin g did not finish starting within 100 ms',
      'Error: failed to apply loader entry h (h): boom',
    ])
  })

  it('reports a part inside an active row that waits or failed', async () => {
    const { root, audit, update } = await mount({
      outer: (ctx: Context) => {
        ctx.inject(['later'], function registration() {})
        ctx.plugin({ name: 'broken', apply: () => Promise.reject(new Error('inner')) })
      },
    })
    root.logger.exporters.clear()
    await update([{ id: 'outer', name: 'outer' }])
    await new Promise(resolve => setImmediate(resolve))

    expect(audit([{ id: 'outer', name: 'outer' }])[0]?.nested).toEqual([
      { name: 'registration', state: 'waiting', needs: ['later'] },
      { name: 'broken', state: 'failed', needs: [], error: new Error('inner') },
    ])
    await root.fiber.dispose()
  })
})

describe('RowLoader', () => {
  it('rolls the whole update back when a row fails that is not borne', async () => {
    const seen: string[] = []
    const { root, update } = await mount({
      good: (ctx: Context) => void ctx.effect(() => {
        seen.push('up')
        return () => seen.push('down')
      }),
      bad: () => {
        throw new Error('boom')
      },
    }, () => false)
    root.logger.exporters.clear()
    await update([{ id: 'keep', name: 'good' }])

    await expect(update([{ id: 'keep', name: 'good' }, { id: 'new', name: 'good' }, { id: 'bad', name: 'bad' }])).rejects.toThrow('boom')

    expect(seen).toEqual(['up', 'up', 'down'])
    expect([...root.loader.entries()].map(entry => entry.id)).toEqual(['keep'])
    await root.fiber.dispose()
  })

  it('brings the old plugin back with its declarations when the new one throws', async () => {
    const seen: string[] = []
    const { root, update } = await mount({
      llm: provider('llm'),
      v1: Object.assign((ctx: Context) => void seen.push(`v1 ${typeof ctx.get('llm')}`), { inject: ['llm'] }),
      v2: () => {
        throw new Error('broken edit')
      },
    })
    root.logger.exporters.clear()
    await update([{ id: 'llm', name: 'llm' }, { id: 'x', name: 'v1' }])

    await expect(update([{ id: 'llm', name: 'llm' }, { id: 'x', name: 'v2' }])).rejects.toThrow('broken edit')

    expect(seen).toEqual(['v1 object', 'v1 object'])
    expect(Object.keys(root.loader.resolve('x').fiber?.inject ?? {})).toEqual(['llm'])
    await root.fiber.dispose()
  })

  it('does not open the internals of Node on its own', async () => {
    const { root } = await mount({})

    expect(Object.getOwnPropertyDescriptor(root.loader, 'internal')?.get).toBeTypeOf('function')
    await root.fiber.dispose()
  })
})
