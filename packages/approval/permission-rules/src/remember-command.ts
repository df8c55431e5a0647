/** What is offered to be remembered of a command: as little as helps. Pure. */

import { exactCommand } from '@deepseek-ai/dsh-permission-patterns'
import type { LineCommand } from './line-commands.ts'

/** Subcommands whose arguments change nothing about how dangerous they are. */
const OPEN: Readonly<Record<string, readonly string[]>> = { git: ['add', 'commit'] }

/** Nobody reads longer ones before agreeing to them. */
const MOST_LENGTH = 300

/**
 * The rule for this very command, or for its wrapper: what `xargs` runs is not
 * known apart from it. Empty when a part of the command is only known when it
 * runs, or when it is too long to be read.
 */
export function rememberCommand(each: LineCommand): string[] {
  let outer = each
  while (outer.wrapper) outer = outer.wrapper
  const { words, command, isBent } = outer
  const isSettled = words.length > 0 && command.words.every(({ known, source }) => known || !/[$`]/.test(source)) && !isBent && !each.isBent
  if (!isSettled) return []
  const [program = '', subcommand = ''] = words
  const open = OPEN[program]?.includes(subcommand) === true
  const text = `bash(${open ? exactCommand(words.slice(0, 2), true) : exactCommand(words)})`
  return text.length > MOST_LENGTH || /[\0\r\n]/.test(text) ? [] : [text]
}
