/** A small program over this package, run by Node itself in `native.spec.ts`: from sources and as a bundle. */

import { readPlan } from '@deepseek-ai/dsh-composition-yaml'
import { Context } from 'cordis'
import * as cordis from 'cordis'
import * as schemastery from 'schemastery'
import { boot } from '../src/index.ts'

declare global {
  var BUNDLED: boolean | undefined
}

const [composition = ''] = process.argv.slice(2)
const asked: string[] = []
const hostModules = {
  cordis: async () => cordis,
  schemastery: async () => schemastery,
  '@deepseek-ai/dsh-text': async () => (asked.push('dsh-text'), { plural: () => 'from the bundle' }),
}

try {
  const plan = await readPlan({ composition })
  const running = await boot(plan, { builtins: {}, roots: [import.meta.url], ...(globalThis.BUNDLED === true ? { hostModules } : {}) })
  const probe = running.root.get('probe') as { isHosts: (context: unknown) => boolean; text: string } | undefined
  console.log(JSON.stringify({ states: running.status().map(({ id, state }) => [id, state]), same: probe?.isHosts(Context), text: probe?.text, asked }))
  await running.dispose()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 2
}
