export * from '@deepseek-ai/cosmokit'
