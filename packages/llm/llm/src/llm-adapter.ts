/** The seam to one provider's wire format. */

import type { GenerateOptions, ModelInfo, StreamChunk } from './types.ts'

/**
 * Subclass it, stream chunks by the rules of `StreamChunk`, and register the
 * instance under the models it serves. Must pass the suite in
 * `tests/contract.ts`.
 */
export abstract class LlmAdapter {
  /**
   * One answer. Rejects with `LlmError`, or with the signal's reason once it is
   * aborted; returning early from the iterator releases the connection.
   */
  abstract stream(options: GenerateOptions): AsyncIterable<StreamChunk>

  /** What is known about a model that this adapter serves; undefined when nothing is. */
  info?(model: string): ModelInfo | undefined

  /** Makes ready what the first request to `model` needs, without asking the network; it may be called at any time, or never. */
  prepare?(model: string, signal: AbortSignal): Promise<void>

  /** Opens a connection ahead of a request to `model` that is probably about to come; sends nothing. Without it the request does that. */
  connect?(model: string): Promise<void>

  /** The models that the provider itself offers now; asks the network. */
  discover?(signal: AbortSignal): Promise<ModelInfo[]>
}
