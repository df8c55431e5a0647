/** Bundles the program with code splitting and puts the distribution in place. */
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, sep } from 'node:path'
import { rolldown, type ChunkingContext, type CodeSplittingGroup, type OutputAsset, type OutputChunk, type PreRenderedChunk } from 'rolldown'
import { precompile } from '@deepseek-ai/dsh-composition-yaml'
import { takeBuiltins } from './builtin-imports.ts'
import { commandText, staticTexts } from './command.ts'
import { findExternal, isExternal, type ExternalPackage } from './external.ts'
import { CORE_ID, hostModulesPlugin, TABLE_ID } from './host-modules.ts'
import { findSecondCopies } from './single-copies.ts'
import { findShortcuts, inlineRuntime, takeShortcuts } from './shortcuts.ts'
import { readWorkspace, type WorkspacePackage } from './workspace.ts'

/** What to build, from where, to where. */
export interface BuildOptions {
  root: string
  entry: string
  out: string
  sourcemap: boolean
}

/** What a build produced: its version, and the packages it expects to find installed. */
export interface Distribution {
  version: string
  external: ExternalPackage[]
}

const COMPOSITION = 'cordis.yml'

/** What describes the lines of a run for scripts; they name it, so it comes along. */
const LINES_SCHEMA = 'packages/ui/ui-jsonl/schema/lines.schema.json'

/** The front door that one shot mounts beside the rows of the composition. */
const FRONT_DOOR = '@deepseek-ai/dsh-ui-text'

/** A chunk that a running process may still import lazily is kept this long after it was replaced. */
const KEEP_MS = 24 * 60 * 60 * 1000

/** Builds the distribution into `out`; throws with a readable message when a source does not build. */
export async function buildDistribution({ root, entry, out, sourcemap }: BuildOptions): Promise<Distribution> {
  if (!existsSync(entry)) throw new Error(`${entry} does not exist`)
  const workspace = readWorkspace(root)
  const version = workspace.find(each => entry.startsWith(each.folder + sep))?.version ?? '0.0.0'
  const bundle = await rolldown({
    input: { main: entry },
    platform: 'node',
    cwd: root,
    // The `paths` there are for the type checker alone: they point at declarations.
    tsconfig: false,
    external: isExternal,
    transform: { define: { 'globalThis.DSH_BUNDLED': 'true' } },
    // What a package exports and nobody imports is left out; it has no effect that anybody waits for.
    treeshake: { moduleSideEffects: id => !isLibraryOfParts(id) },
    plugins: [hostModulesPlugin(workspace, readMounted(root).add(FRONT_DOOR))],
    preserveEntrySignatures: 'allow-extension',
    // The table of host modules names on purpose what other modules import statically.
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await bundle.generate({
    format: 'esm',
    sourcemap,
    keepNames: true,
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: '[name].js',
    chunkFileNames: chunk => `${chunkName(chunk, workspace)}-[hash].js`,
    codeSplitting: { groups: chunkGroups(entry) },
  })
  await bundle.close()
  const chunks = output.filter(each => each.type === 'chunk')
  const copies = findSecondCopies(chunks.flatMap(each => each.moduleIds))
  if (copies.length > 0) throw new Error(copies.join('\n'))
  const external = findExternal(chunks, workspace)
  const passedOn = findShortcuts(chunks, id => [CORE_ID, TABLE_ID].includes(id) || dirname(id) === dirname(entry))
  const runtime = takeBuiltins(chunks.find(each => each.fileName.startsWith('rolldown-runtime-'))?.code ?? '')
  publish(out, output, code => inAscii(inlineRuntime(takeShortcuts(takeBuiltins(code), passedOn), runtime)))
  await writeBeside({ root, out, version })
  prune(out, new Set(output.map(each => each.fileName)))
  return { version, external }
}

/** A library of which each part is a file, or a module of Node: nothing happens by importing one but that it is there. */
function isLibraryOfParts(id: string): boolean {
  return id.startsWith('node:') || /[\\/]node_modules[\\/](?:@earendil-works[\\/]pi-tui|marked|marked-cjk-friendly)[\\/]/.test(id)
}

/**
 * What loads together lies together: a start that reads fifty small files is slower than one that
 * reads three. `core` is what one shot needs: what is mounted, and what mounts it. `base` is what the
 * entry imports, statically or as its first step, but not the entry itself: it awaits at top level,
 * and a chunk in the same file would wait for it while it waits for that chunk.
 */
function chunkGroups(entry: string): CodeSplittingGroup[] {
  const runCommand = join(dirname(entry), 'run-command.ts')
  const belongsToBase = (id: string, context: ChunkingContext): boolean => {
    const info = context.getModuleInfo(entry)
    return info !== null && id !== CORE_ID && [...info.importedIds, ...info.dynamicallyImportedIds].includes(id)
  }
  return [
    { debugName: 'base', name: (id, context) => belongsToBase(id, context) ? 'base' : null, priority: 2 },
    { debugName: 'core', name: id => [CORE_ID, TABLE_ID, runCommand].includes(id) ? 'core' : null, priority: 1 },
    // Small, and all that a run for scripts needs of what is shared: it must not load the rest.
    { debugName: 'json-lines', test: /[\\/]packages[\\/]util[\\/]json-lines[\\/]/, name: 'json-lines', priority: 1 },
    // `dsh auth` must not load all that one shot needs for the little that they share.
    { debugName: 'hidden-line', test: /[\\/]packages[\\/]util[\\/]hidden-line[\\/]/, name: 'hidden-line', priority: 2 },
    // The front door for editors is started by itself, and must not load what terminals need.
    { debugName: 'editors', test: /[\\/]packages[\\/](?:ui[\\/](?:ui-acp|acp-\w+)[\\/]|util[\\/]credentials[\\/]|app[\\/]dsh[\\/]src[\\/](?:acp-command|reserve-stdout)\.ts)/, name: 'editors', priority: 1 },
    // The conversation in a terminal, with all that draws it: its start must not load what other commands share.
    { debugName: 'terminal', test: /[\\/]packages[\\/](?:ui[\\/](?:ui-repl|transcript|prompt-\w+)|util[\\/](?:terminal-\w+|prompt-history))[\\/](?!src[\\/]draw-markdown\.ts)/, name: 'terminal', priority: 1 },
    // What several parts of our own share is needed at every start; what one part needs stays with it.
    { name: 'shared', test: id => !id.includes('node_modules') && !id.startsWith('\0'), minShareCount: 2, priority: 0 },
  ]
}

/** The packages that the built-in composition names in its rows. */
function readMounted(root: string): Set<string> {
  const file = join(root, COMPOSITION)
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return new Set([...text.matchAll(/^[\s-]*name:\s*['"]?(@[\w-]+\/[\w-]+|[\w-]+)/gm)].flatMap(match => match[1] ?? []))
}

/** A chunk is called after the package whose entry it is; those that only share code keep the bundler's name. */
function chunkName({ name, facadeModuleId }: PreRenderedChunk, workspace: readonly WorkspacePackage[]): string {
  const owner = workspace.find(each => facadeModuleId?.startsWith(each.folder + sep))
  return owner ? basename(owner.folder) : name.replace(/^_+/, '')
}

/** Chunks first, their names change with their content; then the entry, which alone makes them current. */
function publish(out: string, output: readonly (OutputChunk | OutputAsset)[], finish: (code: string) => string): void {
  mkdirSync(out, { recursive: true })
  const isEntry = (file: OutputChunk | OutputAsset): boolean => file.type === 'chunk' && file.isEntry
  for (const file of [...output.filter(each => !isEntry(each)), ...output.filter(isEntry)]) {
    writeWhole(join(out, file.fileName), file.type === 'chunk' ? codeOf(file, finish) : file.source)
  }
}

function codeOf({ code: written, sourcemapFileName }: OutputChunk, finish: (code: string) => string): string {
  const code = finish(written)
  return sourcemapFileName && !code.includes('//# sourceMappingURL=') ? `${code}\n//# sourceMappingURL=${sourcemapFileName}\n` : code
}

/** One other character, and the engine keeps every character of the file in two bytes. Raw templates would show the escapes. */
function inAscii(code: string): string {
  if (code.includes('String.raw')) return code
  return code.replace(/[\u0080-\uffff]/g, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A reader sees the old file or the new one. */
function writeWhole(path: string, content: string | Uint8Array, mode = 0o644): void {
  const part = `${path}.${process.pid}.part`
  writeFileSync(part, content, { mode })
  renameSync(part, path)
}

async function writeBeside({ root, out, version }: { root: string, out: string, version: string }): Promise<void> {
  for (const [name, text] of Object.entries(staticTexts())) writeWhole(join(out, name), text)
  writeWhole(join(out, 'dsh.mjs'), commandText(version), 0o755)
  // Without it Node looks through every chunk for signs of what kind of module it is.
  writeWhole(join(out, 'package.json'), '{"type":"module"}\n')
  const schema = join(root, LINES_SCHEMA)
  if (existsSync(schema)) writeWhole(join(out, basename(schema)), readFileSync(schema))
  const composition = join(root, COMPOSITION)
  if (!existsSync(composition)) return
  const text = readFileSync(composition, 'utf8')
  writeWhole(join(out, COMPOSITION), text)
  // Parsed ahead of time, so that a start need not load the YAML library; `locate-composition.ts` reads it.
  writeWhole(join(out, 'cordis.json'), JSON.stringify({ text, tree: await precompile(text) }))
}

function prune(out: string, current: ReadonlySet<string>): void {
  for (const name of readdirSync(out)) {
    if (!/-[\w-]{8}\.js(\.map)?$|\.part$/.test(name) || current.has(name)) continue
    const path = join(out, name)
    if (Date.now() - statSync(path).mtimeMs > KEEP_MS) rmSync(path, { force: true })
  }
}
