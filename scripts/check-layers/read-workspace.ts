/** Reads every manifest and every import statement of the workspace. */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { listFiles } from '../repository/list-files.ts'

export interface Import {
  /** Where it stands, relative to the root of the repository. */
  file: string
  /** From 1. */
  line: number
  /** As written: `@deepseek-ai/dsh-fs/contract`, `node:fs`. Relative ones are left out. */
  specifier: string
}

export interface Package {
  name: string
  /** `packages/<group>/<package>` or `vendor/<name>`. */
  folder: string
  /** `vendor` for those of that folder; undefined where a manifest does not say. */
  role: string | undefined
  isPrivate: boolean
  /** `dependencies` and `peerDependencies`. */
  dependencies: ReadonlySet<string>
  devDependencies: ReadonlySet<string>
  /** The keys of `exports`. */
  exports: ReadonlySet<string>
  /** Of `src`. */
  imports: readonly Import[]
  /** Of everything else in the folder. */
  testImports: readonly Import[]
  /** Every quoted string that could name a package: what is resolved by name counts as used. */
  mentions: ReadonlySet<string>
}

export interface Workspace {
  packages: readonly Package[]
  /** What the root manifest installs: files under `tests/` may import it. */
  rootDependencies: ReadonlySet<string>
  /** All files of the repository. */
  files: readonly string[]
}

interface Manifest {
  name?: string
  private?: boolean
  dsh?: { role?: string }
  exports?: string | Record<string, unknown>
  dependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

export function readWorkspace(root: string): Workspace {
  const files = listFiles(root)
  const folders = files.filter(file => /^(packages\/[^/]+\/[^/]+|vendor\/[^/]+)\/package\.json$/.test(file)).map(file => dirname(file))
  const { dependencies, devDependencies } = readManifest(root, '')
  return {
    files,
    packages: folders.map(folder => readPackage(root, folder, files.filter(file => file.startsWith(`${folder}/`) && /\.(ts|mts|tsx)$/.test(file)))),
    rootDependencies: new Set(Object.keys({ ...dependencies, ...devDependencies })),
  }
}

function readPackage(root: string, folder: string, files: readonly string[]): Package {
  const manifest = readManifest(root, folder)
  const texts = files.map(file => ({ file, text: readFileSync(join(root, file), 'utf8') }))
  const imports = texts.flatMap(({ file, text }) => readImports(file, text))
  return {
    name: manifest.name ?? '',
    folder,
    role: folder.startsWith('vendor/') ? 'vendor' : manifest.dsh?.role,
    isPrivate: manifest.private === true,
    dependencies: new Set(Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })),
    devDependencies: new Set(Object.keys(manifest.devDependencies ?? {})),
    exports: new Set(typeof manifest.exports === 'object' ? Object.keys(manifest.exports) : ['.']),
    imports: imports.filter(({ file }) => file.startsWith(`${folder}/src/`)),
    testImports: imports.filter(({ file }) => !file.startsWith(`${folder}/src/`)),
    mentions: new Set(texts.flatMap(({ text }) => [...text.matchAll(/['"`]((?:@[\w-][\w.-]*\/)?[\w-][\w.-]*)(?:\/[\w./-]*)?['"`]/g)].map(match => match[1] ?? ''))),
  }
}

function readManifest(root: string, folder: string): Manifest {
  return JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8')) as Manifest
}

function readImports(file: string, text: string): Import[] {
  const { importedFiles, ambientExternalModules } = ts.preProcessFile(text)
  const found = importedFiles.map(({ fileName, pos }) => ({ file, line: lineAt(text, pos), specifier: fileName }))
  // `declare module 'x'` merges into the types of x: as much an edge as an import.
  const merged = (ambientExternalModules ?? []).map(name => ({ file, line: lineAt(text, text.indexOf(`declare module '${name}'`)), specifier: name }))
  return [...found, ...merged].filter(({ specifier }) => !specifier.startsWith('.'))
}

function lineAt(text: string, position: number): number {
  return text.slice(0, Math.max(0, position)).split('\n').length
}

/** The package that a specifier names; undefined for what Node or the bundler brings (`node:fs`, `dsh:host-modules`). */
export function packageOf(specifier: string): string | undefined {
  if (/^([a-z]+:|#)/.test(specifier)) return undefined
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}
