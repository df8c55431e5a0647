/** Answers everything that the loop asks of others from the record: the model, the tools, and the plugins on its events. */

import type { Agent } from '@deepseek-ai/dsh-agent'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { LlmError, text, type GenerateOptions, type StreamChunk } from '@deepseek-ai/dsh-llm'
import type { ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import type { Lockstep } from './lockstep.ts'
import type { RecordedAttempt, RecordedLog } from './recorded-log.ts'

export interface AnswerOptions {
  agent: Agent
  record: RecordedLog
  lockstep: Lockstep
}

/** All registrations are on the agent's context and end with it. */
export function answerLoop(options: AnswerOptions): void {
  offerTools(options)
  answerModel(options)
  answerDecisions(options)
  failWhereItFailed(options)
}

/** The recorded tools, whose bodies are the recorded results. */
function offerTools({ agent, record, lockstep }: AnswerOptions): void {
  const place = (): { turn: number; step: number } => ({ turn: agent.session.openTurn ?? 0, step: agent.session.openStep ?? 0 })
  for (const tool of record.tools.values()) {
    agent.ctx.tools.register({
      ...tool,
      // The validator marks what it has compiled, and a log is frozen.
      parameters: structuredClone(tool.parameters),
      concurrency: args => record.takeConcurrency(place(), tool.name, args),
      execute: () => Promise.reject(new Error('a replay runs no tool')),
    })
  }
  agent.ctx.on('tools/execute', async (call): Promise<ToolExecutionResult> => {
    const recorded = record.result(call.callId)
    const { callId } = call
    if (recorded?.error?.code === 'ABORTED' || (!recorded && lockstep.position !== undefined)) {
      const stopped = whenAborted(call.signal)
      lockstep.enter(callId)
      await stopped
    }
    if (!recorded) return { callId, content: [text('Error: the record has no result of this call')], isError: true }
    const { content, isError, error, meta } = recorded
    return { callId, content, isError, ...(error && { error }), ...(meta !== undefined && { meta }) }
  })
}

function answerModel({ agent, record, lockstep }: AnswerOptions): void {
  const asked = new Map<string, number>()
  agent.ctx.on('agent/request', async (_agent, { turn, step }, _options, next) => {
    const { system: _system, tools: _tools, ...request } = await next()
    const header = record.header(lockstep.position ?? agent.session.events.length)
    return { ...request, model: record.model(turn, step), ...(header && header.system !== '' && { system: header.system }), ...(header && header.tools.length > 0 && { tools: header.tools }) }
  })
  agent.ctx.on('llm/stream', (options: GenerateOptions) => {
    const { openTurn: turn = 0, openStep: step = 0 } = agent.session
    const key = `${turn}/${step}`
    const index = asked.get(key) ?? 0
    asked.set(key, index + 1)
    return stream(record.attempt(turn, step, index), options.signal)
  })
  // The recorded wait is not waited again.
  agent.ctx.on('agent/request-error', (_agent, { turn, step, attempt }) => {
    const willRetry = record.events.some(event => event.type === 'llm/attempt' && event.data.turn === turn && event.data.step === step && event.data.attempt === attempt && event.data.retryInMs !== undefined)
    return Promise.resolve(willRetry ? { kind: 'retry', delayMs: 0 } : { kind: 'fail' })
  })
}

async function* stream(attempt: RecordedAttempt | undefined, signal: AbortSignal): AsyncGenerator<StreamChunk> {
  if (!attempt) throw new LlmError('INVALID_REQUEST', 'the record has no answer to this request')
  for (const chunk of attempt.chunks) {
    signal.throwIfAborted()
    yield chunk
  }
  if (attempt.isComplete) return
  if (attempt.failure) throw failureOf(attempt.failure)
  await whenAborted(signal)
  throw signal.reason
}

function failureOf({ name, code, message, status }: NonNullable<RecordedAttempt['failure']>): HarnessError {
  const error = status === undefined ? new HarnessError(code, message) : new LlmError(code as 'SERVER', message, { status })
  return Object.assign(error, { name })
}

/** What plugins decided; where the record does not say, the loop's default. */
function answerDecisions({ agent, record, lockstep }: AnswerOptions): void {
  agent.ctx.on('agent/prompt-submit', async (_agent, content, _source, next) => {
    const { position } = lockstep
    const fault = position === undefined ? undefined : record.fault(position)
    if (fault) throw fault
    const outcome = position === undefined ? undefined : record.events[position + 1]
    if (outcome?.type === 'prompt/blocked') return { kind: 'block', reason: outcome.data.reason }
    if (outcome?.type !== 'user/message') return await next()
    return { kind: 'allow', content: outcome.data.content ?? content }
  })
  agent.ctx.on('agent/turn-continuation', async (_agent, _turn, byDefault, next) => {
    const ahead = lockstep.position === undefined ? undefined : record.events[lockstep.position]
    const hasStopped = ahead?.type === 'turn/end' && (ahead.data.reason.kind === 'completed' || ahead.data.reason.kind === 'max-tokens')
    return hasStopped && byDefault.action === 'continue' ? { action: 'stop' } : await next()
  })
}

/** Errors that came from outside, such as a full disk, come again at the same place; so does the end of the time. */
function failWhereItFailed({ agent, record, lockstep }: AnswerOptions): void {
  const check = async (): Promise<void> => {
    if (lockstep.position === undefined) return
    const { turnSignal } = agent
    if (lockstep.awaitsDeadline && turnSignal) await whenAborted(turnSignal)
    const fault = record.fault(lockstep.position)
    if (fault) throw fault
  }
  agent.ctx.on('session/flush', check)
  agent.ctx.on('agent/pre-step', check)
}

function whenAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise(resolve => signal.addEventListener('abort', () => resolve(), { once: true }))
}
