/**
 * Takes Node's own modules by `process.getBuiltinModule` instead of `import`.
 *
 *     import { createHash, hash as h } from "node:crypto";     what the bundler writes
 *     const { createHash, hash: h } = process.getBuiltinModule("node:crypto");
 *
 * An `import` of such a module reads every one of its exports, and some of them load half of Node
 * when they are read (`node:http` loads the client behind `fetch`: 25 ms; `node:crypto` WebCrypto).
 */
import { isBuiltin } from 'node:module'

const STATIC_IMPORT = /^import (?:\{([^{}]*)\}|([\w$]+)|\* as ([\w$]+)) from "([\w:/]+)";$/gm

/** The code of a chunk with these imports replaced, line by line; other imports stay as they are. */
export function takeBuiltins(code: string): string {
  return code.replace(STATIC_IMPORT, (line, named: string | undefined, byDefault: string | undefined, space: string | undefined, specifier: string) => {
    if (!isBuiltin(specifier)) return line
    const target = named === undefined ? (byDefault ?? space) : `{${named.replaceAll(' as ', ': ')}}`
    return `const ${target} = process.getBuiltinModule("${specifier}");`
  })
}
