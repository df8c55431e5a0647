export { SessionPersistence, SessionPersistence as default, type OpenedSession, type SessionWriter } from './session-persistence.ts'
export { PersistenceError, type PersistenceErrorCode, type PersistenceErrorOptions } from './errors.ts'
export type { Damage, DamageKind, LeaseHolder, ListOptions, RepairReport, SearchHit, SessionSummary, StoredSession } from './types.ts'
