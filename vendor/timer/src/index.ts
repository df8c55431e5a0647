export * from '@deepseek-ai/cordis-plugin-timer'
export { default } from '@deepseek-ai/cordis-plugin-timer'
