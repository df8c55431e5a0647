export { apply, inject, name } from './plugin.ts'
export { Config, type PermissionRulesConfig } from './config.ts'
export type { PermissionMode } from './types.ts'
