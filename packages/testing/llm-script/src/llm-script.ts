/** An adapter that follows a script: the model of tests that need no wire. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from 'cordis'
import { LlmAdapter, LlmError, type GenerateOptions, type StreamChunk } from '@deepseek-ai/dsh-llm'
import { findBadPairing } from './check-pairing.ts'
import { chunksOf } from './chunks-of.ts'
import type { ScriptStep, Step } from './steps.ts'

const DEFAULT_MODELS = ['script']

/**
 * Load `script.plugin`; afterwards read `requests`. A request whose calls and
 * results do not pair is refused with `INVALID_REQUEST` and kept in
 * `violations`; so is a request beyond the end of the script.
 */
export class LlmScript extends LlmAdapter {
  readonly requests: GenerateOptions[] = []
  readonly violations: string[] = []
  private readonly models: readonly string[]
  private readonly steps: ScriptStep[]
  private cursor = 0
  private ids = 0

  constructor(steps: readonly ScriptStep[], options: { models?: readonly string[] } = {}) {
    super()
    this.steps = [...steps]
    this.models = options.models ?? DEFAULT_MODELS
  }

  /** Registers the script under its models for as long as the plugin is loaded. */
  get plugin(): { name: string; inject: string[]; apply: (ctx: Context) => void } {
    return {
      name: 'llm-script',
      inject: ['llm'],
      apply: ctx => void ctx.llm.registerAdapter(this.models, this),
    }
  }

  /** Adds steps at the end. */
  push(...steps: ScriptStep[]): void {
    this.steps.push(...steps)
  }

  /** How many steps nobody has asked for. */
  get left(): number {
    return this.steps.length - this.cursor
  }

  override async *stream(options: GenerateOptions): AsyncIterable<StreamChunk> {
    options.signal.throwIfAborted()
    this.requests.push(options)
    const found = findBadPairing(options.messages)
    if (found !== undefined) throw this.refuse(found)
    const scripted = this.steps[this.cursor++]
    if (scripted === undefined) throw this.refuse(`the script has ${this.steps.length} steps and this is request ${this.cursor}`)
    yield* this.play(typeof scripted === 'function' ? await scripted(options) : scripted, options.signal)
  }

  private async *play(step: Step, signal: AbortSignal): AsyncIterable<StreamChunk> {
    if (step.kind === 'answer' && step.delayMs !== undefined) await until(sleep(step.delayMs), signal)
    for (const chunk of this.chunksOf(step)) {
      signal.throwIfAborted()
      yield chunk
    }
    if (step.kind === 'fail') throw step.error
    if (step.kind === 'hang') await until(new Promise(() => undefined), signal)
  }

  private chunksOf(step: Step): readonly StreamChunk[] {
    switch (step.kind) {
      case 'answer':
        return chunksOf(step, () => `script-${++this.ids}`)
      case 'chunks':
        return step.chunks
      case 'fail':
      case 'hang':
        return step.after ?? []
    }
  }

  private refuse(message: string): LlmError {
    this.violations.push(message)
    return new LlmError('INVALID_REQUEST', message)
  }
}

/** Waits, but rejects with the signal's reason as soon as it is aborted. */
async function until(work: Promise<unknown>, signal: AbortSignal): Promise<void> {
  const { promise, reject } = Promise.withResolvers<never>()
  const onAbort = (): void => reject(signal.reason)
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    await Promise.race([work, promise])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}
