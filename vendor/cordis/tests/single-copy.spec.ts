import { mkdtemp, mkdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Service } from 'cordis'
import { claimSingleCopy, createRoot, findOwner, isForeignService } from 'cordis/host'
import { describe, expect, it } from 'vitest'

describe('single copy', () => {
  it('refuses a facade at another place and names the package that brought it', async () => {
    createRoot()
    const folder = await mkdtemp(join(tmpdir(), 'dsh-copy-'))
    const file = join(folder, 'node_modules', 'cordis', 'index.js')
    await mkdir(join(folder, 'node_modules', 'cordis'), { recursive: true })
    const manifest = join(folder, 'node_modules', 'cordis', 'package.json')
    await writeFile(manifest, '{"name":"cordis","version":"9.9.9"}')

    expect(() => claimSingleCopy(pathToFileURL(file).href)).toThrow(expect.objectContaining({
      name: 'FrameworkError',
      code: 'duplicate-framework',
      message: expect.stringMatching(/^two copies of cordis in one process: .*single-copy\.ts \(cordis 0\.1\.0, .*\) and .*index\.js \(cordis 9\.9\.9, .*package\.json\)$/),
    }))
    expect(findOwner(pathToFileURL(file).href)).toEqual({ name: 'cordis', version: '9.9.9', path: manifest })
    await rm(folder, { recursive: true })
  })

  it('refuses a facade over another Context class', () => {
    createRoot()
    const here = new URL('../src/single-copy.ts', import.meta.url).href

    expect(() => claimSingleCopy(here, class Other {})).toThrow('two copies of cordis in one process')
    expect(() => createRoot()).not.toThrow()
  })

  it('tells a service of a foreign copy from one of the host', () => {
    class Foreign {
      static readonly tracker = Symbol.for('cordis.tracker')
    }
    class Theirs extends Foreign {}
    class Ours extends Service {}
    class Plain {}

    expect([Theirs, Ours, Plain, () => undefined, {}].map(isForeignService)).toEqual([true, false, false, false, false])
  })
})
