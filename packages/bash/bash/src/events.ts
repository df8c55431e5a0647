/** The live events of running commands. `this` is the agent's scope where there is one, else `outside`. */

import type {} from 'cordis'
import type { BashExecSpec, BashRunResult } from './types.ts'

/** For whom a command runs. */
export interface BashCaller {
  callId: string
  /** Absent outside of an agent. */
  sessionId?: string
  signal: AbortSignal
}

declare module 'cordis' {
  interface Events {
    /** Waterfall around a command of the model: somebody else, such as an editor with terminals, may run it. Default: `ctx.bash` does. */
    'bash/run'(this: object, spec: BashExecSpec, caller: BashCaller, next: () => Promise<BashRunResult>): Promise<BashRunResult>
  }
}
