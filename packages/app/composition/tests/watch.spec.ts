import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import type { Context } from 'cordis'
import { describe, expect, it } from 'vitest'
import { watch, type ReloadReport, type Running, type WatchOptions } from '../src/index.ts'
import { setup, until, type Setup } from './harness.ts'

const plugin = (value: string) => `export const apply = ctx => { ctx.provide('p', ${value}) }\n`

async function watched(files: Setup, more: Partial<WatchOptions> = {}): Promise<{ running: Running; next: () => Promise<ReloadReport> }> {
  const running = await files.boot()
  const reports: ReloadReport[] = []
  let taken = 0
  await watch(running, { readPlan: () => files.plan(), onReload: report => reports.push(report), debounceMs: 20, ...more })
  return { running, next: () => until(() => reports[taken], 'a reload').then(report => (taken++, report)) }
}

describe('watch', () => {
  it('applies edits of the composition, of settings that appear, and of sources', async () => {
    const files = await setup({ 'cordis.yml': '- id: p\n  name: ./p.js\n- id: q\n  name: q\n', 'p.js': plugin('1') }, { q: async () => ({ apply: (ctx: Context, config: unknown) => void ctx.provide('q', config ?? null) }) })
    const { running, next } = await watched(files)

    await files.write({ 'p.js': plugin('2') })
    expect(await next()).toEqual({ kind: 'applied', changed: ['p'], problems: [] })
    expect(running.root.get('p')).toBe(2)

    await files.write({ 'settings.yml': 'rows:\n  q: { a: 1 }\n' })
    expect(await next()).toEqual({ kind: 'applied', changed: ['q'], problems: [] })
    expect(running.root.get('q')).toEqual({ a: 1 })

    await files.write({ 'cordis.yml': '- id: q\n  name: q\n' })
    expect(await next()).toEqual({ kind: 'applied', changed: ['p'], problems: [] })
    expect(running.root.get('p')).toBeUndefined()
  })

  it('survives break, save, mend, save: of the file, of the source, and saved by renaming', async () => {
    const good = '- id: p\n  name: ./p.js\n'
    const files = await setup({ 'cordis.yml': good, 'p.js': plugin('1') })
    const { running, next } = await watched(files)

    await files.write({ 'cordis.yml': '- id: [\n' })
    expect(await next()).toMatchObject({ kind: 'refused', error: { code: 'invalid-composition' } })
    await files.write({ 'p.js': 'export const apply = (' })
    expect((await next()).kind).toBe('refused')
    expect(running.root.get('p')).toBe(1)

    await files.write({ 'cordis.yml': good })
    expect((await next()).kind).toBe('refused')
    await writeFile(files.path('p.js.new'), plugin('3'))
    await rename(files.path('p.js.new'), files.path('p.js'))
    expect(await next()).toEqual({ kind: 'applied', changed: ['p'], problems: [] })

    expect(running.root.get('p')).toBe(3)
    expect(await readFile(files.path('cordis.yml'), 'utf8')).toBe(good)
    expect(files.log.filter(line => line.includes('the edit is not applied')).length).toBe(3)
  })

  it('notices the mend of a file that only the refused edit includes', async () => {
    const row = '- id: p\n  name: ./p.js\n'
    const files = await setup({ 'cordis.yml': row, 'p.js': plugin('1'), 'sub/more.yml': '- id: [\n' })
    const { running, next } = await watched(files)
    await files.write({ 'cordis.yml': `${row}- id: more\n  name: "@cordisjs/plugin-include"\n  config: { path: sub/more.yml }\n` })
    expect((await next()).kind).toBe('refused')

    await files.write({ 'sub/more.yml': '- id: q\n  name: ../p.js\n  config: { a: 1 }\n' })
    const report = await next()

    expect(report).toMatchObject({ kind: 'applied', changed: ['q'] })
    expect(running.plan.rows.map(({ id }) => id)).toEqual(['p', 'q'])
  })

  it('mounts a plugin that was broken when the program started once it is mended', async () => {
    const files = await setup({ 'cordis.yml': '- id: p\n  name: ./p.js\n- id: later\n  name: ./later.js\n', 'p.js': 'throw new Error("not yet")\n' })
    const { running, next } = await watched(files)
    expect(running.status().map(status => status.state)).toEqual(['failed', 'failed'])

    await files.write({ 'p.js': plugin('1') })
    await next()
    await files.write({ 'later.js': 'export const apply = () => {}\n' })
    await next()

    expect(running.status().map(status => status.state)).toEqual(['active', 'active'])
  })

  it('notices a file in folders that come one by one, that go and come again, and that another takes the place of', async () => {
    const files = await setup({ 'cordis.yml': '- id: q\n  name: q\n' }, { q: async () => ({ apply: (ctx: Context, config: unknown) => void ctx.provide('q', config ?? null) }) })
    const settings = { userSettings: files.path('own/deep/settings.yml') }
    const { running, next } = await watched({ ...files, plan: () => files.plan(settings), boot: () => files.boot({}, settings) })
    const settle = (): Promise<void> => new Promise(resolve => setTimeout(resolve, 150))
    const written = async (value: number): Promise<void> => {
      await files.write({ 'own/deep/settings.yml': `rows:\n  q: { a: ${value} }\n` })
      await next()
      expect(running.root.get('q')).toEqual({ a: value })
    }

    for (const folder of ['own', 'own/deep']) {
      await mkdir(files.path(folder))
      await settle()
    }
    await written(1)
    await files.write({ own: null })
    await next()
    expect(running.root.get('q')).toEqual(null)
    await settle()
    await written(2)

    await mkdir(files.path('other/deep'), { recursive: true })
    await rename(files.path('own'), files.path('gone'))
    await rename(files.path('other'), files.path('own'))
    await next()
    expect(running.root.get('q')).toEqual(null)
    await settle()
    await written(3)
  })

  it('applies an edit when whoever may be disturbed is ready, as the files are then', async () => {
    const files = await setup({ 'cordis.yml': '- id: p\n  name: ./p.js\n- id: q\n  name: q\n', 'p.js': plugin('1') }, { q: async () => ({ apply: (ctx: Context, config: unknown) => void ctx.provide('q', config ?? null) }) })
    const asked: (readonly string[])[] = []
    let goOn = (): void => undefined
    const beforeApply = async (rows: readonly string[]): Promise<void> => {
      asked.push(rows)
      if (asked.length === 1) await new Promise<void>(resolve => (goOn = resolve))
    }
    const { running, next } = await watched(files, { beforeApply })

    await files.write({ 'settings.yml': 'rows:\n  q: { a: 1 }\n' })
    await until(() => asked[0], 'the question')
    expect(running.root.get('q')).toEqual(null)
    await files.write({ 'settings.yml': 'rows:\n  q: { a: 2 }\n', 'p.js': plugin('2') })
    goOn()

    expect(await next()).toEqual({ kind: 'applied', changed: ['p', 'q'], problems: [] })
    expect([running.root.get('q'), running.root.get('p'), asked]).toEqual([{ a: 2 }, 2, [['q'], ['p', 'q']]])
  })

  it('notices an edit of a file that came in with the edit that waits', async () => {
    const files = await setup({ 'cordis.yml': '- id: q\n  name: q\n', 'p.js': plugin('1') }, { q: async () => ({ apply: () => undefined }) })
    const asked: (readonly string[])[] = []
    let goOn = (): void => undefined
    const beforeApply = async (rows: readonly string[]): Promise<void> => {
      asked.push(rows)
      if (asked.length === 1) await new Promise<void>(resolve => (goOn = resolve))
    }
    const { running, next } = await watched(files, { beforeApply })

    await files.write({ 'cordis.yml': '- id: q\n  name: q\n- id: p\n  name: ./p.js\n' })
    await until(() => asked[0], 'the question')
    await files.write({ 'p.js': plugin('2') })
    goOn()

    expect(await next()).toMatchObject({ kind: 'applied', changed: ['p'] })
    expect([running.root.get('p'), asked.length]).toEqual([2, 2])
  })

  it('gives up an edit that waits when the composition stops', async () => {
    const files = await setup({ 'cordis.yml': '- id: p\n  name: ./p.js\n', 'p.js': plugin('1') })
    let signal: AbortSignal | undefined
    const { running } = await watched(files, { beforeApply: (_rows, given) => new Promise((_, reject) => {
      signal = given
      given.addEventListener('abort', () => reject(given.reason as Error))
    }) })
    await files.write({ 'p.js': plugin('2') })
    await until(() => signal, 'the question')
    await running.dispose()

    expect([signal?.aborted, files.log]).toEqual([true, []])
  })

  it('leaves no watcher behind when the composition stops', async () => {
    const files = await setup({ 'cordis.yml': '- id: p\n  name: ./p.js\n', 'p.js': plugin('1') })
    const { running } = await watched(files)

    expect(await countWatches(files.folder)).toBe(process.platform === 'linux' ? 1 : 0)

    await running.dispose()
    expect(await countWatches(files.folder)).toBe(0)
    await files.write({ 'p.js': plugin('2') })
    await new Promise(resolve => setTimeout(resolve, 80))

    expect(files.log).toEqual([])
    expect(running.root.get('p')).toBeUndefined()
  })
})

/** Watches that this process holds on a folder, as Linux tells them; none elsewhere. */
async function countWatches(folder: string): Promise<number> {
  if (process.platform !== 'linux') return 0
  const wanted = `ino:${(await stat(folder)).ino.toString(16)} `
  const descriptors = await readdir('/proc/self/fdinfo')
  const texts = await Promise.all(descriptors.map(name => readFile(`/proc/self/fdinfo/${name}`, 'utf8').catch(() => '')))
  return texts.join('').split('\n').filter(line => line.startsWith('inotify') && line.includes(wanted)).length
}
