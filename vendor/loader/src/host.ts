/** Our additions to the loader, for the program that mounts it. */

export { RowLoader, type RowLoaderOptions } from './row-loader.ts'
export { toPlugin, type PluginModule } from './to-plugin.ts'
export { auditRows, type Need, type Nested, type RowReport, type RowState } from './audit.ts'
