/** What `@deepseek-ai/dsh-shell-commands` offers: the commands of a bash line and what each does. */
export { commandText, parseShellLine, programName } from '@deepseek-ai/dsh-shell-syntax'
export type { ParsedLine, ParseOptions, Redirection, ShellAssignment, ShellWord, SimpleCommand } from '@deepseek-ai/dsh-shell-syntax'
export { classifyCommand } from './classify-command.ts'
export { classifyWithTexts } from './losses-within.ts'
export type { Classification, CommandClass } from './types.ts'
