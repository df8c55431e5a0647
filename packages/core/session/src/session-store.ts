/** `ctx.sessions`: the sessions that are open in this process. */

import { isAbsolute } from 'node:path'
import { Service, type Context } from 'cordis'
import { outside, scopeOf, type Scope } from '@deepseek-ai/dsh-scope'
import { SessionError } from './errors.ts'
import { Session, type AppendListener } from './session.ts'
import type { CreateSessionOptions, SessionEvent, SessionHeader, SessionId } from './types.ts'

declare module 'cordis' {
  interface Context {
    sessions: SessionStore
  }
}

/** Raised with every change of the stored form; readers upgrade older ones. */
export const SESSION_FORMAT_VERSION = 1

/**
 * Time-ordered and safe as a file name: milliseconds in base 36, then 8 random hex digits. They have to
 * be unlike, not secret: `node:crypto` would cost 5 ms at every start.
 */
export function newSessionId(now = Date.now()): SessionId {
  return `${now.toString(36).padStart(9, '0')}-${Math.floor(Math.random() * 2 ** 32).toString(16).padStart(8, '0')}`
}

/** What an id may look like, so that it can never leave its folder. */
const SAFE_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/

export class SessionStore extends Service {
  static readonly provide = 'sessions'

  private readonly open = new Map<SessionId, Session>()

  constructor(ctx: Context) {
    super(ctx, 'sessions')
  }

  /** Makes a session, enters it, and announces it. Throws `DUPLICATE_SESSION`, `INVALID_HEADER` or `INVALID_EVENT`. */
  create(id?: SessionId, options?: CreateSessionOptions): Session {
    const session = this.prepare(id, options)
    this.enter(session)
    this.announce(session)
    return session
  }

  /** Makes a session that nobody sees yet. */
  prepare(id: SessionId = newSessionId(), { seed, meta }: CreateSessionOptions = {}): Session {
    if (!SAFE_ID.test(id)) throw new SessionError('INVALID_HEADER', `"${id}" cannot be a session id: use letters, digits, dots, dashes and underscores`)
    if (meta?.cwd !== undefined && !isAbsolute(meta.cwd)) throw new SessionError('INVALID_HEADER', `the session's directory must be absolute, not "${meta.cwd}"`)
    const header: SessionHeader = { version: SESSION_FORMAT_VERSION, id, createdAt: Date.now(), ...meta }
    return new Session(header, seed)
  }

  /** Makes the session visible; the disposer, and the end of the calling plugin, detach it. Events go to listeners of the caller's scope and above. */
  enter(session: Session): () => void {
    const { open, ctx } = this
    if (open.has(session.id)) throw new SessionError('DUPLICATE_SESSION', `the session "${session.id}" is open already`)
    return ctx.effect(() => {
      open.set(session.id, session)
      session.onAppend = announcer(ctx.root, session, scopeOf(ctx) ?? outside)
      return () => {
        open.delete(session.id)
        session.onAppend = undefined
        ctx.root.emit((scopeOf(ctx) ?? outside) as never, 'session/closed', session)
      }
    }, `sessions.enter(${session.id})`)
  }

  /** Tells listeners of the caller's scope and above that the session is there. */
  announce(session: Session): void {
    this.ctx.root.emit((scopeOf(this.ctx) ?? outside) as never, 'session/created', session)
  }

  get(id: SessionId): Session | undefined {
    return this.open.get(id)
  }

  list(): Session[] {
    return [...this.open.values()]
  }
}

/** Announces in the order of the log also when a listener appends: what it adds waits until everybody has heard what came before. */
function announcer(root: Context, session: Session, scope: Scope): AppendListener {
  const waiting: SessionEvent[] = []
  // Looked up once: every reading of it goes through three proxies, and an answer has thousands of events.
  const emit = root.emit.bind(root) as Context['emit']
  return event => {
    waiting.push(event)
    if (waiting.length > 1) return
    try {
      for (const next of waiting) emit(scope as never, 'session/event', session, next)
    } finally {
      waiting.length = 0
    }
  }
}
