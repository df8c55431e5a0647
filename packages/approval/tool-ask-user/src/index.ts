export { apply, Config, inject, name, type ToolAskUserConfig } from './plugin.ts'
export { AskUserError, type AskUserErrorCode } from './errors.ts'
