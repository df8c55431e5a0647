import { toPlugin } from '@cordisjs/loader/host'
import { createRoot } from 'cordis/host'
import { describe, expect, it } from 'vitest'

describe('toPlugin', () => {
  it('takes a class by its default export', () => {
    class Thing {}

    expect(toPlugin({ default: Thing })).toBe(Thing)
  })

  it('keeps the declarations of a module with a named apply', () => {
    const Config = {}
    const plugin = toPlugin({ name: 'thing', inject: ['llm'], Config, apply: () => undefined }) as unknown as Record<string, unknown>

    expect({ name: plugin['name'], inject: plugin['inject'], Config: plugin['Config'] }).toEqual({ name: 'thing', inject: ['llm'], Config })
    expect(plugin['prototype']).toBeUndefined()
  })

  it('names a plugin that has no name', () => {
    const names = [{ apply: () => undefined }, { default: () => undefined }, { name: 'own', apply: () => undefined }].map(exports => toPlugin(exports, 'row').name)

    expect(names).toEqual(['row', 'row', 'own'])
  })

  it('runs the disposer that a function plugin returns', async () => {
    const seen: string[] = []
    const root = createRoot()
    const fiber = await root.plugin(toPlugin({
      apply: function apply() {
        return () => seen.push('disposed')
      },
    }))

    await fiber.dispose()

    expect(seen).toEqual(['disposed'])
  })

  it('refuses a module that has both shapes', () => {
    expect(() => toPlugin({ default: class {}, apply: () => undefined }))
      .toThrow('the module has both a default export and a named "apply"; a plugin is one of the two')
  })

  it('takes a CommonJS module that assigns its exports, whose default is all of them', () => {
    const commonJs = { name: 'old', inject: ['llm'], apply: () => undefined }

    const { name, inject } = toPlugin({ ...commonJs, default: commonJs })

    expect({ name, inject }).toEqual({ name: 'old', inject: ['llm'] })
    expect(() => toPlugin({ apply: commonJs.apply, default: { ...commonJs, default: class {} } })).toThrow('both a default export and a named "apply"')
  })

  it('refuses a module that is no plugin', () => {
    expect(() => toPlugin({ helper: 1 })).toThrow('the module exports no plugin: neither a default export nor a function named "apply"')
    expect(() => toPlugin(undefined)).toThrow('the module exports nothing')
  })
})
