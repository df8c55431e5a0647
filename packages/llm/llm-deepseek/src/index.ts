export { apply, Config, inject, name } from './plugin.ts'
export { DeepSeekAdapter, type AdapterSurroundings } from './deepseek-adapter.ts'
export type { DeepSeekConfig } from './config.ts'
export type { ReasoningReplay } from './wire-messages.ts'
