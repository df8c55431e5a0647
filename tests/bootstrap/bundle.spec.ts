/** The bundler: one copy of everything shared, the host's modules by name, and what loads when. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { buildDistribution } from '../../scripts/bundle/build-distribution.ts'
import { commandText } from '../../scripts/bundle/command.ts'
import { importFromCore, listHostModules } from '../../scripts/bundle/host-modules.ts'
import { findSecondCopies } from '../../scripts/bundle/single-copies.ts'
import { readWorkspace } from '../../scripts/bundle/workspace.ts'

const run = promisify(execFile)
let root = ''

beforeEach(() => { root = realpathSync(mkdtempSync(join(tmpdir(), 'dsh é bundle-'))) })
afterEach(() => rmSync(root, { recursive: true, force: true }))

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

/** A package at `path`, reachable by its name from every other one. */
function addPackage(path: string, { name, role, source }: { name: string, role?: string, source: string }): void {
  write(`${path}/package.json`, JSON.stringify({ name, version: '1.2.3', type: 'module', dsh: { role }, exports: { '.': './src/index.ts' } }))
  write(`${path}/src/index.ts`, source)
  mkdirSync(dirname(join(root, 'node_modules', name)), { recursive: true })
  symlinkSync(join(root, path), join(root, 'node_modules', name), 'junction')
}

function addWorkspace(main: string): void {
  addPackage('vendor/cordis', { name: 'cordis', source: "export class Context { name = 'host' }" })
  addPackage('packages/a/one', { name: '@deepseek-ai/dsh-one', role: 'consumer', source: "import { Context } from 'cordis'\nexport const one = () => new Context()" })
  addPackage('packages/a/two', { name: '@deepseek-ai/dsh-two', role: 'implementation', source: "import { Context } from 'cordis'\nexport const two = () => new Context()" })
  addPackage('packages/a/kit', { name: '@deepseek-ai/dsh-kit', role: 'testing', source: 'export const kit = 1' })
  addPackage('packages/a/spine', { name: '@deepseek-ai/dsh-spine', role: 'app', source: 'export const spine = "spine"' })
  write('cordis.yml', "- name: '@deepseek-ai/dsh-spine'\n- id: one\n  name: '@deepseek-ai/dsh-one'\n- id: two\n  name: \"@deepseek-ai/dsh-two\"\n")
  write('packages/app/dsh/package.json', '{ "name": "@deepseek-ai/dsh-dsh", "version": "4.5.6", "type": "module", "dsh": { "role": "app" } }')
  write('packages/app/dsh/src/main.ts', main)
}

const build = () => buildDistribution({ root, entry: join(root, 'packages/app/dsh/src/main.ts'), out: join(root, 'dist'), sourcemap: false })
const dsh = async (...args: string[]) => (await run(process.execPath, [join(root, 'dist/dsh.mjs'), ...args])).stdout

it('offers the host modules by name, each the copy that the program itself uses', async () => {
  addWorkspace(`
    import { Context } from 'cordis'
    const { hostModules } = globalThis.DSH_BUNDLED ? await import('dsh:host-modules') : { hostModules: {} }
    const modules = await Promise.all(Object.values(hostModules).map(load => load()))
    const [one, two, cordis] = modules
    console.log(JSON.stringify([Object.keys(hostModules), modules.map(each => Object.keys(each)), one.one() instanceof Context, two.two() instanceof Context, cordis.Context === Context]))
  `)
  await build()

  expect(JSON.parse(await dsh())).toEqual([['@deepseek-ai/dsh-one', '@deepseek-ai/dsh-two', 'cordis'], [['one'], ['two'], ['Context']], true, true, true])
})

it('puts what the composition mounts into one file that loads when first used', async () => {
  addWorkspace(`
    const table: Record<string, () => Promise<any>> = { one: () => import('@deepseek-ai/dsh-one'), two: () => import('@deepseek-ai/dsh-two'), spine: () => import('@deepseek-ai/dsh-spine') }
    if (process.argv[2]) console.log((await table[process.argv[2]]?.()).one().name)
  `)
  await build()

  const holding = (text: string) => readdirSync(join(root, 'dist')).filter(name => name.endsWith('.js') && readFileSync(join(root, 'dist', name), 'utf8').includes(text)).map(name => name.replace(/-[\w-]{8}\.js$/, ''))
  expect([holding('const one = '), holding('const two = '), holding('"host"'), holding('"spine"')]).toEqual([['core'], ['core'], ['core'], ['core']])
  expect([await dsh(), await dsh('one')]).toEqual(['', 'host\n'])
})

it('keeps a chunk that a running program may still load, and replaces the entry', async () => {
  addWorkspace("console.log((await import('./later.ts')).later)")
  write('packages/app/dsh/src/later.ts', "export const later = 'first'")
  await build()
  const before = readdirSync(join(root, 'dist'))
  write('packages/app/dsh/src/later.ts', "export const later = 'second'")
  await build()

  expect(readdirSync(join(root, 'dist'))).toEqual(expect.arrayContaining(before))
  expect(await dsh()).toBe('second\n')
})

it('answers for the version without loading the program', async () => {
  addWorkspace("throw new Error('loaded')")
  await build()

  expect([await dsh('--version'), await dsh('-V')]).toEqual(['4.5.6\n', '4.5.6\n'])
})

it('tells an old Node what it lacks, with exit code 2', async () => {
  write('dsh.mjs', commandText('1.0.0'))
  const pretend = `data:text/javascript,Object.defineProperty(process.versions, 'node', { value: '20.1.0' })`

  await expect(run(process.execPath, ['--import', pretend, join(root, 'dsh.mjs')])).rejects.toMatchObject({
    code: 2, stdout: '', stderr: `dsh needs Node 24 or newer; this is Node 20.1.0 (${process.execPath})\n`,
  })
})

it('caches compiled code in the cache folder of the user, and starts without one where it cannot be made', async () => {
  addWorkspace("console.log('started')")
  await build()
  const start = async (HOME: string) => (await run(process.execPath, [join(root, 'dist/dsh.mjs')], { env: { HOME }, timeout: 5000 })).stdout
  mkdirSync(join(root, 'home'))
  write('file', '')

  for (const home of ['home', 'file', 'no such folder']) expect(await start(join(root, home))).toBe('started\n')
  if (process.platform === 'linux') expect(await start('/proc')).toBe('started\n')
  expect(readdirSync(join(root, 'home/.cache/dsh/compiled'))).toHaveLength(1)
})

it('leaves types alone when it sends dynamic imports to the core', () => {
  const core = new Set(['x'])

  expect(importFromCore("const load = () => import('x')", core)).toBe("const load = () => import('dsh:core').then(module => module.core[\"x\"])")
  expect(importFromCore('let a: typeof import("x"); let b: import("x").B; type F = () => import("x").C; await import("y")', core)).toBeUndefined()
})

it('finds a shared package that comes from two folders', () => {
  const at = (version: string) => `/r/node_modules/.pnpm/@deepseek-ai+cordis@${version}/node_modules/@deepseek-ai/cordis/lib/index.js`

  expect(findSecondCopies([at('4.0.2'), at('4.0.2').replace('index', 'other'), '/r/node_modules/yaml/a.js'])).toEqual([])
  expect(findSecondCopies([at('4.0.2'), at('4.0.4')])).toEqual([
    '@deepseek-ai/cordis would be bundled 2 times: /r/node_modules/.pnpm/@deepseek-ai+cordis@4.0.2/node_modules/@deepseek-ai/cordis, /r/node_modules/.pnpm/@deepseek-ai+cordis@4.0.4/node_modules/@deepseek-ai/cordis',
  ])
})

it('lists the framework under all its names, and no package of the app or of the tests', () => {
  const workspace = readWorkspace(join(import.meta.dirname, '../..'))
  const listed = listHostModules(workspace).map(each => each.specifier)

  expect(listed).toEqual(expect.arrayContaining(['cordis', 'cordis/host', '@cordisjs/loader', 'schemastery', 'cosmokit', '@deepseek-ai/cordis', '@deepseek-ai/dsh-llm', '@deepseek-ai/dsh-errors']))
  const hidden = workspace.filter(each => each.role === 'app' || each.role === 'testing').map(each => each.name)
  expect(listed.filter(each => hidden.includes(each))).toEqual([])
})
