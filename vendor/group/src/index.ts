export * from '@deepseek-ai/cordis-plugin-group'
export { default } from '@deepseek-ai/cordis-plugin-group'
