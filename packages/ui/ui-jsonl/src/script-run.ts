/** One run for a script: opens the session, feeds it what comes in, writes what happens, and ends with a result. */

import type { Context } from 'cordis'
import type {} from '@deepseek-ai/dsh-approval'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { describeUnfinished, EXIT, exitCodeOfSignal, openForRun, renderDamage, TOO_MANY_TURNS, limitTurns, type ExitCode, settleBackground, type Interrupt, type OpenedAgent } from '@deepseek-ai/dsh-front-door'
import type { StructuredAnswer } from '@deepseek-ai/dsh-front-door/structured-answer'
import type { LineOutput } from '@deepseek-ai/dsh-json-lines'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { holdUpFor } from './hold-up.ts'
import { outcomeOfSignal, outcomeOfTurns, outcomeWithout, withLastMessage, withUnfinished } from './outcome.ts'
import { EventTally } from './tally-events.ts'
import { takeInput } from './take-input.ts'
import type { Complaint, InputProtocol, LineFormat, Outcome, ScriptHost } from './types.ts'

/** What a run goes through. */
export interface ScriptDoor {
  output: LineOutput
  format: LineFormat
  /** Absent where the input is the prompt and nothing else. */
  protocol?: InputProtocol
  /** The longest line of the input, in bytes. */
  maxLineBytes: number
}

/** Resolves with the exit code when the last line has been handed over. Throws what opening the session throws. */
export async function runScript(ctx: Context, door: ScriptDoor): Promise<ExitCode> {
  const startedAt = performance.now()
  const { output, format } = door
  const { schemaFile } = ctx.frontDoor.request.output ?? {}
  const structured = schemaFile === undefined ? undefined : await (await import('@deepseek-ai/dsh-front-door/structured-answer')).readStructuredAnswer(schemaFile)
  const opened = await openForRun(ctx)
  if (typeof opened === 'string') {
    output.push(format.result(outcomeOfSignal(opened, performance.now() - startedAt)))
    await output.flushed()
    return exitCodeOfSignal(opened)
  }
  const run = new ScriptRun(ctx, opened, door, { structured, startedAt })
  const code = await run.drive()
  await output.flushed()
  await opened.dispose()
  return output.gone.aborted ? unreadCode(output) : code
}

function unreadCode({ failure }: LineOutput): ExitCode {
  return failure ? EXIT.error : EXIT.unread
}

interface RunParts {
  structured: StructuredAnswer | undefined
  startedAt: number
}

class ScriptRun implements ScriptHost {
  private readonly ctx: Context
  private readonly agent: Agent
  private readonly door: ScriptDoor
  private readonly parts: RunParts
  private readonly firstModel: string | undefined
  /** Messages that wait until the turn before them has its result. */
  private readonly held: ContentBlock[][] = []
  private readonly leaving = Promise.withResolvers<void>()
  private readonly stopped = new AbortController()
  private stoppedBy: Interrupt | undefined
  private hasLeft = false
  private hasInputEnded: boolean
  private wake: () => void = () => undefined
  /** What the result that comes next is about. */
  private span: { from: number; tally: EventTally; startedAt: number; hasInput: boolean; failure?: Error }
  private wasRefused = false

  constructor(ctx: Context, { agent, stored }: OpenedAgent, door: ScriptDoor, parts: RunParts) {
    this.ctx = ctx
    this.agent = agent
    this.door = door
    this.parts = parts
    this.firstModel = agent.options.model
    this.hasInputEnded = door.protocol === undefined
    this.span = { from: agent.session.seq, tally: new EventTally(), startedAt: parts.startedAt, hasInput: false }
    for (const line of renderDamage({ agent, isStored: true, ...(stored && { stored }) })) ctx.frontDoor.terminal.stderr.write(line)
  }

  /** From the first line to the result. */
  async drive(): Promise<ExitCode> {
    const { ctx, agent, door: { format, output, protocol, maxLineBytes }, parts } = this
    const { request, terminal } = ctx.frontDoor
    this.listen()
    parts.structured?.demandOf(ctx, agent)
    if (request.maxTurns !== undefined) limitTurns(ctx, agent, request.maxTurns)
    holdUpFor(output, ctx, agent.session.id)
    for (const line of format.begin(this.facts())) output.push(line)
    const prompt = ctx.frontDoor.takePrompt()
    if (prompt !== undefined) this.send([{ type: 'text', text: prompt }])
    if (protocol) void takeInput(terminal.stdin, { protocol, maxLineBytes, host: this, complain: complaint => this.complain(complaint) }).then(() => this.endInput())
    const outcome = await this.serve()
    return (outcome.exitCode === EXIT.completed && this.wasRefused ? EXIT.permission : outcome.exitCode) as ExitCode
  }

  send(content: ContentBlock[]): void {
    if (this.hasLeft) return
    this.span.hasInput = true
    if (this.door.format.resultPerTurn) this.held.push(content)
    else this.agent.send(content)
    this.wake()
  }

  steer(content: ContentBlock[]): void {
    if (this.hasLeft) return
    this.span.hasInput = true
    this.agent.steer(content)
    this.wake()
  }

  cancel(reason: string): void {
    this.agent.cancel(reason)
  }

  setModel(name: string | undefined): void {
    const model = name ?? this.firstModel
    this.agent.configure(model === undefined ? {} : { model })
  }

  models(): string[] {
    return this.ctx.get('llm')?.models() ?? []
  }

  setMode(name: string): void {
    this.ctx.approval.setMode(this.agent.session, name)
  }

  write(line: Parameters<ScriptHost['write']>[0]): void {
    this.door.output.push(line)
  }

  private facts(): Parameters<LineFormat['begin']>[0] {
    const { ctx, agent } = this
    const { request } = ctx.frontDoor
    const tools = ctx.get('tools')?.list(agent.scope).map(({ name }) => name) ?? []
    return { sessionId: agent.session.id, cwd: agent.session.header.cwd ?? request.cwd, model: agent.options.model, tools, mode: ctx.approval.modeOf(agent.session), version: request.version ?? '' }
  }

  private listen(): void {
    const { ctx, agent, door: { format, output } } = this
    ctx.on('session/event', (session, event) => {
      if (session !== agent.session) return
      this.span.tally.add(event)
      for (const line of format.event(event)) output.push(line)
    })
    ctx.on('agent/error', (of, _turn, step, error) => {
      // Within a step the turn ends with it, and says so itself.
      if (of === agent && step === 0) this.span.failure ??= error
    })
    ctx.on('front-door/interrupt', signal => {
      this.stoppedBy ??= signal
      this.leave(signal)
    })
    const onGone = (): void => this.leave('the reader of the output has gone')
    if (output.gone.aborted) onGone()
    else output.gone.addEventListener('abort', onGone, { once: true })
  }

  /** Nothing more is taken in; what runs is stopped. */
  private leave(reason: string): void {
    this.hasLeft = true
    this.stopped.abort()
    this.held.length = 0
    this.agent.cancel(reason)
    this.leaving.resolve()
    this.endInput()
  }

  private endInput(): void {
    this.door.protocol?.end()
    this.hasInputEnded = true
    this.wake()
  }

  private complain(complaint: Complaint): void {
    const line = this.door.format.complaint(complaint)
    if (line) this.door.output.push(line)
    else this.ctx.frontDoor.tell(`dsh: ${complaint.line === undefined ? '' : `line ${complaint.line} of the input: `}${complaint.message}\n`)
  }

  /** Works until no more can come, and tells how it ended; the last line is the result, even if that says it twice. */
  private async serve(): Promise<Outcome> {
    const { agent, door: { format, output } } = this
    let latest: Outcome | undefined
    for (;;) {
      const next = this.held.shift()
      if (next) {
        agent.send(next)
        await agent.whenIdle()
        latest = this.tell(this.conclude())
        if (latest.subtype === 'error_max_turns') this.leave(TOO_MANY_TURNS)
        continue
      }
      if (!this.hasInputEnded) {
        await new Promise<void>(resolve => (this.wake = resolve))
        continue
      }
      // What the last turn has set going may open another.
      await agent.whenIdle()
      if (this.held.length > 0) continue
      const unfinished = describeUnfinished(await settleBackground(this.ctx, this.stopped.signal))
      if (!latest || !format.resultPerTurn || this.hasNews()) return this.tell(withUnfinished(this.conclude(), unfinished))
      const final = withUnfinished(latest, unfinished)
      return output.last === 'result' && final === latest ? latest : this.tell(final)
    }
  }

  /** Whether there was a turn since the last result. */
  private hasNews(): boolean {
    return lastReason(this.agent.session.eventsFrom(this.span.from)) !== undefined
  }

  /** What has come of the span, which ends here. */
  private conclude(): Outcome {
    const { agent, parts, span, stoppedBy } = this
    const now = performance.now()
    const { output } = this.ctx.frontDoor.request
    const common = { tally: span.tally, durationMs: now - span.startedAt }
    const events = agent.session.eventsFrom(span.from)
    const reason = lastReason(events)
    const outcome = reason
      ? outcomeOfTurns({ ...common, reason, events, failure: span.failure, check: parts.structured?.check })
      : outcomeWithout({ ...common, stoppedBy, hadInput: span.hasInput })
    this.wasRefused ||= outcome.exitCode === EXIT.permission
    this.span = { from: agent.session.seq, tally: new EventTally(), startedAt: now, hasInput: this.held.length > 0 }
    return output?.lastMessageFile === undefined ? outcome : withLastMessage(outcome, output.lastMessageFile)
  }

  private tell(outcome: Outcome): Outcome {
    this.door.output.push(this.door.format.result(outcome))
    return outcome
  }
}

function lastReason(events: readonly SessionEvent[]): SessionEvent<'turn/end'>['data']['reason'] | undefined {
  return events.findLast((event): event is SessionEvent<'turn/end'> => event.type === 'turn/end')?.data.reason
}
