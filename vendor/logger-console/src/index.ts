export * from '@deepseek-ai/cordis-plugin-logger-console'
export { default } from '@deepseek-ai/cordis-plugin-logger-console'
