/** The live events of the log. */

import type {} from 'cordis'
import type { Session } from './session.ts'
import type { SessionEvent } from './types.ts'

declare module 'cordis' {
  interface Events {
    /** A session was entered; nothing is in it yet but its seed. */
    'session/created'(session: Session): void
    /** A session was detached: nothing is appended to it any more. */
    'session/closed'(session: Session): void
    /** After every append, in order. The event is frozen. */
    'session/event'(session: Session, event: SessionEvent): void
    /**
     * A checkpoint: what the log holds must be durable before it resolves.
     * Fired before each model request, before each tool body, at the end of
     * steps and turns. A rejection is reported; before a tool body it stops the tool.
     */
    'session/flush'(session: Session): Promise<void>
  }
}
