export { apply, Config, inject, name } from './plugin.ts'
export type { LoginConfig } from './plugin.ts'
