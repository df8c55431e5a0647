/** `ctx.approval`: the one way from a plugin that needs permission to a human who can give it, and the permission mode of each session. */

import { Service, type Context } from 'cordis'
import z from 'schemastery'
import { unlessAborted } from '@deepseek-ai/dsh-abort'
import { describeError, HarnessError } from '@deepseek-ai/dsh-errors'
import type { Session } from '@deepseek-ai/dsh-session'
import type { PreToolDecision, ToolDefinition } from '@deepseek-ai/dsh-tools'
import { AnswerFold } from './fold-answers.ts'
import { ModeRegistry } from './modes.ts'
import type { Answerer, ApprovalAnswer, ApprovalRequest, ApprovalScope, Inquiry, InquiryAnswer, InquiryRequest, PermissionMode, PermissionPolicy, RememberedRule } from './types.ts'

declare module 'cordis' {
  interface Context {
    approval: ApprovalService
  }
}

export interface ApprovalConfig {
  /** How long a question waits for its answer, in milliseconds; 0: as long as it takes. */
  timeoutMs: number
}

/** What is known of one session: its log, folded, and who waits. */
interface SessionState {
  /** The tail of the queue: one question of a session is open at a time. */
  tail: Promise<unknown>
  fold: AnswerFold
}

interface Slot {
  answerer: Answerer
  /** Aborted when the front door goes. */
  gone: AbortController
}

/** A front door that is loaded anew is back by then. */
const RETURN_MS = 5000
const POLL_MS = 10

const EVERY_SCOPE: readonly ApprovalScope[] = ['once', 'turn', 'session', 'project']

export class ApprovalService extends Service {
  static readonly provide = 'approval'
  static readonly Config: z<ApprovalConfig> = z.object({
    timeoutMs: z.natural().default(0).description('How long a question waits for its answer, in milliseconds; 0: as long as it takes.'),
  })

  private readonly states = new WeakMap<Session, SessionState>()
  private readonly place: { slot?: Slot; /** When the last one went. */ goneAt?: number; policy?: PermissionPolicy; hadPolicy?: true } = {}
  private readonly modeRegistry = new ModeRegistry()
  private readonly timeoutMs: number

  constructor(ctx: Context, { timeoutMs }: Partial<ApprovalConfig> = {}) {
    super(ctx, 'approval')
    this.timeoutMs = timeoutMs ?? 0
    ctx.on('tools/pre-execute', async (_call, tool, next) => refuseWithoutPolicy(this.place, tool) ?? (await next()))
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
        place.goneAt = performance.now()
        gone.abort(new Error('the front door was unloaded'))
      }
    }, 'approval.setAnswerer()')
  }

  /** Makes `policy` the one that decides; throws `DUPLICATE_POLICY` while there is another. */
  setPolicy(policy: PermissionPolicy): () => void {
    const { place } = this
    if (place.policy) throw new HarnessError('DUPLICATE_POLICY', 'another plugin decides about permissions already; disable one of the two rows')
    return this.ctx.effect(() => {
      place.policy = policy
      place.hadPolicy = true
      return () => {
        delete place.policy
      }
    }, 'approval.setPolicy()')
  }

  /** Undefined while no plugin decides. */
  get policy(): PermissionPolicy | undefined {
    return this.place.policy
  }

  /** Whether anybody answers approvals. */
  get hasAnswerer(): boolean {
    return this.place.slot !== undefined
  }

  /** Whether there is a way to put questions of the model's to somebody. */
  get canInquire(): boolean {
    return this.place.slot?.answerer.inquire !== undefined
  }

  /** Adds a mode that sessions can be in; throws `DUPLICATE_MODE`. */
  registerMode(mode: PermissionMode): () => void {
    return this.modeRegistry.register(this.ctx, mode)
  }

  /** In the order of their registration. */
  modes(): PermissionMode[] {
    return this.modeRegistry.list()
  }

  /** The name of the session's mode: what its log says last, else the policy's default. Undefined without a policy. */
  modeOf(session: Session): string | undefined {
    const logged = this.stateOf(session).fold.advance().mode
    if (!logged) return this.policy?.defaultMode
    return this.modeRegistry.base(logged.mode) === undefined && logged.base !== undefined ? logged.base : logged.mode
  }

  /** Logs a change of mode; nothing when it is that already. Throws `UNKNOWN_MODE`. */
  setMode(session: Session, name: string): void {
    const mode = this.modeRegistry.get(name)
    if (this.modeOf(session) === name) return
    session.append('approval/mode', { mode: name, ...(mode.base !== undefined && { base: mode.base }) })
  }

  /** The mode of the policy that a mode comes down to; undefined for an unknown one. */
  baseMode(name: string): string | undefined {
    return this.modeRegistry.base(name)
  }

  /** The rules that answers of this turn and this session left, as they were shown. */
  remembered(session: Session): string[] {
    return this.stateOf(session).fold.advance().remembered()
  }

  /** The same, with the answers that left them. */
  allowances(session: Session): RememberedRule[] {
    return this.stateOf(session).fold.advance().allowances()
  }

  /**
   * Takes back a rule that an answer left, in whatever scope: what it allowed is asked again.
   * False when there is none. Rejects when what is kept for the project cannot be changed; then nothing is.
   */
  async revoke(session: Session, rule: string, signal: AbortSignal): Promise<boolean> {
    const wasKept = (await this.policy?.forget?.(session.header.cwd ?? process.cwd(), rule, signal)) ?? false
    const isRemembered = this.remembered(session).includes(rule)
    if (isRemembered) session.append('approval/revoked', { rules: [rule] })
    return wasKept || isRemembered
  }

  /**
   * Asks, one question of a session at a time, and logs question and answer.
   * `unavailable` when no front door answers, or the one that does fails, goes
   * for more than some seconds or takes too long. Rejects with the signal's reason when it is aborted first;
   * an answer that comes later reaches nobody.
   */
  async ask(request: ApprovalRequest, signal: AbortSignal): Promise<ApprovalAnswer> {
    return await this.inTurn(request.agent.session, signal, state => this.askNow(request, state, signal))
  }

  /** Puts questions of the model's to the user, in the same queue as `ask`. */
  async inquire(request: InquiryRequest, signal: AbortSignal): Promise<InquiryAnswer> {
    return await this.inTurn(request.agent.session, signal, state => this.inquireNow(request, state, signal))
  }

  private async inTurn<T>(session: Session, signal: AbortSignal, work: (state: SessionState) => Promise<T>): Promise<T> {
    const state = this.stateOf(session)
    const before = state.tail
    const turn = unlessAborted(before, signal).then(() => work(state))
    // The next question waits for this one and those before, however they end; a failure belongs to its own asker.
    state.tail = Promise.allSettled([before, turn])
    return await turn
  }

  private async askNow(request: ApprovalRequest, { fold }: SessionState, signal: AbortSignal): Promise<ApprovalAnswer> {
    signal.throwIfAborted()
    const { settled, ...rest } = request
    const already = await settled?.()
    if (already) return already
    const { agent: { session }, callId, tool, reason, remember } = request
    const id = `${callId}#${fold.advance().asked + 1}`
    session.append('approval/asked', { id, callId, tool, arguments: structuredClone(request.arguments), ...(reason !== undefined && { reason }), remember: [...remember] })
    const scopes = remember.length > 0 ? EVERY_SCOPE : EVERY_SCOPE.slice(0, 1)
    const answer = limitScope(await this.put<ApprovalAnswer>(tool, signal, (answerer, inner) => answerer.approve({ ...rest, id, scopes }, inner)), scopes)
    session.append('approval/decided', { id, answer })
    signal.throwIfAborted()
    return answer
  }

  private async inquireNow(request: InquiryRequest, { fold }: SessionState, signal: AbortSignal): Promise<InquiryAnswer> {
    signal.throwIfAborted()
    const { agent: { session }, callId, questions } = request
    const inquiry: Inquiry = { ...request, id: `${callId}#${fold.advance().asked + 1}` }
    session.append('approval/inquired', { id: inquiry.id, callId, questions: structuredClone(questions) })
    const answer = await this.put<InquiryAnswer>('ask_user', signal, async (answerer, inner) => (await answerer.inquire?.(inquiry, inner)) ?? { kind: 'unavailable' })
    session.append('approval/answered', { id: inquiry.id, answer })
    signal.throwIfAborted()
    return answer
  }

  /** What the front door says, as long as the time allows; one that is loaded anew is asked again. */
  private async put<A>(what: string, signal: AbortSignal, question: (answerer: Answerer, signal: AbortSignal) => Promise<A>): Promise<A | { kind: 'unavailable'; reason?: string }> {
    const { timeoutMs } = this
    const late = new AbortController()
    const timer = timeoutMs > 0 ? setTimeout(() => late.abort(new Error('nobody answered in time')), timeoutMs) : undefined
    const either = AbortSignal.any([signal, late.signal])
    try {
      for (let slot = await this.slotNow(either); slot !== undefined; slot = await this.slotNow(either)) {
        const whileThere = AbortSignal.any([either, slot.gone.signal])
        try {
          return await unlessAborted(question(slot.answerer, whileThere), whileThere)
        } catch (error) {
          if (either.aborted || !slot.gone.signal.aborted) throw error
        }
      }
      return { kind: 'unavailable' }
    } catch (error) {
      if (late.signal.aborted) return { kind: 'unavailable', reason: `nobody answered within ${timeoutMs / 1000} s` }
      if (!either.aborted) this.ctx.logger.error('nobody could be asked about %s: %s', what, describeError(error))
      return { kind: 'unavailable' }
    } finally {
      clearTimeout(timer)
    }
  }

  /** The front door; one that went a moment ago is waited for, since it may be loaded anew. */
  private async slotNow(signal: AbortSignal): Promise<Slot | undefined> {
    const { place } = this
    while (!place.slot && performance.now() < (place.goneAt ?? -Infinity) + RETURN_MS) await unlessAborted(new Promise(resolve => setTimeout(resolve, POLL_MS)), signal)
    return place.slot
  }

  private stateOf(session: Session): SessionState {
    const known = this.states.get(session)
    if (known) return known
    const created: SessionState = { tail: Promise.resolve(), fold: new AnswerFold(session) }
    this.states.set(session, created)
    return created
  }
}

/** A program that had a policy has one: while it is reloaded, or after it failed, only what reads runs. */
function refuseWithoutPolicy({ policy, hadPolicy }: { policy?: PermissionPolicy; hadPolicy?: true }, { name, kind }: ToolDefinition): PreToolDecision | undefined {
  if (policy || !hadPolicy || kind === 'read' || kind === 'search' || kind === 'think') return undefined
  return { kind: 'deny', code: 'NO_POLICY', reason: `nothing decides about permissions at this moment, so ${name} may not run; it may when the plugin that does is back` }
}

/** An answer reaches no further than what was offered. */
function limitScope(answer: ApprovalAnswer, scopes: readonly ApprovalScope[]): ApprovalAnswer {
  return answer.kind === 'allow' && !scopes.includes(answer.scope) ? { kind: 'allow', scope: 'once' } : answer
}
