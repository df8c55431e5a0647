/** The table of command lines against the classes that their parts get. */
import { expect, it } from 'vitest'

import { COMMANDS } from './commands.ts'
import { lineKind } from './line-kind.ts'

it.each(COMMANDS)('calls $kind: $line', async ({ line, kind }) => {
  expect(await lineKind(line)).toBe(kind)
})

it('holds at least 300 lines, each once', () => {
  expect(COMMANDS.length).toBeGreaterThanOrEqual(300)
  expect(new Set(COMMANDS.map(({ line }) => line)).size).toBe(COMMANDS.length)
})
