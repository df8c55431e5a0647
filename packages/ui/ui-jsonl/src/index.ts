export { apply, Config, failureLine, inject, name, signalLine, type UiJsonlConfig } from './plugin.ts'
export { LINES_SCHEMA } from './native-lines.ts'
