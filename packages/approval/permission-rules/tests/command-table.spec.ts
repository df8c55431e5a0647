/** The table of command lines, through the whole policy: no rules, every mode. */

import { COMMANDS } from '@deepseek-ai/dsh-shell-commands/commands'
import { expect, it } from 'vitest'
import { policyBench } from './policy-bench.ts'

/** What is stricter than the table, which knows nothing of protected files. */
const PROTECTED: ReadonlySet<string> = new Set(['echo x > ~/.bashrc', 'echo "alias ls=rm" >> ~/.bashrc', 'echo x | tee -a .git/hooks/pre-commit'])

it.each(['ask', 'auto', 'read-only'] as const)('every line of the table gets its verdict in mode %s', async mode => {
  await using bench = await policyBench({ mode }, { 'a.txt': 'x', '.git/HEAD': 'x' })
  const found: [string, string][] = []
  for (const { line } of COMMANDS) found.push([line, (await bench.line(line)).verdict])

  expect(COMMANDS.length).toBeGreaterThan(300)
  expect(found).toEqual(COMMANDS.map(({ line, verdicts }) => [line, mode === 'auto' && PROTECTED.has(line) ? 'ask' : verdicts[mode]]))
}, 60_000)
