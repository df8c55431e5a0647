export { apply, Config, inject, name, type UiTextConfig } from './plugin.ts'
