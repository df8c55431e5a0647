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
const LAZY: ReadonlySet<string> = new Set(['node:crypto', 'node:child_process', 'node:fs/promises', 'node:readline'])

/** Where a lazy module's `constants` are to be had without loading it. */
const SAME_CONSTANTS: Readonly<Record<string, string>> = { 'node:fs/promises': 'node:fs' }

/** The code of a chunk with these imports replaced, line by line; other imports stay as they are. */
export function takeBuiltins(code: string): string {
  return code.replace(STATIC_IMPORT, (line: string, ...groups: (string | undefined)[]) => {
    const [named, byDefault, space, specifier = ''] = groups
    if (!isBuiltin(specifier)) return line
    const module = `process.getBuiltinModule("${specifier}")`
    if (named === undefined) return `const ${byDefault ?? space} = ${module};`
    const names = named.split(',').map(name => name.trim().split(' as ')).map(([name = '', local = name]): Taken => ({ name, local }))
    const isLazy = ({ name }: Taken): boolean => LAZY.has(specifier) && isPlainFunction(specifier, name)
    return [readNow(names.filter(each => !isLazy(each)), specifier), readWhenCalled(names.filter(isLazy), module)].join('')
  })
}

/** One name of an import. */
interface Taken {
  name: string
  local: string
}

function readNow(names: readonly Taken[], specifier: string): string {
  if (names.length === 0) return ''
  const owner = names.every(({ name }) => name === 'constants') ? (SAME_CONSTANTS[specifier] ?? specifier) : specifier
  return `const { ${names.map(({ name, local }) => (name === local ? name : `${name}: ${local}`)).join(', ')} } = process.getBuiltinModule("${owner}");`
}

function readWhenCalled(names: readonly Taken[], module: string): string {
  return names.map(({ name, local }) => `const ${local} = (...given) => ${module}.${name}(...given);`).join('')
}

function isPlainFunction(specifier: string, name: string): boolean {
  const found: unknown = Reflect.get(process.getBuiltinModule(specifier) ?? {}, name)
  // With a symbol on it, such as `promisify.custom`, it is more than a function.
  return /^[a-z]/.test(name) && typeof found === 'function' && Object.getOwnPropertySymbols(found).length === 0
}
