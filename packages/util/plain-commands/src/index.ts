export { isDirect, parseCommands } from './parse-command.ts'
export { isPathLike } from './path-words.ts'
export type { Command, TodoItem } from './types.ts'
