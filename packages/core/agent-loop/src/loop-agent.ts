/** The handle that everybody holds, and behind it the one coroutine that drives the agent's turns. */

import type { Context } from 'cordis'
import { AgentError, TURN_FAILED, type Agent, type AgentId, type AgentOptions, type AgentStatus, type CancelOptions, type SendOptions, type SessionStartSource } from '@deepseek-ai/dsh-agent'
import { describeError } from '@deepseek-ai/dsh-errors'
import { asBlocks, type ContentBlock } from '@deepseek-ai/dsh-llm'
import { scopeOf, type Scope } from '@deepseek-ai/dsh-scope'
import type { InboxTarget, Session, SessionEvent } from '@deepseek-ai/dsh-session'
import { BudgetMeter } from './budget.ts'
import { Inbox } from './inbox.ts'
import { runTurn } from './run-turn.ts'
import { TurnStop } from './stop.ts'
import { checkpoint, checkpointNow, type LoopLimits, type TurnRun } from './turn-run.ts'

/** Timers with a longer delay fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

export interface LoopAgentSetup {
  id: AgentId
  /** Carries the agent's scope. */
  ctx: Context
  session: Session
  options: AgentOptions
  limits: LoopLimits
}

export class LoopAgent implements Agent {
  readonly id: AgentId
  readonly ctx: Context
  readonly scope: Scope
  readonly session: Session
  private current: AgentOptions
  private state: AgentStatus = 'idle'
  private readonly limits: LoopLimits
  private readonly inbox: Inbox
  /** Set by accepted input, cleared by a turn that claims it or a cancel before it: input sent while a cancel converges stays a reason to run. */
  private wake: boolean
  private abort: AbortController | undefined
  private readonly life = new AbortController()
  private rouse: (() => void) | undefined
  private idleWaiters: (() => void)[] = []
  private driver: Promise<void> | undefined

  constructor({ id, ctx, session, options, limits }: LoopAgentSetup) {
    const scope = scopeOf(ctx)
    if (!scope) throw new TypeError('an agent needs a context with a scope')
    this.id = id
    this.ctx = ctx
    this.scope = scope
    this.session = session
    this.current = options
    this.limits = limits
    this.inbox = new Inbox(session.settledEvents)
    this.wake = this.inbox.size > 0
  }

  get status(): AgentStatus {
    return this.state
  }

  get options(): AgentOptions {
    return this.current
  }

  get turnSignal(): AbortSignal | undefined {
    return this.abort?.signal
  }

  send(content: string | readonly ContentBlock[], options: SendOptions = {}): string {
    return this.accept('turn', content, options)
  }

  steer(content: string | readonly ContentBlock[], options: SendOptions = {}): string {
    return this.accept(this.session.openTurn === undefined ? 'turn' : 'step', content, options)
  }

  inject(content: string | readonly ContentBlock[], { source }: Required<SendOptions>): void {
    this.assertLive()
    const { session } = this
    const data = { content: structuredClone(asBlocks(content)), source }
    if (session.openTurn !== undefined) {
      session.append('context/message', data, { surfaceOp: 'append' })
      return
    }
    const turn = session.turns + 1
    session.append('turn/start', { turn, trigger: { kind: 'injection', source } })
    session.append('context/message', data, { surfaceOp: 'append' })
    session.append('turn/end', { turn, reason: { kind: 'completed' } })
    checkpoint({ ctx: this.ctx, agent: this, session }).catch((error: unknown) => this.report(turn, 0, error))
  }

  unqueue(id: string, reason = 'taken back'): boolean {
    if (!this.inbox.has(id)) return false
    this.session.append('inbox/dropped', { ids: [id], reason })
    return true
  }

  cancel(reason = 'cancelled', { queue = 'drop' }: CancelOptions = {}): void {
    if (this.state === 'disposed') return
    this.wake = false
    const ids = this.inbox.all().map(input => input.id)
    if (queue === 'drop' && ids.length > 0) this.session.append('inbox/dropped', { ids, reason })
    this.abort?.abort(TurnStop.aborted(reason))
    if (this.state === 'idle') this.settleWaiters()
  }

  configure(options: Partial<AgentOptions>): void {
    this.current = { ...this.current, ...options }
  }

  whenIdle(): Promise<void> {
    if (this.state === 'disposed') return this.driver ?? Promise.resolve()
    if (this.state === 'idle' && !this.hasWork()) return Promise.resolve()
    return new Promise(resolve => this.idleWaiters.push(resolve))
  }

  /** Called by the owner of the session's events, for every append. */
  observe(event: SessionEvent): void {
    this.inbox.advance(event)
  }

  /** Starts the driver; once. */
  start(source: SessionStartSource): void {
    this.driver ??= this.drive(source)
  }

  /** Ends the running turn as `disposed` and resolves when the driver has left. */
  async stop(): Promise<void> {
    if (this.state !== 'disposed') {
      const stop = new TurnStop({ kind: 'disposed' }, 'the agent was disposed')
      this.abort?.abort(stop)
      this.setStatus('disposed')
      this.life.abort(stop)
      this.rouse?.()
    }
    await this.driver
    this.settleWaiters()
  }

  private accept(target: InboxTarget, content: string | readonly ContentBlock[], { source = { kind: 'user' } }: SendOptions): string {
    this.assertLive()
    const blocks = structuredClone(asBlocks(content))
    const id = `in-${this.session.seq}`
    this.session.append('inbox/queued', { id, target, content: blocks, source })
    this.wake = true
    this.ctx.root.emit(this.scope as never, 'agent/queued', this, blocks, { id, source, steering: target === 'step' })
    this.rouse?.()
    return id
  }

  private assertLive(): void {
    if (this.state === 'disposed') throw new AgentError('AGENT_DISPOSED', `the agent ${this.id} has been disposed`)
  }

  private hasWork(): boolean {
    return this.wake && this.inbox.size > 0
  }

  private async drive(source: SessionStartSource): Promise<void> {
    await this.announceStart(source)
    while (!this.isDisposed()) {
      await this.untilWork()
      if (this.isDisposed()) return
      this.setStatus('running')
      while (this.hasWork() && !this.isDisposed()) await this.driveTurn()
      if (!this.isDisposed()) this.setStatus('idle')
      this.settleWaiters()
    }
  }

  /** A method, because the state changes behind the compiler's back while the driver waits. */
  private isDisposed(): boolean {
    return this.state === 'disposed'
  }

  private async untilWork(): Promise<void> {
    while (!this.hasWork() && !this.isDisposed()) {
      await new Promise<void>(resolve => (this.rouse = resolve))
      this.rouse = undefined
    }
  }

  private async driveTurn(): Promise<void> {
    const { ctx, session, inbox, limits } = this
    const abort = (this.abort = new AbortController())
    const turn = session.turns + 1
    const { budget } = this.current
    const timeUp = (): void => abort.abort(new TurnStop({ kind: 'limit', which: 'deadline' }, 'the time is up'))
    const timer = budget?.deadlineMs === undefined ? undefined : setTimeout(timeUp, Math.min(budget.deadlineMs, LONGEST_TIMER_MS))
    this.wake = false
    const run: TurnRun = { ctx, agent: this, session, inbox, limits, budget: new BudgetMeter(budget), turn, signal: abort.signal }
    try {
      const { steps, error } = await runTurn(run)
      if (error) this.report(turn, steps, error)
      await checkpointNow(run).catch((failure: unknown) => {
        throw failure === abort.signal.reason ? new Error('the end of the turn may not be stored: the store did not finish in time') : failure
      })
    } catch (error) {
      this.report(turn, 0, error)
    } finally {
      clearTimeout(timer)
      this.abort = undefined
    }
  }

  private report(turn: number, step: number, thrown: unknown): void {
    const error = thrown instanceof Error ? thrown : new Error(String(thrown))
    this.ctx.logger.error(TURN_FAILED, turn, this.id, step, describeError(error))
    this.ctx.root.emit(this.scope as never, 'agent/error', this, turn, step, error)
  }

  private setStatus(status: AgentStatus): void {
    if (this.state === status || this.state === 'disposed') return
    this.state = status
    this.ctx.root.emit(this.scope as never, 'agent/status', this, status)
  }

  private settleWaiters(): void {
    if (!this.isDisposed() && (this.state === 'running' || this.hasWork())) return
    for (const resolve of this.idleWaiters.splice(0)) resolve()
  }

  /** Lets `agent/session-start` listeners inject before the first request, but not hold it up for ever. */
  private async announceStart(source: SessionStartSource): Promise<void> {
    const { sessionStartTimeoutMs: limitMs } = this.limits
    const { promise, resolve: goOn } = Promise.withResolvers<void>()
    const timer = setTimeout(() => {
      this.ctx.logger.warn('a listener of agent/session-start took longer than %d ms; going on without it', limitMs)
      goOn()
    }, limitMs)
    this.life.signal.addEventListener('abort', () => goOn(), { once: true })
    this.ctx.root
      .parallel(this.scope as never, 'agent/session-start', this, source)
      .catch((error: unknown) => this.report(0, 0, error))
      .finally(goOn)
    await promise
    clearTimeout(timer)
  }
}
