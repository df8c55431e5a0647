/** Where npm and pnpm may keep their downloads: their own places, or `.tools` when the home directory cannot be written. */
import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

/** npm's arguments for its cache; none when the usual one can be written. */
export function npmCache(root, env) {
  const usual = env.npm_config_cache ?? join(home(env), '.npm')
  return isWritable(usual) ? [] : ['--cache', join(root, '.tools/cache/npm')]
}

/** pnpm's arguments and environment for its store, cache and state. */
export function pnpmCache(root, env) {
  if (isWritable(join(home(env), '.local'))) return { args: [], env: {} }
  const inside = name => join(root, '.tools/cache', name)
  return {
    args: ['--store-dir', inside('pnpm-store')],
    env: { XDG_CACHE_HOME: inside('xdg-cache'), XDG_STATE_HOME: inside('xdg-state'), XDG_DATA_HOME: inside('xdg-data'), XDG_CONFIG_HOME: env.XDG_CONFIG_HOME ?? inside('xdg-config') },
  }
}

function home(env) {
  return env.HOME || homedir()
}

/** Could this folder be written, or be made? A home directory that does not exist is not made for the user. */
export function isWritable(folder) {
  if (!existsSync(folder)) {
    const parent = dirname(folder)
    return existsSync(parent) && isWritable(parent)
  }
  try {
    accessSync(folder, constants.W_OK)
    return statSync(folder).isDirectory()
  } catch (error) {
    if (['EACCES', 'EROFS', 'EPERM'].includes(error.code)) return false
    throw error
  }
}
