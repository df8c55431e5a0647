export * from '@deepseek-ai/schemastery'
export { default } from '@deepseek-ai/schemastery'
