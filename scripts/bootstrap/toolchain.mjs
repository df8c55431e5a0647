/** The pinned Node and pnpm: where they are, and how they get there. */
import { createHash } from 'node:crypto'
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { npmCache } from './caches.mjs'
import { SetupError, runPhase } from './phase.mjs'

/**
 * Where the toolchain of this machine is or will be; nothing is touched.
 * A host Node that is new enough is used as it is (`DSH_USE_HOST_NODE=0` forbids it).
 */
export function describeToolchain(root, env, host = process) {
  const pins = JSON.parse(readFileSync(join(root, 'tools/toolchain.json'), 'utf8'))
  const platform = `${host.platform}-${host.arch}`
  const runtime = usesHost(pins, platform, { host, env }) ? undefined : pins.runtimes[platform]
  const key = createHash('sha256').update(readFileSync(join(root, 'tools/package-lock.json'))).update(platform).digest('hex').slice(0, 12)
  const folder = join(root, '.tools', key)
  const node = runtime ? join(folder, 'node_modules', runtime, 'bin', host.platform === 'win32' ? 'node.exe' : 'node') : host.execPath
  const pnpm = join(folder, 'node_modules/pnpm/bin/pnpm.mjs')
  return { key, folder, node, pnpm, runtime, pins, folders: [dirname(node), join(folder, 'node_modules/.bin')] }
}

function usesHost(pins, platform, { host, env }) {
  const major = Number(host.versions.node.split('.')[0])
  if (major >= pins.hostNode && env.DSH_USE_HOST_NODE !== '0') return true
  if (pins.runtimes[platform]) return false
  if (major >= pins.fallbackNode) return true
  throw new SetupError(`there is no Node ${pins.node} package for ${platform}`, `install Node ${pins.hostNode} or newer and run the command again`)
}

/** Is the toolchain in place? Its folder appears in one rename, so one look is enough. */
export function hasToolchain(toolchain) {
  return existsSync(toolchain.folder)
}

/** Fetches the toolchain into a folder of its own and renames that into place; another process may have been first. */
export async function installToolchain(root, toolchain, { env, stop }) {
  removeLeftovers(join(root, '.tools'))
  const temporary = join(root, '.tools', `tmp-${process.pid}`)
  const fetch = npmCommand(env, [
    'ci', '--prefix', temporary, '--ignore-scripts', '--include=optional', '--no-audit', '--no-fund', '--loglevel=error',
    ...npmCache(root, env),
  ])
  try {
    mkdirSync(temporary, { recursive: true })
    for (const file of ['package.json', 'package-lock.json']) copyFileSync(join(root, 'tools', file), join(temporary, file))
    await runPhase({
      name: 'toolchain', ...fetch, cwd: temporary, env, stop,
      advice: 'check that the npm registry answers (`npm ping`) and that the disk has 500 MB free, then run the command again',
    })
    if (toolchain.runtime) await trimRuntime(toolchain, temporary, stop)
    publish(temporary, toolchain.folder)
  } finally {
    rmSync(temporary, { recursive: true, force: true })
  }
}

/** What a killed set-up left; we hold the lock, so nobody is at work there. */
function removeLeftovers(folder) {
  if (!existsSync(folder)) return
  for (const name of readdirSync(folder)) if (name.startsWith('tmp-')) rmSync(join(folder, name), { recursive: true, force: true })
}

/** A runtime that does not start here (musl, an old libc) must not be published. */
async function trimRuntime({ runtime, node, folder, pins }, temporary, stop) {
  for (const unused of ['include', 'share']) rmSync(join(temporary, 'node_modules', runtime, unused), { recursive: true, force: true })
  await runPhase({
    name: 'toolchain', command: join(temporary, relative(folder, node)), args: ['--version'], cwd: temporary, env: process.env, stop,
    advice: `the Node of ${runtime} does not run on this system: install Node ${pins.hostNode} or newer and run the command again`,
  })
}

function publish(temporary, folder) {
  try {
    renameSync(temporary, folder)
  } catch (error) {
    if (!existsSync(folder)) throw error
  }
}

/** The npm that started us when there is one, else the one on PATH. */
export function npmCommand(env, args) {
  const cli = env.npm_execpath
  if (cli && basename(cli) === 'npm-cli.js' && existsSync(cli)) return { command: process.execPath, args: [cli, ...args] }
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args }
}
