/** Makes JavaScript of the TypeScript that Node cannot strip: enums, decorators, parameter properties, JSX. */

import { createRequire } from 'node:module'

const TYPESCRIPT = /\.[cm]?tsx?$/

/** Stripping leaves decorators as they are, and Node does not know them. A false positive costs time only. */
const DECORATOR = /^\s*@[A-Za-z_$]/m

/** Whether a path names TypeScript. */
export function isTypeScript(path: string): boolean {
  return TYPESCRIPT.test(path)
}

/** Whether Node would run the text and fail at syntax, or not even strip it: then do not try. */
export function needsTranspiling(source: string, path: string): boolean {
  return path.endsWith('x') || path.includes('/node_modules/') || DECORATOR.test(source)
}

/** JavaScript for `source`, in the module format it is written in. Loads esbuild, which nothing else does. Throws for what is no TypeScript. */
export function transpile(source: string, path: string): string {
  const esbuild = loadEsbuild(path)
  const loader = path.endsWith('x') ? 'tsx' : 'ts'
  return esbuild.transformSync(source, { loader, target: 'node24', sourcefile: path, sourcemap: 'inline', logLevel: 'silent' }).code
}

function loadEsbuild(path: string): typeof import('esbuild') {
  try {
    return createRequire(import.meta.url)('esbuild') as typeof import('esbuild')
  } catch (error) {
    throw new Error(`${path} uses TypeScript that carries code in types (enums, decorators, parameter properties); running it takes the package "esbuild", which cannot be loaded here`, { cause: error })
  }
}
