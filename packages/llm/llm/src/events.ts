/** The live events of the model layer. */

import type {} from 'cordis'
import type { LlmService } from './llm.ts'
import type { GenerateOptions, StreamChunk } from './types.ts'

declare module 'cordis' {
  interface Events {
    /**
     * Waterfall around every model call, for listeners of the asking agent's
     * scope and above. A listener may answer by itself (replay), wrap the
     * stream, or call `next()`. It should return at once: the work happens
     * while the stream is read.
     */
    'llm/stream'(this: LlmService, options: GenerateOptions, next: () => AsyncIterable<StreamChunk>): AsyncIterable<StreamChunk>
  }
}
