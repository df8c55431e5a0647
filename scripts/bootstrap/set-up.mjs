/** The phases of set-up, in order: which of them are due, and running those. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pnpmCache } from './caches.mjs'
import { writeCommands } from './commands.mjs'
import { setupEnvironment } from './environment.mjs'
import { takeLock } from './lock.mjs'
import { runPhase } from './phase.mjs'
import { hashContents, hashSources, readStamp, writeWhole } from './stamp.mjs'
import { describeToolchain, hasToolchain, installToolchain } from './toolchain.mjs'

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP']

/** Brings the named phases up to date and returns the toolchain; throws a `SetupError` when one fails. */
export async function setUp({ root, phases, say, env }) {
  const toolchain = describeToolchain(root, env)
  const stopping = new AbortController()
  const steps = definePhases({ root, toolchain, env, stop: stopping.signal }).filter(step => phases.includes(step.name))
  if (steps.every(step => step.isDone())) return toolchain
  const release = await takeLock(join(root, '.tools/lock'), owner => say(`waiting for another set-up of this folder (process ${owner ?? 'unknown'})`))
  const stop = signal => stopping.abort(signal)
  for (const signal of SIGNALS) process.on(signal, stop)
  try {
    // Whoever held the lock may have done the work.
    for (const step of steps) if (!step.isDone()) await timed(step)
  } finally {
    for (const signal of SIGNALS) process.off(signal, stop)
    release()
  }
  return toolchain
}

/** One line a phase: written when it starts, ended with the time it took. */
async function timed(step) {
  const start = Date.now()
  process.stderr.write(`[setup] ${step.name}: ${step.about} … `)
  let end = 'failed\n'
  try {
    await step.run()
    end = `${((Date.now() - start) / 1000).toFixed(1)} s\n`
  } finally {
    process.stderr.write(end)
  }
}

function definePhases(setting) {
  const { root, toolchain, env, stop } = setting
  return [
    {
      name: 'toolchain',
      about: `fetching Node ${toolchain.pins.node} and pnpm ${toolchain.pins.pnpm}`,
      isDone: () => hasToolchain(toolchain),
      run: () => installToolchain(root, toolchain, { env: setupEnvironment(env, root, []), stop }),
    },
    dependencies(setting),
    bundle(setting),
  ]
}

function dependencies({ root, toolchain, env, stop }) {
  const stamp = join(root, 'node_modules/.dsh-stamp')
  const inputs = () => hashContents(root, ['pnpm-lock.yaml', 'pnpm-workspace.yaml'], toolchain.key)
  return {
    name: 'dependencies',
    about: 'installing what pnpm-lock.yaml says',
    isDone: () => readStamp(stamp) === inputs() && existsSync(join(root, 'node_modules/.modules.yaml')),
    run: async () => {
      const before = inputs()
      const cache = pnpmCache(root, env)
      await runPhase({
        name: 'dependencies', command: toolchain.node, cwd: root, stop,
        args: [toolchain.pnpm, 'install', '--frozen-lockfile', '--reporter=append-only', '--config.confirmModulesPurge=false', ...cache.args],
        env: { ...setupEnvironment(env, root, toolchain.folders), ...cache.env },
        advice: 'read the lines above; if a package.json has changed, run `node scripts/bootstrap.mjs pnpm install` and commit the lockfile; if the network failed, run the command again',
      })
      writeWhole(stamp, before)
    },
  }
}

function bundle({ root, toolchain, env, stop }) {
  const stamp = join(root, 'dist/.stamp')
  const inputs = () => hashSources(root, toolchain.node)
  const commands = ['dist/dsh.mjs', 'node_modules/.bin/dsh'].map(file => join(root, process.platform === 'win32' ? file.replace(/dsh$/, 'dsh.cmd') : file))
  return {
    name: 'bundle',
    about: 'building the distribution',
    isDone: () => readStamp(stamp) === inputs() && commands.every(existsSync),
    run: async () => {
      // Taken before the build: a source edited meanwhile makes the next start build again.
      const before = inputs()
      await runPhase({
        name: 'bundle', command: toolchain.node, args: [join(root, 'scripts/bundle.ts')], cwd: root, stop,
        env: setupEnvironment(env, root, toolchain.folders),
        advice: 'a source file does not build: correct the lines above (`npm test` shows all problems) and run the command again',
      })
      writeCommands(root, toolchain.node)
      writeWhole(stamp, before)
    },
  }
}
