/** Runs the lines of the table in a real bash, to prove that the table is honest. */
import { afterAll, beforeAll, expect, it } from 'vitest'

import { COMMANDS } from './commands.ts'
import { makeScratch } from './scratch.ts'
import type { Scratch } from './scratch.ts'

let scratch: Scratch

beforeAll(async () => {
  scratch = await makeScratch()
})

afterAll(() => scratch.remove())

const harmless = COMMANDS.filter(({ kind }) => kind === 'harmless')
/** Each costs a copy of the set-up and some processes: every third is run unless all are asked for. */
const proven = COMMANDS.filter(({ changes }) => changes)
const changing = process.env['DSH_ALL_COMMANDS'] === undefined ? proven.filter((_, index) => index % 3 === 0) : proven

it('changes no file with any harmless line', { timeout: 60_000 }, async () => {
  const lines = harmless.map(({ line }) => line)
  const changed = await scratch.changedBy(...lines)

  // Only to name the culprit: one by one when the whole was not clean.
  const culprits: string[] = []
  for (const line of changed ? lines : []) if (await scratch.changedBy(line)) culprits.push(line)
  expect([changed, culprits]).toEqual([false, []])
})

it.concurrent.each(changing)('changes a file with $kind: $line', { timeout: 20_000 }, async ({ line }) => {
  expect(await scratch.changedBy(line)).toBe(true)
})

it('proves at least 25 of the lines that are asked about', () => {
  expect(changing.length).toBeGreaterThanOrEqual(25)
})
