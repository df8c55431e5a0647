/** The model that needs no key and no network: it follows rules, and looks like any other model to the harness. */

import { setTimeout as sleep } from 'node:timers/promises'
import { LlmAdapter, type GenerateOptions, type ModelInfo, type StreamChunk } from '@deepseek-ai/dsh-llm'
import { nextAction } from './plan.ts'
import { streamAnswer } from './stream-answer.ts'

export interface OfflineOptions {
  /** How long to wait before each chunk. */
  paceMs: number
  /** Answers of one turn, the last one included. */
  maxSteps: number
}

/** The name under which it is registered. */
export const OFFLINE_MODEL = 'offline'

/** A function of the request alone: the same request gets the same chunks. */
export class OfflineAdapter extends LlmAdapter {
  private readonly options: OfflineOptions

  constructor(options: OfflineOptions) {
    super()
    this.options = options
  }

  override async *stream(request: GenerateOptions): AsyncGenerator<StreamChunk> {
    request.signal.throwIfAborted()
    for (const chunk of streamAnswer(nextAction(request, this.options.maxSteps), request)) {
      await this.pause(request.signal)
      yield chunk
    }
  }

  override info(model: string): ModelInfo | undefined {
    return model === OFFLINE_MODEL ? { name: OFFLINE_MODEL, vision: false, price: { currency: 'USD', input: 0, output: 0 } } : undefined
  }

  override discover(): Promise<ModelInfo[]> {
    return Promise.resolve([{ name: OFFLINE_MODEL, vision: false, price: { currency: 'USD', input: 0, output: 0 } }])
  }

  /** Rejects with the signal's own reason. */
  private async pause(signal: AbortSignal): Promise<void> {
    if (this.options.paceMs > 0) await sleep(this.options.paceMs, undefined, { signal }).catch((error: unknown) => Promise.reject(signal.aborted ? signal.reason : error))
    signal.throwIfAborted()
  }
}
