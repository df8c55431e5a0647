export { apply, Config, inject, name, type PermissionRulesConfig } from './plugin.ts'
export { judgeTool, type PermissionMode } from './decide.ts'
