/** Runs a recorded session again through the mounted loop; the record is everything that surrounds it. */

import type { Context } from 'cordis'
import type { AgentHandle } from '@deepseek-ai/dsh-agent'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import type { SessionEvent, SessionHeader } from '@deepseek-ai/dsh-session'
import { answerLoop } from './answer-loop.ts'
import { Lockstep, type StretchEnd } from './lockstep.ts'
import { RecordedLog } from './recorded-log.ts'

export interface ReplayOptions {
  signal: AbortSignal
  /** How long nothing may happen before the replay is given up, in milliseconds. Default 5,000. */
  patienceMs?: number
}

export interface Replayed {
  /** The new log. */
  events: SessionEvent[]
  /** Why it ends early, in a sentence; the comparison says where. */
  unplayed?: string
}

/** As many processes as one session may have lived in. */
const MOST_STRETCHES = 10_000

/** Needs a loop and its services in `ctx`, and the session's id free. Throws `NO_LOOP`; aborted, the signal's reason. */
export async function replaySession(ctx: Context, { header, events }: { header: SessionHeader; events: readonly SessionEvent[] }, { signal, patienceMs = 5000 }: ReplayOptions): Promise<Replayed> {
  if (ctx.get('agents')?.ready !== true) throw new HarnessError('NO_LOOP', 'no agent loop is mounted: there is nothing to replay through')
  const record = new RecordedLog(events)
  let log: readonly SessionEvent[] = events.slice(0, header.seedLength ?? 0)
  for (let i = 0; i < MOST_STRETCHES; i++) {
    signal.throwIfAborted()
    const stretch = await playStretch(ctx, { header, record, seed: log, isFirst: i === 0, signal, patienceMs })
    const grew = stretch.events.length > log.length
    log = stretch.events
    if (stretch.end === 'complete') return { events: [...log] }
    if (stretch.end === 'diverged') return { events: [...log], unplayed: `the replay left the record after event ${stretch.agreed - 1}; what comes after it was not played` }
    if (!grew && i > 0) return { events: [...log], unplayed: `the replay does not come past event ${log.length - 1}` }
  }
  return { events: [...log], unplayed: `the session lived in more than ${MOST_STRETCHES} processes` }
}

interface StretchOptions {
  header: SessionHeader
  record: RecordedLog
  seed: readonly SessionEvent[]
  isFirst: boolean
  signal: AbortSignal
  patienceMs: number
}

interface Stretch {
  events: readonly SessionEvent[]
  /** How many of them agree with the record. */
  agreed: number
  end: StretchEnd
}

/** What one process did: from the seed to its end. */
async function playStretch(ctx: Context, options: StretchOptions): Promise<Stretch> {
  const { header, record, seed, isFirst, signal } = options
  const { version: _, id, ...meta } = header
  const handle = ctx.agents.create({ sessionId: id, seed, meta, source: isFirst ? 'startup' : 'resume', agentOptions: { model: 'replayed' } })
  const { agent } = handle
  const { promise: ended, resolve: onEnd } = Promise.withResolvers<StretchEnd>()
  const lockstep = new Lockstep({ record, agent, shutDown: () => void handle.dispose(), onEnd })
  answerLoop({ agent, record, lockstep })
  const watch = new Watch(options, lockstep)
  agent.ctx.on('session/event', session => {
    if (session !== agent.session) return
    watch.touch()
    lockstep.follow()
  })
  lockstep.follow()
  const end = await Promise.race([ended, watch.stalled])
  const events = end === 'process-end' ? agent.session.events.slice(0, lockstep.length) : await settle(handle, end, options)
  watch.close()
  await handle.dispose()
  signal.throwIfAborted()
  return { events: end === 'process-end' ? events : agent.session.events.slice(0, events.length), agreed: lockstep.length, end: lockstep.end === 'diverged' ? 'diverged' : end }
}

/** What the loop still does by itself belongs to the new log; a record that ends in an open turn was cut there. */
async function settle({ agent }: AgentHandle, end: StretchEnd, { record, patienceMs, signal }: StretchOptions): Promise<readonly SessionEvent[]> {
  const last = record.events.at(-1)
  const { session } = agent
  const wasCut = end === 'complete' && (session.openTurn !== undefined || last?.type === 'inbox/queued')
  if (wasCut) return session.events.slice(0, record.events.length)
  const timer = new AbortController()
  const timeUp = new Promise<void>(resolve => {
    const handle = setTimeout(resolve, patienceMs)
    timer.signal.addEventListener('abort', () => clearTimeout(handle), { once: true })
    signal.addEventListener('abort', () => resolve(), { once: true, signal: timer.signal })
  })
  await Promise.race([agent.whenIdle(), timeUp])
  timer.abort()
  return session.events.slice()
}

/** Notices that nothing happens any more. */
class Watch {
  readonly stalled: Promise<StretchEnd>
  private readonly options: StretchOptions
  private readonly lockstep: Lockstep
  private readonly stall: (end: StretchEnd) => void
  private timer: NodeJS.Timeout

  constructor(options: StretchOptions, lockstep: Lockstep) {
    this.options = options
    this.lockstep = lockstep
    const { promise, resolve } = Promise.withResolvers<StretchEnd>()
    this.stalled = promise
    this.stall = resolve
    this.timer = this.start()
    options.signal.addEventListener('abort', () => resolve('diverged'), { once: true })
  }

  touch(): void {
    clearTimeout(this.timer)
    this.timer = this.start()
  }

  close(): void {
    clearTimeout(this.timer)
  }

  /** Input that waits for a turn that another process opened makes this the end of one. */
  private start(): NodeJS.Timeout {
    const { record, patienceMs } = this.options
    const next = (): SessionEvent | undefined => record.events[this.lockstep.length]
    const isWaiting = next()?.type === 'turn/start'
    return setTimeout(() => this.stall(next()?.type === 'turn/start' ? 'process-end' : 'diverged'), isWaiting ? Math.min(500, patienceMs) : patienceMs)
  }
}
