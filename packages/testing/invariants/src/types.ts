/** The vocabulary of the invariants. Types only. */

export interface Violation {
  sessionId: string
  /** The event that broke the rule; absent when it was a request or a status. */
  seq?: number
  message: string
}
