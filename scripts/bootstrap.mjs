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
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { clean } from './bootstrap/clean.mjs'
import { callerFolder, toolEnvironment, userEnvironment } from './bootstrap/environment.mjs'
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
  test: { phases: ['toolchain', 'dependencies'], run: (args, tools) => own('scripts/test-all.ts', args, tools) },
  check: { phases: ['toolchain', 'dependencies'], run: (args, tools) => own('scripts/test-all.ts', ['--checks', ...args], tools) },
  pack: { phases: ['toolchain', 'dependencies'], run: (args, tools) => own('scripts/pack.ts', args, tools) },
  fix: { phases: ['toolchain', 'dependencies'], run: (args, tools) => own('node_modules/oxlint/bin/oxlint', ['--type-aware', '--fix', ...args], tools) },
  bundle: { phases: ['toolchain', 'dependencies', 'bundle'] },
  // The pinned tools, for development: `node scripts/bootstrap.mjs pnpm install`, `… node FILE`.
  pnpm: { phases: ['toolchain'], run: (args, tools) => own(tools.pnpm, args, tools) },
  node: { phases: ['toolchain', 'dependencies'], run: ([file = '', ...args], tools) => own(file, args, tools) },
}

/** A program of the repository itself, with the pinned tools first on PATH. */
function own(file, args, { folders }) {
  return { args: [resolve(root, file), ...args], cwd: root, env: toolEnvironment(process.env, root, folders) }
}

async function main([name = 'start', ...args]) {
  if (name === 'clean') return clean(root)
  const task = Object.hasOwn(tasks, name) ? tasks[name] : undefined
  if (!task) throw new SetupError(`unknown task "${name}"`, `use one of ${[...Object.keys(tasks), 'clean'].join(', ')}`, 2)
  const toolchain = await setUp({ root, phases: task.phases, say, env: process.env })
  if (task.run) execute(toolchain.node, task.run(args, toolchain))
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  const failure = asSetupError(error)
  failure.report(say)
  process.exitCode = failure.exitCode
  if (failure.signal) process.kill(process.pid, failure.signal)
}

/** A file that cannot be written is the machine's failure, and is told in one line; anything else is a bug. */
function asSetupError(error) {
  if (error instanceof SetupError) return error
  if (!['EACCES', 'EPERM', 'EROFS', 'ENOSPC', 'EDQUOT'].includes(error.code)) throw error
  return new SetupError(error.message, `${root} must be writable and have 500 MB free; then run the command again`)
}
