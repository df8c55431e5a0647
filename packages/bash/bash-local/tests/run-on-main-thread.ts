/**
 * Runs commands through a `LocalBash` on a main thread of its own, where they
 * get real pipes; tests run on worker threads. Reads `{ config, commands }` as
 * its argument and prints the results as JSON.
 */

import { Context } from 'cordis'
import { LocalBash } from '../src/index.ts'

const { config, commands, exitAtOnce } = JSON.parse(process.argv[2] ?? '') as { config: never; commands: string[]; exitAtOnce?: boolean }
const ctx = new Context()
await ctx.plugin(LocalBash, config)
const results = []
for (const command of commands) results.push(await ctx.bash.run(ctx.bash.resolve({ command }), new AbortController().signal))
process.stdout.write(JSON.stringify(results))
if (exitAtOnce) process.exit(0)
await ctx.fiber.dispose()
