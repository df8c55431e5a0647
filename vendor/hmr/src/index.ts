export * from '@deepseek-ai/cordis-plugin-hmr'
export { default } from '@deepseek-ai/cordis-plugin-hmr'
