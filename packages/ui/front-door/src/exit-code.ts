/** How a run's end becomes the exit code of the process. Pure. */

import type { SessionEvent, TurnEndReason } from '@deepseek-ai/dsh-session'
import type { Interrupt } from './types.ts'

/** The exit codes of the command line; documented, so never renumbered. */
export const EXIT = {
  completed: 0,
  error: 1,
  usage: 2,
  timeout: 3,
  noSession: 4,
  permission: 5,
  budget: 6,
  /** As EX_TEMPFAIL of sysexits.h: the provider failed and a retry may help. */
  retry: 75,
  interrupted: 130,
  terminated: 143,
  /** As shells count SIGPIPE: nobody reads the output any more. */
  unread: 141,
} as const

export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Failures of the provider that may pass. */
const PASSING: ReadonlySet<string> = new Set(['RATE_LIMIT', 'SERVER', 'UNREACHABLE', 'STREAM_CLOSED', 'TIMEOUT', 'MALFORMED_RESPONSE', 'EMPTY_RESPONSE'])

/** Mistakes in the configuration that only show when the model is asked. */
const CONFIGURATION: ReadonlySet<string> = new Set(['NO_MODEL', 'NO_ADAPTER', 'NO_FACTORY'])

/** Refusals for want of a permission. */
const REFUSED: ReadonlySet<string> = new Set(['PERMISSION_REQUIRED', 'READ_ONLY'])

/** The code for a turn that ended with `reason` after `events` (those of the run). */
export function exitCodeOf(reason: TurnEndReason, events: Iterable<SessionEvent>): ExitCode {
  switch (reason.kind) {
    case 'completed':
      return wasRefused(events) ? EXIT.permission : EXIT.completed
    case 'limit':
      return reason.which === 'deadline' ? EXIT.timeout : EXIT.budget
    case 'aborted':
      return reason.reason === 'SIGTERM' || reason.reason === 'SIGHUP' ? EXIT.terminated : EXIT.interrupted
    case 'error':
      return ofError(reason.code)
    default:
      return EXIT.error
  }
}

/** Mistakes in how the program was called or composed. */
const MISUSE: ReadonlySet<string> = new Set(['USAGE', 'invalid-composition', 'boot-failed'])

/** There is no such session, or it cannot be had now. */
const NO_SESSION: ReadonlySet<string> = new Set(['SESSION_NOT_FOUND', 'SESSION_AMBIGUOUS', 'SESSION_IN_USE', 'SESSION_EXISTS', 'NO_STORE'])

/** The code for an error that kept a run from beginning. */
export function exitCodeOfError(error: unknown): ExitCode {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return EXIT.error
  if (MISUSE.has(code)) return EXIT.usage
  return NO_SESSION.has(code) ? EXIT.noSession : EXIT.error
}

/** The code for a process that a signal has ended. */
export function exitCodeOfSignal(signal: Interrupt): ExitCode {
  return signal === 'SIGINT' ? EXIT.interrupted : EXIT.terminated
}

function ofError(code: string | undefined): ExitCode {
  if (code === undefined) return EXIT.error
  if (CONFIGURATION.has(code)) return EXIT.usage
  return PASSING.has(code) || /^HTTP_(408|409|425|5\d\d)$/.test(code) ? EXIT.retry : EXIT.error
}

function wasRefused(events: Iterable<SessionEvent>): boolean {
  for (const event of events) {
    if (event.type === 'tool/result' && event.data.error && REFUSED.has(event.data.error.code)) return true
  }
  return false
}
