export { SqliteSessionPersistence, SqliteSessionPersistence as default, type SqliteConfig } from './sqlite-session-persistence.ts'
