/**
 * Builds the distribution: `node scripts/bundle.ts [--out FOLDER] [--entry FILE] [--sourcemap]`.
 *
 *   dist/dsh.mjs        the command. Checks Node, answers `--version`, then imports main.js
 *   dist/main.js        `packages/app/dsh/src/main.ts` and what it imports statically
 *   dist/core-*.js      the packages that `cordis.yml` mounts, as one file: they load together
 *   dist/<name>-*.js    everything that is imported when first used
 *   dist/node_modules   links to the few packages that cannot be bundled
 *   dist/lines.schema.json   what describes the lines of `--output-format jsonl` and its kin
 *   dist/help.txt, dist/completion.<shell>   what `dsh.mjs` prints without importing anything
 *   dist/cordis.yml     the built-in composition, beside every chunk: `new URL('./cordis.yml', import.meta.url)`
 *
 * **Host modules.** The bundle holds the one copy of every package that a plugin may import from
 * the host. Bundled code reaches them by specifier through a virtual module:
 *
 *   const hostModules = globalThis.DSH_BUNDLED ? (await import('dsh:host-modules')).hostModules : undefined
 *   const cordis = await hostModules?.['cordis']?.()
 *
 * `hostModules: Record<string, () => Promise<object>>` lists `cordis`, `cordis/host` and every other
 * subpath of the framework packages, `@cordisjs/*`, `schemastery`, `cosmokit`, the `@deepseek-ai/*`
 * framework packages behind them, and each `@deepseek-ai/dsh-*` package with a "." export whose role
 * is interface, util, implementation or consumer. When the sources run, `globalThis.DSH_BUNDLED` is
 * undefined, the virtual module does not exist and is not needed: Node resolves the workspace.
 */
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { buildDistribution } from './bundle/build-distribution.ts'
import { linkExternal } from './bundle/external.ts'

const root = join(import.meta.dirname, '..')
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: join(root, 'dist') },
    entry: { type: 'string', default: join(root, 'packages/app/dsh/src/main.ts') },
    sourcemap: { type: 'boolean', default: false },
  },
})

try {
  const out = resolve(values.out)
  const { external } = await buildDistribution({ root, out, entry: resolve(values.entry), sourcemap: values.sourcemap })
  linkExternal(out, external)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
