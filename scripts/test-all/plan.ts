/** What a run of the whole check consists of. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** What the arguments ask for. */
export interface Wish {
  checks: 'all' | 'bundle'
  tests: boolean
  live: boolean
  /** Handed to vitest as they are. */
  filter: string[]
}

/** One command that must succeed. */
export interface Check {
  name: string
  args: string[]
  /** Set when the check cannot run; it then counts as failed. */
  missing?: string
}

const VITEST_ARGUMENTS = /^(?!--(checks|live)$)/

/** Reads the arguments; everything that is not ours goes to vitest. */
export function parseArguments(args: readonly string[]): Wish {
  const filter = args.filter(arg => VITEST_ARGUMENTS.test(arg))
  const live = args.includes('--live')
  const only = args.includes('--checks')
  return { checks: filter.length > 0 || live ? 'bundle' : 'all', tests: !only, live, filter }
}

/** The checks in the order they run, cheapest knowledge first. */
export function planChecks(root: string, wish: Wish): Check[] {
  const bundle: Check = { name: 'bundle', args: [join(root, 'scripts/bootstrap.mjs'), 'bundle'] }
  if (wish.checks === 'bundle') return [bundle]
  return [
    bundle,
    tool(root, 'types', ['node_modules/typescript-7/bin/tsc', '-p', root]),
    tool(root, 'lint', ['node_modules/oxlint/bin/oxlint', '--type-aware', '--deny-warnings', root]),
    tool(root, 'layers', ['scripts/check-layers.ts']),
    tool(root, 'source', ['scripts/check-source.ts']),
    tool(root, 'docs', ['scripts/check-docs.ts']),
    tool(root, 'catalog', ['scripts/gen-catalog.ts', '--check']),
    tool(root, 'manual', ['scripts/gen-man.ts', '--check']),
  ]
}

function tool(root: string, name: string, [program = '', ...args]: readonly string[]): Check {
  const file = join(root, program)
  return existsSync(file) ? { name, args: [file, ...args] } : { name, args: [], missing: `${program} does not exist` }
}
