export * from '@deepseek-ai/cordis'
