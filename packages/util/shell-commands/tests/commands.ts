/** The table of command lines and what each permission mode answers, for the tests of every package that decides on commands. */
import { ATTACKS } from './command-attacks.ts'
import { DESTRUCTIVE, UNPARSABLE } from './command-losses.ts'
import { HARMLESS } from './command-reads.ts'
import { OTHER } from './command-rows.ts'
import type { Row } from './command-rows.ts'

/** The answer of each mode without any rule of the user. */
export interface ModeVerdicts {
  ask: 'allow' | 'ask'
  auto: 'allow' | 'ask'
  'read-only': 'allow' | 'deny'
}

/** One line of the table. */
export interface CommandCase {
  line: string
  kind: 'harmless' | 'other' | 'destructive' | 'unparsable'
  verdicts: ModeVerdicts
  /** Whether running it in the scratch directory visibly changes that. */
  changes: boolean
  note?: string
}

const VERDICTS: Readonly<Record<CommandCase['kind'], ModeVerdicts>> = {
  harmless: { ask: 'allow', auto: 'allow', 'read-only': 'allow' },
  other: { ask: 'ask', auto: 'allow', 'read-only': 'deny' },
  destructive: { ask: 'ask', auto: 'ask', 'read-only': 'deny' },
  unparsable: { ask: 'ask', auto: 'ask', 'read-only': 'deny' },
}

/** Every line, each with its verdict in every mode. */
export const COMMANDS: readonly CommandCase[] = [
  ...HARMLESS.map((line) => commandCase('harmless', [line])),
  ...OTHER.map((row) => commandCase('other', row)),
  ...DESTRUCTIVE.map((row) => commandCase('destructive', row)),
  ...UNPARSABLE.map((row) => commandCase('unparsable', row)),
  ...ATTACKS.map(([kind, ...row]) => commandCase(kind, row)),
]

function commandCase(kind: CommandCase['kind'], [line, effect, note]: Row): CommandCase {
  const found = { line, kind, verdicts: VERDICTS[kind], changes: effect === 'changes' }
  return note === undefined ? found : { ...found, note }
}
