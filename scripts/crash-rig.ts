/** Runs the crash rig and prints its table: `node scripts/crash-rig.ts [--backend jsonl|sqlite] [--rounds 300]`. */

import { parseArgs } from 'node:util'
import { runCrashRig, type Backend } from '@deepseek-ai/dsh-crash-rig'

const { values } = parseArgs({ options: { backend: { type: 'string', multiple: true, default: ['jsonl', 'sqlite'] }, rounds: { type: 'string', default: '300' } } })
const rounds = Number(values.rounds)
console.log('backend   rounds   events checked   lost   duplicated   in flight   faults')
for (const backend of values.backend as Backend[]) {
  const { checked, lost, duplicated, inFlight, faults } = await runCrashRig(backend, rounds, round => {
    if (round % 20 === 19) process.stderr.write(`${backend}: ${round + 1} of ${rounds}\n`)
  })
  console.log(`${backend.padEnd(8)}  ${String(rounds).padStart(6)}   ${String(checked).padStart(14)}   ${String(lost).padStart(4)}   ${String(duplicated).padStart(10)}   ${String(inFlight).padStart(9)}   ${faults.length}`)
  for (const fault of faults.slice(0, 20)) console.log(`  ${fault}`)
  if (lost + duplicated + faults.length > 0) process.exitCode = 1
}
