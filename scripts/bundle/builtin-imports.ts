/**
 * Takes Node's own modules by `process.getBuiltinModule` instead of `import`.
 *
 *     import { createInterface, hash as h } from "node:x";       what the bundler writes
 *     const { createInterface, hash: h } = process.getBuiltinModule("node:x");
 *     const createInterface = (...given) => process.getBuiltinModule("node:x").createInterface(...given);
 *
 * An `import` of such a module reads every one of its exports, and some of them load half of Node
 * when they are read (`node:http` loads the client behind `fetch`: 25 ms). The last form is for
 * modules that are slow to load and whose functions most starts never call before the first request.
 */
import { isBuiltin } from 'node:module'

const STATIC_IMPORT = /^import (?:\{([^{}]*)\}|([\w$]+)|\* as ([\w$]+)) from "([\w:/]+)";$/gm

/** Modules of which every lower-case export that is a function may be called without being loaded before. */
const LAZY: ReadonlySet<string> = new Set(['node:crypto', 'node:child_process', 'node:readline'])

/** The code of a chunk with these imports replaced, line by line; other imports stay as they are. */
export function takeBuiltins(code: string): string {
  return code.replace(STATIC_IMPORT, (line, named: string | undefined, byDefault: string | undefined, space: string | undefined, specifier: string) => {
    if (!isBuiltin(specifier)) return line
    const module = `process.getBuiltinModule("${specifier}")`
    if (named === undefined) return `const ${byDefault ?? space} = ${module};`
    const names = named.split(',').map(name => name.trim().split(' as ')).map(([name = '', local = name]) => ({ name, local }))
    const isLazy = LAZY.has(specifier) && names.every(({ name }) => isPlainFunction(specifier, name))
    if (!isLazy) return `const { ${names.map(({ name, local }) => (name === local ? name : `${name}: ${local}`)).join(', ')} } = ${module};`
    return `const ${names.map(({ name, local }) => `${local} = (...given) => ${module}.${name}(...given)`).join(', ')};`
  })
}

function isPlainFunction(specifier: string, name: string): boolean {
  const found: unknown = Reflect.get(process.getBuiltinModule(specifier) ?? {}, name)
  // With a symbol on it, such as `promisify.custom`, it is more than a function.
  return /^[a-z]/.test(name) && typeof found === 'function' && Object.getOwnPropertySymbols(found).length === 0
}
