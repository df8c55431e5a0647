export { PluginHost, type PluginHostOptions } from './plugin-host.ts'
export { PluginError, type PluginErrorCode } from './plugin-error.ts'
export { isHostSpecifier } from './host-specifier.ts'
