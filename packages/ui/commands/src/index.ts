export { CommandRegistry, CommandRegistry as default } from './commands.ts'
export { runAt } from './run-at.ts'
export type { Choice, Command, CommandCall, CommandDoor, CommandResult, CommandSource } from './types.ts'
