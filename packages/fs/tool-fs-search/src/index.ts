export { apply, Config, inject, name } from './plugin.ts'
export { findRipgrep } from './find-ripgrep.ts'
export { SearchError, type SearchErrorCode } from './errors.ts'
export type { SearchConfig } from './config.ts'
