export { newSessionId, SESSION_FORMAT_VERSION, SessionStore, SessionStore as default } from './session-store.ts'
export { Session, type AppendListener, type IntentOf, type RequestHeader } from './session.ts'
export { ChunkRun, EventLog } from './event-log.ts'
export { SessionError, type SessionErrorCode } from './errors.ts'
export { closeInterrupted, visibleAnswer } from './close-interrupted.ts'
export { hasSubstance, NOT_STARTED, OUTCOME_UNKNOWN } from './message-fold.ts'
export { misshapenField } from './event-shape.ts'
export { isSurfaceEvent, isSurfaceEventType } from './surface-events.ts'
export type {} from './events.ts'
export type {
  CreateSessionOptions,
  DerivationRepair,
  InboxTarget,
  SessionEvent,
  SessionEventMap,
  SessionEventType,
  SessionHeader,
  SessionId,
  SurfaceEventType,
  SurfaceIntent,
  SurfaceOp,
  ToolErrorInfo,
  TurnEndReason,
  TurnEndReasonMap,
  TurnLimit,
  TurnTrigger,
  TurnTriggerMap,
} from './types.ts'
