/** The text of `dsh.mjs`, the command: what happens before anything of the distribution is imported. */

/** The oldest Node that the distribution runs on. */
export const OLDEST_NODE = 24

/**
 * It must parse on much older Nodes, so that these can say what they lack (exit code 2), and it
 * answers `--version` without importing anything. Compiled code is cached in the user's own cache
 * folder: Node's default is a shared temporary folder, where somebody else could have put code.
 */
export function commandText(version: string): string {
  return `#!/usr/bin/env node
const given = process.argv.slice(2)
if (Number(process.versions.node.split('.')[0]) < ${OLDEST_NODE}) {
  process.stderr.write('dsh needs Node ${OLDEST_NODE} or newer; this is Node ' + process.versions.node + ' (' + process.execPath + ')\\n')
  process.exitCode = 2
} else if (given.length === 1 && (given[0] === '--version' || given[0] === '-V')) {
  process.stdout.write('${version}\\n')
} else {
  const { env } = process
  const cache = env.XDG_CACHE_HOME || (env.HOME && env.HOME + '/.cache')
  if (cache && !env.NODE_COMPILE_CACHE) process.getBuiltinModule('module').enableCompileCache(cache + '/dsh/compiled')
  await import('./main.js')
}
`
}
