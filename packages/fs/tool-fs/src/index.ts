export { apply, Config, inject, name, type ToolFsConfig } from './plugin.ts'
