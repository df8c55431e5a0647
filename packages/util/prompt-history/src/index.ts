export { PromptHistory, type PromptHistoryOptions } from './prompt-history.ts'
export { readEntries, type StoredEntry } from './read-entries.ts'
