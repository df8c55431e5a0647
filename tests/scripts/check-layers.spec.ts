import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findLayerProblems } from '../../scripts/check-layers/find-layer-problems.ts'
import { findManifestProblems } from '../../scripts/check-layers/find-manifest-problems.ts'
import { findShapeProblems } from '../../scripts/check-layers/find-shape-problems.ts'
import { readWorkspace, type Import, type Package } from '../../scripts/check-layers/read-workspace.ts'

const full = (name: string): string => (/^[@\w-]+\/|^(cordis|yaml|\w+:.*)$/.test(name) ? name : `@deepseek-ai/dsh-${name}`)

interface PackageSpec extends Partial<Omit<Package, 'imports' | 'testImports' | 'dependencies' | 'devDependencies'>> {
  imports?: string[]
  testImports?: string[]
  dependencies?: string[]
  devDependencies?: string[]
}

/** A package of that role in `packages/feature`, which declares what it imports unless told otherwise. */
function pack(name: string, role: string, { imports = [], testImports = [], dependencies, devDependencies, ...rest }: PackageSpec = {}): Package {
  const folder = rest.folder ?? `packages/feature/${name}`
  const read = (names: readonly string[], file: string): Import[] => names.map((each, index) => ({ file: `${folder}/${file}`, line: index + 1, specifier: full(each) }))
  return {
    name: full(name),
    role,
    isPrivate: true,
    exports: new Set(['.']),
    mentions: new Set(),
    imports: read(imports, 'src/x.ts'),
    testImports: read(testImports, 'tests/x.spec.ts'),
    dependencies: new Set((dependencies ?? imports).map(full)),
    devDependencies: new Set((devDependencies ?? testImports).map(full)),
    ...rest,
    folder,
  }
}

const fs = pack('fs', 'interface')
const loop = pack('agent-loop', 'implementation')
const cordis = pack('cordis', 'vendor', { name: 'cordis', folder: 'vendor/cordis', exports: new Set(['.', './host']) })

describe('findLayerProblems', () => {
  it('accepts a tool over an interface, and anyone over the framework', () => {
    expect(findLayerProblems([fs, cordis, pack('tool-fs', 'consumer', { imports: ['fs', 'cordis', 'cordis/host'] }), pack('text', 'util', { imports: ['cordis'] })])).toEqual([])
  })

  it('lets the app and the test packages, and nobody else, name the loop', () => {
    expect(findLayerProblems([loop, pack('dsh', 'app', { imports: ['agent-loop'] }), pack('testkit', 'testing', { imports: ['agent-loop'] })])).toEqual([])
    expect(findLayerProblems([loop, pack('ui-repl', 'consumer', { imports: ['agent-loop', 'agent-loop'] })])).toEqual([
      'packages/feature/ui-repl/src/x.ts:1: consumer ui-repl may not import implementation agent-loop; depend on its interface',
    ])
  })

  it('lets tests import implementations', () => {
    expect(findLayerProblems([loop, pack('ui-repl', 'consumer', { testImports: ['agent-loop'] })])).toEqual([])
  })

  it('keeps the framework’s published name to vendor/', () => {
    expect(findLayerProblems([pack('a', 'consumer', { imports: ['@deepseek-ai/cordis', '@deepseek-ai/schemastery'], testImports: ['@deepseek-ai/cordis-plugin-hmr'] })])).toEqual([
      'packages/feature/a/src/x.ts:1: @deepseek-ai/cordis is the framework under its published name; import cordis from vendor/ instead',
      'packages/feature/a/src/x.ts:2: @deepseek-ai/schemastery is the framework under its published name; import schemastery from vendor/ instead',
      'packages/feature/a/tests/x.spec.ts:1: @deepseek-ai/cordis-plugin-hmr is the framework under its published name; import hmr from vendor/ instead',
    ])
    expect(findLayerProblems([{ ...cordis, imports: [{ file: 'vendor/cordis/src/index.ts', line: 1, specifier: '@deepseek-ai/cordis' }] }])).toEqual([])
  })

  it('finds imports of what a package does not export, and of what does not exist', () => {
    const withContract = { ...fs, exports: new Set(['.', './contract']) }
    expect(findLayerProblems([withContract, pack('a', 'consumer', { imports: ['@deepseek-ai/dsh-fs/contract', '@deepseek-ai/dsh-fs/src/types.ts', 'nowhere'] })])).toEqual([
      'packages/feature/a/src/x.ts:2: @deepseek-ai/dsh-fs/src/types.ts reaches into packages/feature/fs; import what its "exports" name',
      'packages/feature/a/src/x.ts:3: @deepseek-ai/dsh-nowhere is not in this workspace; correct the name or add the package',
    ])
  })

  it('names every package on a circle', () => {
    expect(findLayerProblems([pack('a', 'interface', { imports: ['b'] }), pack('b', 'interface', { imports: ['c'] }), pack('c', 'interface', { imports: ['a'] })])).toEqual([
      'packages/feature/a/package.json:1: packages import each other in a circle: a -> b -> c -> a; move what they share into the lower one',
    ])
  })

  it('asks for a role it knows', () => {
    expect(findLayerProblems([pack('a', 'helper')])).toEqual(['packages/feature/a/package.json:1: "dsh.role" is "helper"; make it one of util, interface, implementation, consumer, testing, app'])
  })
})

describe('findManifestProblems', () => {
  const check = (...packages: Package[]): string[] => findManifestProblems({ packages, rootDependencies: new Set(['vitest', 'yaml']) })

  it('compares the manifest with the imports, both ways', () => {
    expect(check(fs, pack('a', 'consumer', { imports: ['fs', 'node:fs', 'dsh:virtual', 'fs'], dependencies: [] }), pack('b', 'consumer', { dependencies: ['fs'] }))).toEqual([
      'packages/feature/a/src/x.ts:1: @deepseek-ai/dsh-fs is not in packages/feature/a/package.json; add it to "dependencies"',
      'packages/feature/b/package.json:1: @deepseek-ai/dsh-fs is in "dependencies" and never imported; remove it',
    ])
  })

  it('does the same for packages of others', () => {
    expect(check(pack('a', 'consumer', { imports: ['yaml'], dependencies: ['@cfworker/json-schema'] }))).toEqual([
      'packages/feature/a/src/x.ts:1: yaml is not in packages/feature/a/package.json; add it to "dependencies"',
      'packages/feature/a/package.json:1: @cfworker/json-schema is in "dependencies" and never imported; remove it',
    ])
  })

  it('lets tests import what the root installs, and asks for what only they need in devDependencies', () => {
    expect(check(fs, pack('a', 'consumer', { testImports: ['yaml', 'fs'], devDependencies: ['fs'] }))).toEqual([])
    expect(check(fs, pack('a', 'consumer', { testImports: ['fs'], dependencies: ['fs'], devDependencies: ['cordis'] }))).toEqual([
      'packages/feature/a/package.json:1: cordis is in "devDependencies" and never imported; remove it',
      'packages/feature/a/package.json:1: only tests import @deepseek-ai/dsh-fs; move it to "devDependencies"',
    ])
    expect(check(pack('a', 'consumer', { imports: ['yaml'], dependencies: [], devDependencies: ['yaml'] }))).toEqual([
      'packages/feature/a/src/x.ts:1: yaml is not in packages/feature/a/package.json; add it to "dependencies"',
    ])
  })

  it('counts a package that is resolved by its name, and the types of one that is imported', () => {
    expect(check(pack('a', 'consumer', { imports: ['yaml'], dependencies: ['yaml', 'cordis'], devDependencies: ['@types/yaml'], mentions: new Set(['cordis']) }))).toEqual([])
  })
})

describe('findShapeProblems', () => {
  const at = (folder: string, role = 'consumer', rest: PackageSpec = {}): Package => pack(folder.slice(folder.lastIndexOf('/') + 1), role, { folder, ...rest })
  const check = (packages: Package[], files: string[] = []): string[] => findShapeProblems({ packages, files })

  it('accepts families and collections', () => {
    expect(check([at('packages/fs/fs', 'interface'), at('packages/fs/fs-local'), at('packages/feature/tool-todo'), at('packages/core/scope', 'interface'), at('vendor/cordis', 'vendor', { name: 'cordis', isPrivate: false })])).toEqual([])
  })

  it('wants a family to have an interface of its name and a second member', () => {
    expect(check([at('packages/fs/fs-local'), at('packages/fs/tool-fs'), at('packages/web/web', 'interface')])).toEqual([
      'packages/fs:1: a family is named after its interface package; add packages/fs/fs with that role, or move the packages to feature/',
      'packages/web:1: a family of one package; move packages/web/web to feature/',
    ])
  })

  it('wants names that follow folders, once each, and private', () => {
    expect(check([at('packages/feature/a', 'consumer', { name: '@deepseek-ai/dsh-b', isPrivate: false }), at('packages/ui/a')])).toEqual([
      'packages/feature/a/package.json:1: the name is "@deepseek-ai/dsh-b"; make it @deepseek-ai/dsh-a, after the folder',
      'packages/feature/a/package.json:1: the package could be published; set "private": true',
      'packages/ui/a/package.json:1: packages/feature/a has the same folder name; rename one',
    ])
  })

  it('wants packages at exactly two levels and nothing beside them', () => {
    expect(check([], ['packages/fs/package.json', 'packages/fs/fs/inner/package.json', 'packages/fs/fs/tests/fixtures/x/package.json', 'packages/fs/fs/package.json', 'packages/fs/notes.md', 'packages/fs/fs/src/a.ts'])).toEqual([
      'packages/fs/package.json:1: a manifest at this depth; packages are exactly packages/<group>/<package>, and groups hold no manifest',
      'packages/fs/fs/inner/package.json:1: a manifest at this depth; packages are exactly packages/<group>/<package>, and groups hold no manifest',
      'packages/fs/notes.md:1: a file outside of a package; move it into one',
    ])
  })

  it('wants no more than 16 groups', () => {
    const groups = [...Array(17).keys()].flatMap(n => [at(`packages/g${n}/g${n}`, 'interface'), at(`packages/g${n}/h${n}`)])
    expect(check(groups)).toEqual(['packages:1: 17 groups, at most 16; merge the smallest'])
  })
})

it('reads manifests and every kind of import from disk', async () => {
  const root = await mkdtemp(join(tmpdir(), 'dsh-layers-'))
  const files = {
    'package.json': '{ "devDependencies": { "vitest": "1" } }',
    'packages/fs/fs/package.json': '{ "name": "@deepseek-ai/dsh-fs", "private": true, "dsh": { "role": "interface" }, "exports": { ".": "./src/index.ts" }, "peerDependencies": { "cordis": "1" } }',
    'packages/fs/fs/src/a.ts': "import type { A } from 'cordis'\nexport { b } from './b.ts'\nconst c = import('yaml')\ndeclare module '@deepseek-ai/dsh-session' {}\nexport {}\n",
    'packages/fs/fs/tests/a.spec.ts': "import { it } from 'vitest'\nimport.meta.resolve('@vscode/ripgrep/bin')\n",
    'packages/fs/fs/node_modules/x/package.json': '{}',
  }
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true })
    await writeFile(join(root, path), text)
  }
  const { packages, rootDependencies } = readWorkspace(root)
  const src = 'packages/fs/fs/src/a.ts'
  expect(rootDependencies).toEqual(new Set(['vitest']))
  expect(packages).toEqual([
    {
      name: '@deepseek-ai/dsh-fs',
      folder: 'packages/fs/fs',
      role: 'interface',
      isPrivate: true,
      dependencies: new Set(['cordis']),
      devDependencies: new Set(),
      exports: new Set(['.']),
      imports: [
        { file: src, line: 1, specifier: 'cordis' },
        { file: src, line: 3, specifier: 'yaml' },
        { file: src, line: 4, specifier: '@deepseek-ai/dsh-session' },
      ],
      testImports: [{ file: 'packages/fs/fs/tests/a.spec.ts', line: 1, specifier: 'vitest' }],
      mentions: new Set(['cordis', 'yaml', '@deepseek-ai/dsh-session', 'vitest', '@vscode/ripgrep']),
    },
  ])
  await rm(root, { recursive: true })
})
