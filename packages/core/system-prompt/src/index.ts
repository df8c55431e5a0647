export { SystemPrompt, SystemPrompt as default, type ToolProvider } from './system-prompt.ts'
export { renderPrompt } from './render-prompt.ts'
export type {} from './events.ts'
export type { PromptAssembly, PromptSection } from './types.ts'
