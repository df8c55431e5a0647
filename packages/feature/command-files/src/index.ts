export { apply, Config, inject, name, type CommandFilesConfig } from './plugin.ts'
