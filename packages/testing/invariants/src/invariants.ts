/** Watches everything that must hold in a running harness, and remembers what did not. */

import type { Context } from 'cordis'
import type { Agent, AgentStatus } from '@deepseek-ai/dsh-agent'
import type { GenerateOptions } from '@deepseek-ai/dsh-llm'
import type { Session, SessionEvent, SessionId } from '@deepseek-ai/dsh-session'
import { findRequestFault } from './find-request-fault.ts'
import { LogRules } from './log-rules.ts'
import type { Violation } from './types.ts'

export interface Invariants {
  /** What was broken so far, oldest first. */
  readonly violations: readonly Violation[]
  /** How many requests were compared with the log. */
  readonly requestsChecked: number
  /** Throws with all violations when there are any. */
  assertHeld(): void
}

/** Watches until the calling plugin ends. Sessions that are open already are checked from their first event. */
export function createInvariants(ctx: Context): Invariants {
  const watch = new Watch(ctx)
  for (const session of ctx.sessions.list()) watch.rulesOf(session)
  ctx.on('session/created', session => void watch.rulesOf(session))
  ctx.on('session/event', (session, event) => watch.see(session, event), { prepend: true })
  ctx.on('agent/status', (agent, status) => watch.status(agent, status))
  ctx.on('llm/stream', (options, next) => {
    watch.request(options)
    return next()
  }, { prepend: true })
  return watch
}

class Watch implements Invariants {
  readonly violations: Violation[] = []
  requestsChecked = 0
  private readonly rules = new Map<SessionId, { session: Session; log: LogRules }>()
  private readonly ctx: Context

  constructor(ctx: Context) {
    this.ctx = ctx
  }

  assertHeld(): void {
    if (this.violations.length === 0) return
    throw new Error(`${this.violations.length} invariants were broken:\n${this.violations.map(describe).join('\n')}`)
  }

  /** The rules of a session that have seen its log up to now. */
  rulesOf(session: Session): LogRules {
    const known = this.rules.get(session.id)
    if (known?.session === session) return known.log
    const log = new LogRules()
    this.rules.set(session.id, { session, log })
    for (const event of session.events) this.feed(session, log, event)
    return log
  }

  see(session: Session, event: SessionEvent): void {
    const log = this.rulesOf(session)
    // A session that is seen for the first time has just been read to its end.
    if (event.seq >= log.seen) this.feed(session, log, event)
  }

  status(agent: Agent, status: AgentStatus): void {
    const { openTurn } = agent.session
    if (status !== 'idle' || openTurn === undefined) return
    this.note({ sessionId: agent.session.id, message: `the agent ${agent.id} is idle while turn ${openTurn} is open` })
  }

  /** Requests from outside a step (titles, summaries) are nobody's fold and are not compared. */
  request(options: GenerateOptions): void {
    const known = options.sessionId === undefined ? undefined : this.rules.get(options.sessionId)
    if (!known?.log.awaitsAnswer) return
    this.requestsChecked++
    const fault = findRequestFault(known.session, options)
    if (fault !== undefined) this.note({ sessionId: known.session.id, message: fault })
  }

  private feed(session: Session, log: LogRules, event: SessionEvent): void {
    for (const message of log.advance(event)) this.note({ sessionId: session.id, seq: event.seq, message: `${event.type}: ${message}` })
  }

  private note(violation: Violation): void {
    this.violations.push(violation)
    this.ctx.logger.error('invariant broken: %s', describe(violation))
  }
}

function describe({ sessionId, seq, message }: Violation): string {
  return `${sessionId}${seq === undefined ? '' : ` event ${seq}`}: ${message}`
}
