/** Runs a command at a front door, if that can do what the command needs. */

import { HarnessError } from '@deepseek-ai/dsh-errors'
import type { Command, CommandCall, CommandDoor, CommandResult } from './types.ts'

const WAYS: Readonly<Record<keyof CommandDoor, string>> = {
  choose: 'let you choose from a list',
  open: 'change the session',
  compose: 'put text where you type',
  copy: 'reach the clipboard',
  askSecret: 'ask for something without showing it',
  clear: 'clear the screen',
  quit: 'leave',
}

/** Throws `NOT_AT_THIS_DOOR` with what is missing; rejects with what the command rejects with. */
export async function runAt(command: Command, args: string, call: CommandCall): Promise<CommandResult | undefined> {
  const { name, needs, otherwise } = command
  if (needs !== undefined && call.door[needs] === undefined) {
    throw new HarnessError('NOT_AT_THIS_DOOR', `/${name} cannot be carried out here: there is no way to ${WAYS[needs]}${otherwise === undefined ? '' : `; ${otherwise}`}`)
  }
  return await command.run(args, call)
}
