/** `ctx.approval`: the one way from a plugin that needs permission to a human who can give it. */

import { Service, type Context } from 'cordis'
import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'
import type { Session } from '@deepseek-ai/dsh-session'
import type { Answerer, ApprovalAnswer, ApprovalQuestion, ApprovalRequest } from './types.ts'

declare module 'cordis' {
  interface Context {
    approval: ApprovalService
  }
}

/** What one session remembers of its answers. */
interface SessionState {
  /** The tail of the queue: one question of a session is open at a time. */
  tail: Promise<unknown>
  asked: number
  allowed: Set<string>
}

export class ApprovalService extends Service {
  static readonly provide = 'approval'

  private readonly states = new WeakMap<Session, SessionState>()
  private readonly slot: { answerer?: Answerer } = {}

  constructor(ctx: Context) {
    super(ctx, 'approval')
  }

  /** Makes the calling front door the one that answers; throws `DUPLICATE_ANSWERER` while there is another. */
  setAnswerer(answerer: Answerer): () => void {
    const { slot } = this
    if (slot.answerer) throw new HarnessError('DUPLICATE_ANSWERER', 'another front door answers approvals already')
    return this.ctx.effect(() => {
      slot.answerer = answerer
      return () => {
        delete slot.answerer
      }
    }, 'approval.setAnswerer()')
  }

  /**
   * Asks, one question of a session at a time, and logs question and answer.
   * `unavailable` when no front door answers, or the one that does fails.
   * Rejects with the signal's reason when it is aborted first.
   */
  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { session } = request.agent
    const state = this.stateOf(session)
    const turn = state.tail.then(() => this.askNow(request, state, signal))
    // The next question waits for this one however it ends; its failure belongs to its own asker.
    state.tail = turn.then(noop, noop)
    return await turn
  }

  private async askNow(request: ApprovalRequest, state: SessionState, signal: AbortSignal): Promise<ApprovalAnswer> {
    signal.throwIfAborted()
    if (request.rememberable && state.allowed.has(request.tool)) return { kind: 'allow', scope: 'session' }
    const { session } = request.agent
    const { callId, tool, reason } = request
    const id = `${callId}#${++state.asked}`
    session.append('approval/asked', { id, callId, tool, arguments: structuredClone(request.arguments), ...(reason !== undefined && { reason }) })
    const answer = await this.answer({ ...request, id }, signal)
    session.append('approval/decided', { id, answer })
    signal.throwIfAborted()
    if (request.rememberable && answer.kind === 'allow' && answer.scope === 'session') state.allowed.add(tool)
    return answer
  }

  private async answer(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { answerer } = this.slot
    if (!answerer) return { kind: 'unavailable' }
    try {
      return await answerer(question, signal)
    } catch (error) {
      if (!signal.aborted) this.ctx.logger.error('nobody could be asked about %s: %s', question.tool, describeError(error))
      return { kind: 'unavailable' }
    }
  }

  private stateOf(session: Session): SessionState {
    const known = this.states.get(session)
    if (known) return known
    const created: SessionState = { tail: Promise.resolve(), asked: 0, allowed: new Set() }
    this.states.set(session, created)
    return created
  }
}

function noop(): void {
  // Only the moment matters to whoever waits in the queue.
}
