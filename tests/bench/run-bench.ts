/** Prints the speed table: `node tests/bench/run-bench.ts [row…] [--quick] [--json] [--dist FOLDER]`. README.md says how to read it. */

import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { renderTable, type Line } from './figures.ts'
import { measure } from './measure.ts'
import { rows, type Bench } from './rows.ts'

const root = join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: 'boolean', default: false }, json: { type: 'boolean', default: false }, dist: { type: 'string', default: join(root, 'dist') } },
})

const chosen = positionals.length > 0 ? positionals : Object.keys(rows)
const unknown = chosen.find(name => !(name in rows))
const entry = join(resolve(values.dist), 'dsh.mjs')
if (unknown !== undefined) fail(`there is no row ${unknown}; there are ${Object.keys(rows).join(', ')}`)
else if (!existsSync(entry)) fail(`${entry} does not exist; build the distribution first (node scripts/bundle.ts)`)
else await printTable()

function fail(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = 2
}

async function printTable(): Promise<void> {
  const home = await mkdtemp(join(tmpdir(), 'dsh-bench-'))
  const packed = join(root, 'dist-pack/package')
  const bench: Bench = {
    dsh: { name: 'dsh', args: [entry, '--permission', 'auto', '-p'] },
    floor: { name: 'floor', args: [join(import.meta.dirname, 'floor-agent.mjs')] },
    dist: resolve(values.dist),
    packed: existsSync(packed) ? packed : undefined,
    home,
    cwd: home,
    quick: values.quick,
  }
  const lines: Line[] = []
  try {
    // Fills the cache of compiled code, as the first run of an installation does.
    for (let round = 0; round < 2; round++) await measure(bench.dsh, { prompt: 'hello', cwd: home, home, answers: () => textAnswer('done') })
    for (const name of chosen) {
      const begun = performance.now()
      lines.push(...(await rows[name]?.(bench) ?? []))
      process.stderr.write(`${name}: ${((performance.now() - begun) / 1000).toFixed(0)} s\n`)
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
  process.stdout.write(`${values.json ? JSON.stringify(lines, null, 2) : renderTable(lines)}\n`)
}
