export { apply, Config, inject, name } from './plugin.ts'
export { findRipgrep } from '@deepseek-ai/dsh-file-listing'
export { SearchError, type SearchErrorCode } from './errors.ts'
export type { SearchConfig } from './config.ts'
