#!/usr/bin/env node
/**
 * Sets the repository up as far as needed, then runs one task in it:
 * `node scripts/bootstrap.mjs <task> [arguments]`. `npm start` and `npm test` come here.
 *
 * Runs on any Node >= 18 with npm, so it and `bootstrap/` are plain JavaScript and import
 * nothing but Node. Set-up is three phases, each skipped while its inputs are unchanged:
 *
 *   toolchain      the pinned Node and pnpm                    .tools/<hash of the lockfile>
 *   dependencies   the frozen install                          node_modules/.dsh-stamp
 *   bundle         the distribution, and the commands to it    dist/.stamp
 */
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clean } from './bootstrap/clean.mjs'
import { callerFolder, testEnvironment, userEnvironment } from './bootstrap/environment.mjs'
import { execute } from './bootstrap/execute.mjs'
import { SetupError } from './bootstrap/phase.mjs'
import { setUp } from './bootstrap/set-up.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const say = line => process.stderr.write(`[setup] ${line}\n`)

/** What each task needs set up, and what it then runs with the right Node. */
const tasks = {
  start: {
    phases: ['toolchain', 'dependencies', 'bundle'],
    run: args => ({ args: [join(root, 'dist/dsh.mjs'), ...args], cwd: callerFolder(process.env, root), env: userEnvironment(process.env, root) }),
  },
  test: { phases: ['toolchain', 'dependencies'], run: args => script('scripts/test-all.ts', args) },
  check: { phases: ['toolchain', 'dependencies'], run: args => script('scripts/test-all.ts', ['--checks', ...args]) },
  pack: { phases: ['toolchain', 'dependencies'], run: args => script('scripts/pack.ts', args) },
  fix: { phases: ['toolchain', 'dependencies'], run: args => script('node_modules/oxlint/bin/oxlint', ['--type-aware', '--fix', ...args]) },
  bundle: { phases: ['toolchain', 'dependencies', 'bundle'] },
  node: { phases: ['toolchain', 'dependencies'], run: args => script(args[0] ?? '', args.slice(1)) },
}

function script(file, args) {
  return { args: [...(file ? [join(root, file)] : []), ...args], cwd: root, env: testEnvironment(process.env, root, toolchainFolders) }
}

let toolchainFolders = []

async function main([name = 'start', ...args]) {
  if (name === 'clean') return clean(root)
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
  if (!task) throw new SetupError(`unknown task "${name}"`, `use one of ${[...Object.keys(tasks), 'clean'].join(', ')}`, 2)
  const toolchain = await setUp({ root, phases: task.phases, say, env: process.env })
  toolchainFolders = toolchain.folders
  if (task.run) execute(toolchain.node, task.run(args))
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  if (!(error instanceof SetupError)) throw error
  error.report(say)
  process.exitCode = error.exitCode
  if (error.signal) process.kill(process.pid, error.signal)
}
