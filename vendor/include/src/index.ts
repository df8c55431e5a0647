export * from '@deepseek-ai/cordis-plugin-include'
export { default } from '@deepseek-ai/cordis-plugin-include'
