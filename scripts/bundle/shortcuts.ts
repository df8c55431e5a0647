/**
 * Spares a start the files that only pass on what another file exports.
 *
 *     export { t as runCommand } from "./core-X.js";                       a facade, dsh-Y.js
 *     import("./dsh-Y.js")                                                 in another chunk, becomes
 *     import("./core-X.js").then((all) => ({ runCommand: all.t }))
 *
 * Half a millisecond each. Only where the importer takes names out of the result: a plain object
 * is not a module, and plugins are handed modules.
 */
import type { OutputChunk } from 'rolldown'

const FACADE = /^export \{([^{}]+)\} from "(\.\/[^"]+)";\s*$/

/** Facade file → the expression that stands for importing it. */
export type Shortcuts = ReadonlyMap<string, string>

/** The facades among `chunks` whose module `isTakenApart`. */
export function findShortcuts(chunks: readonly OutputChunk[], isTakenApart: (moduleId: string) => boolean): Shortcuts {
  const found = new Map<string, string>()
  for (const { fileName, facadeModuleId, code } of chunks) {
    const [, names, target] = (facadeModuleId && isTakenApart(facadeModuleId) && FACADE.exec(code)) || []
    if (names === undefined) continue
    const members = names.split(',').map(name => name.trim().split(' as ')).map(([inner = '', outer = inner]) => `${outer}: all.${inner}`)
    found.set(fileName, `import("${target}").then((all) => ({ ${members.join(', ')} }))`)
  }
  return found
}

/** The code with imports of facades replaced. */
export function takeShortcuts(code: string, shortcuts: Shortcuts): string {
  return code.replace(/import\("\.\/([^"]+)"\)/g, (whole, file: string) => shortcuts.get(file) ?? whole)
}

const RUNTIME_IMPORT = /^import (?:\{ ([^{}]+) \} from )?"\.\/rolldown-runtime-[^"]+";$/m

/**
 * The code of a chunk with what it takes from the bundler's own helpers (`runtime`, a file of two
 * kilobytes) written into it. They hold no state, so that others may go on importing the file.
 */
export function inlineRuntime(code: string, runtime: string): string {
  return code.replace(RUNTIME_IMPORT, (line: string, imported: string | undefined) => {
    if (imported === undefined) return ''
    const names = imported.split(', ').map(name => name.split(' as ').at(-1) ?? name)
    if (!names.every(name => runtime.includes(`var ${name} = `))) return line
    // On one line, as the import was: a source map counts lines.
    const helpers = runtime.split('\n').filter(each => !/^(\/\/|export \{)/.test(each)).join(' ')
    return `const { ${names.join(', ')} } = (() => { ${helpers} return { ${names.join(', ')} }; })();`
  })
}
