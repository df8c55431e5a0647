export type {} from './events.ts'
export * from '@deepseek-ai/cordis-plugin-loader'
export { default } from '@deepseek-ai/cordis-plugin-loader'
