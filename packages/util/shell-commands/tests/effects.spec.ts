/** Runs the lines of the table in a real bash, to prove that the table is honest. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { COMMANDS } from './commands.ts'
import { lineKind } from './line-kind.ts'
import { makeScratch } from './scratch.ts'
import type { Scratch } from './scratch.ts'

let scratch: Scratch

beforeAll(async () => {
  scratch = await makeScratch()
})

afterAll(() => scratch.remove())

const harmless = COMMANDS.filter(({ kind }) => kind === 'harmless')
const proven = COMMANDS.filter(({ changes }) => changes)
/** The lines are written for GNU tools. Each costs a copy of the set-up and some processes: every fifth is run unless all are asked for. */
const changing = process.platform !== 'linux' ? [] : process.env['DSH_ALL_COMMANDS'] === undefined ? proven.filter((_, index) => index % 5 === 0) : proven

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
  expect(proven.filter((_, index) => index % 5 === 0).length).toBeGreaterThanOrEqual(25)
})

it('changes no file with what is still called harmless after a `touch` was put into it', { timeout: 60_000 }, async () => {
  const seeds = COMMANDS.filter(({ kind, line }) => kind !== 'destructive' && !/rm |sleep|timeout|reboot|shutdown|kill/.test(line)).map(({ line }) => line)
  const pieces = ['touch P', ' touch P ', ';touch P;', '\ntouch P\n', '$(touch P)', '`touch P`', '"', "'", '\\', '#', ' #', '(', ')', '{ ', ';}', '`', '$', '<<E\n', '\nE\n', '\n', '|', '&', '!', '[[ ', ' ]]', '$((', '))', '${x:-', '}', '*', '=', ' ', '<(', '<<<', '-', '~']
  const insertion = fc.tuple(fc.constantFrom(...pieces), fc.double({ min: 0, max: 1, noNaN: true }))
  const mutants = fc.tuple(fc.constantFrom(...seeds), fc.array(insertion, { minLength: 1, maxLength: 4 })).map(([line, insertions]) => insertions.reduce(insert, line))

  const harmlessMutants: string[] = []
  for (const line of fc.sample(mutants, 6_000)) if (line.includes('touch P') && !COMMANDS.some((each) => each.line === line) && (await lineKind(line)) === 'harmless') harmlessMutants.push(line)

  const lines = harmlessMutants.slice(0, 40)
  const changed = await scratch.changedBy(...lines)
  const culprits: string[] = []
  for (const line of changed ? lines : []) if (await scratch.changedBy(line)) culprits.push(line)
  expect([lines.length > 10, changed, culprits]).toEqual([true, false, []])
})

function insert(line: string, [piece, where]: [string, number]): string {
  const at = Math.floor(where * (line.length + 1))
  return line.slice(0, at) + piece + line.slice(at)
}
