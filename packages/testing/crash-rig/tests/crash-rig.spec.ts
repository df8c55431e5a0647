import { expect, it } from 'vitest'
import { runCrashRig } from '../src/index.ts'

it.each(['jsonl', 'sqlite'] as const)('loses and doubles nothing when a process is killed, with %s', async backend => {
  const { checked, inFlight, ...report } = await runCrashRig(backend, 10)
  expect(report).toEqual({ backend, rounds: 10, lost: 0, duplicated: 0, faults: [] })
  expect([checked > 0, inFlight > 0]).toEqual([true, backend === 'jsonl'])
}, 60_000)
