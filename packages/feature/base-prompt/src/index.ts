export { apply, Config, inject, name, type BasePromptConfig } from './plugin.ts'
