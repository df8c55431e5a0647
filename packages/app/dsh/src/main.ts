/** The bin. Answers `--version` and refuses an old Node; in a distribution `dsh.mjs` has done both before this is loaded. */

import { runCli } from './run-cli.ts'
import { version } from './version.ts'

/** The oldest Node that the distribution runs on: `using`, `node:sqlite`, `registerHooks`. */
const OLDEST_NODE = 24

const args = process.argv.slice(2)
if (args[0] === '--version' || args[0] === '-V') {
  process.stdout.write(`${version}\n`)
} else if (Number.parseInt(process.versions.node, 10) < OLDEST_NODE) {
  process.stderr.write(`dsh: needs Node ${OLDEST_NODE} or newer, and this is ${process.versions.node}\n`)
  process.exitCode = 2
} else {
  await runCli(args)
}
