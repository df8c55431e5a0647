export { apply, Config, inject, name, type UiAcpConfig } from './plugin.ts'
