/** The text of `dsh.mjs`, the command: what happens before anything of the distribution is imported. */

import { SHELLS } from '@deepseek-ai/dsh-command-line/completion'
import { renderHelp } from '@deepseek-ai/dsh-command-line/help'

/** The oldest Node that the distribution runs on. */
export const OLDEST_NODE = 24

/** What `dsh.mjs` prints as it stands: name of the file beside it → its text. */
export function staticTexts(): Record<string, string> {
  return { 'help.txt': renderHelp(), ...Object.fromEntries(Object.entries(SHELLS).map(([shell, render]) => [`completion.${shell}`, render()])) }
}

/**
 * It must parse on much older Nodes, so that these can say what they lack (exit code 2), and it
 * answers `--version`, `--help` and `completion` without importing anything: what these print lies
 * beside it, see `staticTexts`. Compiled code is cached in the user's own cache
 * folder (14 of 127 ms for one prompt): Node's default is a shared temporary folder, where somebody
 * else could have put code. The folder is made here level by level, because Node's own attempt
 * never ends where a folder cannot be made for lack of a parent that exists (`HOME=/proc`).
 */
export function commandText(version: string): string {
  return `#!/usr/bin/env node
const given = process.argv.slice(2)
if (Number(process.versions.node.split('.')[0]) < ${OLDEST_NODE}) {
  process.stderr.write('dsh needs Node ${OLDEST_NODE} or newer; this is Node ' + process.versions.node + ' (' + process.execPath + ')\\n')
  process.exitCode = 2
} else if (given.length === 1 && (given[0] === '--version' || given[0] === '-V')) {
  process.stdout.write('${version}\\n')
} else if (printed(given)) {
  process.stdout.write(process.getBuiltinModule('fs').readFileSync(new URL(printed(given), import.meta.url)))
} else {
  cacheCompiledCode(process.env)
  await import('./main.js')
}

function printed(given) {
  if (given.length === 1 && ['--help', '-h', 'help'].includes(given[0])) return './help.txt'
  if (given.length === 2 && given[0] === 'completion' && ${JSON.stringify(Object.keys(SHELLS))}.includes(given[1])) return './completion.' + given[1]
}

function cacheCompiledCode(env) {
  const base = env.XDG_CACHE_HOME || (env.HOME && env.HOME + '/.cache')
  if (!base || env.NODE_COMPILE_CACHE) return
  const { existsSync, mkdirSync } = process.getBuiltinModule('fs')
  const compiled = base + '/dsh/compiled'
  for (const folder of existsSync(compiled) ? [] : [base, base + '/dsh', compiled]) {
    try {
      mkdirSync(folder, { mode: 0o700 })
    } catch (error) {
      // Without the folder everything works, and starts a little later.
      if (error.code !== 'EEXIST') return
    }
  }
  process.getBuiltinModule('module').enableCompileCache(compiled)
}
`
}
