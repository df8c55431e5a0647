/** `ctx.approval`: the one way from a plugin that needs permission to a human who can give it. */

import { Service, type Context } from 'cordis'
import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'
import type { Session } from '@deepseek-ai/dsh-session'
import { foldAnswers } from './fold-answers.ts'
import type { Answerer, ApprovalAnswer, ApprovalQuestion, ApprovalRequest } from './types.ts'

declare module 'cordis' {
  interface Context {
    approval: ApprovalService
  }
}

/** What is known of one session: its log, folded, and who waits. */
interface SessionState {
  /** The tail of the queue: one question of a session is open at a time. */
  tail: Promise<unknown>
  asked: number
  /** Tools whose further calls need no question. */
  allowed: Set<string>
}

interface Slot {
  answerer: Answerer
  /** Aborted when the front door goes. */
  gone: AbortController
}

export class ApprovalService extends Service {
  static readonly provide = 'approval'

  private readonly states = new WeakMap<Session, SessionState>()
  private readonly place: { slot?: Slot } = {}

  constructor(ctx: Context) {
    super(ctx, 'approval')
  }

  /** Makes the calling front door the one that answers; throws `DUPLICATE_ANSWERER` while there is another. */
  setAnswerer(answerer: Answerer): () => void {
    const { place } = this
    if (place.slot) throw new HarnessError('DUPLICATE_ANSWERER', 'another front door answers approvals already')
    return this.ctx.effect(() => {
      const gone = new AbortController()
      place.slot = { answerer, gone }
      return () => {
        delete place.slot
        gone.abort(new Error('the front door was unloaded'))
      }
    }, 'approval.setAnswerer()')
  }

  /**
   * Asks, one question of a session at a time, and logs question and answer.
   * `unavailable` when no front door answers, or the one that does fails or
   * goes. Rejects with the signal's reason when it is aborted first.
   */
  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    const state = this.stateOf(request.agent.session)
    const before = state.tail
    const turn = unlessAborted(before, signal).then(() => this.askNow(request, state, signal))
    // The next question waits for this one and those before, however they end; a failure belongs to its own asker.
    state.tail = Promise.allSettled([before, turn])
    return await turn
  }

  private async askNow(request: ApprovalRequest, state: SessionState, signal: AbortSignal): Promise<ApprovalAnswer> {
    signal.throwIfAborted()
    if (request.rememberable && state.allowed.has(request.tool)) return { kind: 'allow', scope: 'session' }
    const { session } = request.agent
    const { callId, tool, reason } = request
    const id = `${callId}#${++state.asked}`
    session.append('approval/asked', { id, callId, tool, arguments: structuredClone(request.arguments), ...(reason !== undefined && { reason }) })
    const answer = limitScope(await this.answer({ ...request, id }, signal), request.rememberable)
    session.append('approval/decided', { id, answer })
    signal.throwIfAborted()
    if (answer.kind === 'allow' && answer.scope === 'session') state.allowed.add(tool)
    return answer
  }

  private async answer(question: ApprovalQuestion, signal: AbortSignal): Promise<ApprovalAnswer> {
    const { slot } = this.place
    if (!slot) return { kind: 'unavailable' }
    const either = AbortSignal.any([signal, slot.gone.signal])
    try {
      return await unlessAborted(slot.answerer(question, either), either)
    } catch (error) {
      if (!either.aborted) this.ctx.logger.error('nobody could be asked about %s: %s', question.tool, describeError(error))
      return { kind: 'unavailable' }
    }
  }

  private stateOf(session: Session): SessionState {
    const known = this.states.get(session)
    if (known) return known
    const created: SessionState = { tail: Promise.resolve(), ...foldAnswers(session.events) }
    this.states.set(session, created)
    return created
  }
}

/** An answer outlives its call only where that was offered. */
function limitScope(answer: ApprovalAnswer, rememberable: boolean): ApprovalAnswer {
  return answer.kind === 'allow' && !rememberable ? { kind: 'allow', scope: 'once' } : answer
}

/** What `promise` settles with, or the signal's reason as soon as it is aborted. */
function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  return Promise.race([promise, aborted]).finally(() => signal.removeEventListener('abort', onAbort))
}
