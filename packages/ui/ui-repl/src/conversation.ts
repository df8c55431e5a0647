/** One session on the screen: what is shown of it follows its log, live. */

import { basename } from 'node:path'
import type { Context } from 'cordis'
import type { Agent } from '@deepseek-ai/dsh-agent'
import { describeEnd, renderDamage, shortId, type OpenedAgent } from '@deepseek-ai/dsh-front-door'
import { typedText } from '@deepseek-ai/dsh-prompt-content'
import type { SessionEvent } from '@deepseek-ai/dsh-session'
import { plural, stripControls } from '@deepseek-ai/dsh-text'
import { QueueView } from './queue-view.ts'
import type { ReplScreen } from './repl-screen.ts'
import { SessionView, TodoList } from '@deepseek-ai/dsh-transcript'
import { StatusLine, UsageFold } from './status-line.ts'

/** Events of a resumed session that are shown again; what stands before them is in the log. */
const SHOWN_EVENTS = 400

export class Conversation {
  readonly opened: OpenedAgent
  readonly view: SessionView
  readonly queue: QueueView
  readonly #todos: TodoList
  readonly usage = new UsageFold()
  readonly #screen: ReplScreen
  readonly #stops: (() => unknown)[] = []

  constructor(ctx: Context, opened: OpenedAgent, screen: ReplScreen) {
    const { agent } = opened
    this.opened = opened
    this.#screen = screen
    this.view = new SessionView({ transcript: screen.transcript, style: screen.style, toolOf: name => ctx.get('tools')?.get(name, agent.scope) })
    this.queue = new QueueView(screen.theme, agent.session.settledEvents, () => agent.session.openTurn !== undefined)
    this.#todos = new TodoList(screen.theme, agent.session.settledEvents)
    for (const event of agent.session.settledEvents) this.usage.advance(event)
    screen.place([this.#todos, this.queue], new StatusLine(screen.theme, this.usage, () => this.#facts(ctx)))
    this.#stops.push(
      ctx.on('session/event', (session, event) => {
        if (session === agent.session) this.#show(event)
      }),
      ctx.on('tools/progress', ({ callId, agent: owner }, text) => {
        if (owner === agent) this.view.progress(callId, text)
      }),
      ctx.on('agent/status', (each, status) => {
        if (each === agent && status !== 'running') screen.activity.stop()
      }),
    )
    if (agent.status === 'running') screen.activity.start()
    this.#nameWindow()
  }

  get agent(): Agent {
    return this.opened.agent
  }

  /** What was said before, and what is wrong with what is stored; of what `isKnown`, for it stands on the screen, only the step that runs. */
  showPast({ isKnown = false } = {}): void {
    const { theme } = this.#screen
    if (isKnown) return this.#showFrom(this.#runningStep())
    for (const line of renderDamage(this.opened)) this.#screen.note(`${theme.warning('!')} ${line.trimEnd().replace(/^dsh: /, '')}`)
    const { session } = this.agent
    const { settledEvents } = session
    const running = this.#runningStep()
    const from = this.opened.stored ? (settledEvents.find(({ type, seq }) => seq >= session.seq - SHOWN_EVENTS && type === 'turn/start')?.seq ?? 0) : running
    if (this.opened.stored && settledEvents.some(({ type, seq }) => seq < from && type === 'turn/start')) this.#screen.note(theme.dim(`… ${plural(from, 'earlier event')}; dsh sessions show ${shortId(session.id)} shows all`))
    for (const event of settledEvents) if (event.seq >= from && event.seq < running) this.view.showPast(event)
    this.#showFrom(Math.max(from, running))
  }

  #showFrom(from: number): void {
    const streaming = this.agent.session.eventsFrom(from)
    const isAnswered = streaming.some(({ type }) => type === 'assistant/message')
    for (const event of streaming) if (event.type !== 'assistant/chunk' || !isAnswered) this.view.showPast(event)
  }

  /** Where the step begins that runs while the screen comes anew, as after an edit of its settings; past the end when none does. */
  #runningStep(): number {
    const { session, status } = this.agent
    const begin = status === 'running' && session.openTurn !== undefined ? session.settledEvents.findLast(({ type }) => type === 'step/start') : undefined
    return begin?.seq ?? session.seq
  }

  /** No longer shown; the agent goes on. */
  close(): void {
    for (const stop of this.#stops.splice(0)) stop()
    this.#screen.activity.stop()
  }

  #show(event: SessionEvent): void {
    const { activity, attention } = this.#screen
    this.queue.advance(event)
    this.usage.advance(event)
    this.#todos.advance(event)
    if (event.type === 'turn/start') {
      activity.start()
      attention.begin()
    } else if (event.type === 'turn/end') {
      activity.stop()
      attention.end(describeEnd(event.data.reason) ?? 'done')
    } else if (event.type === 'session/title' || event.type === 'user/message') this.#nameWindow()
    else if (event.type === 'llm/attempt' && event.data.retryInMs !== undefined) activity.set('waiting to try again', event.data.retryInMs)
    else if (event.type === 'step/start') activity.set('working')
    else if (event.type === 'tool/call') activity.set(`running ${stripControls(event.data.name)}`)
    this.view.show(event)
  }

  /** As lists of sessions call it; before there is anything, by its folder. */
  #nameWindow(): void {
    const { settledEvents, header } = this.agent.session
    const given = settledEvents.findLast((event): event is SessionEvent<'session/title'> => event.type === 'session/title')?.data.title
    const first = given ?? settledEvents.find((event): event is SessionEvent<'user/message'> => event.type === 'user/message')?.data.content
    const title = typeof first === 'string' ? first : first ? typedText(first) : basename(header.cwd ?? '')
    this.#screen.attention.setTitle(`dsh: ${title}`)
  }

  #facts(ctx: Context): { model: string; contextWindow: number | undefined; mode: string | undefined; session: string } {
    const { session, options } = this.agent
    const model = options.model ?? '(no model)'
    return {
      model: stripControls(model),
      contextWindow: ctx.get('llm')?.info(model)?.contextWindow,
      mode: ctx.approval.modeOf(session),
      session: this.opened.isStored ? shortId(session.id) : 'not stored',
    }
  }
}
