export { JsonlSessionPersistence, JsonlSessionPersistence as default, type JsonlConfig } from './jsonl-session-persistence.ts'
