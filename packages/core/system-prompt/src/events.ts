/** The live events of prompt assembly. */

import type {} from 'cordis'
import type { PromptAssembly } from './types.ts'

declare module 'cordis' {
  interface Events {
    /** Waterfall over what the model is told, for every step. `this` is the agent's scope, or `outside` when there is none. */
    'system-prompt/assemble'(this: object, assembly: PromptAssembly, next: () => Promise<PromptAssembly>): Promise<PromptAssembly>
    /** A section or a tool provider came or went. */
    'system-prompt/change'(): void
  }
}
