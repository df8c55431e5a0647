export { apply, Config, inject, name, type OfflineConfig } from './plugin.ts'
export { OFFLINE_MODEL, OfflineAdapter, type OfflineOptions } from './offline-adapter.ts'
