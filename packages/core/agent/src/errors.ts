/** Every error of the agent registry and of handles, with its codes. */

import { HarnessError } from '@deepseek-ai/dsh-errors'

export type AgentErrorCode =
  /** The agent has been disposed. */
  | 'AGENT_DISPOSED'
  /** An agent of that id exists. */
  | 'DUPLICATE_AGENT'
  /** No loop is mounted, so nobody can make an agent. */
  | 'NO_FACTORY'
  /** A second loop tried to become the factory. */
  | 'DUPLICATE_FACTORY'
  /** No model was chosen for the agent. */
  | 'NO_MODEL'

export class AgentError extends HarnessError {
  constructor(code: AgentErrorCode, message: string, options?: ErrorOptions) {
    super(code, message, options)
  }
}

/**
 * The format under which a loop logs a failed turn: number, agent, step, error.
 * A front door that shows every ending recognises it, so as not to say it twice;
 * step 0 is outside every step, where no ending may tell of it.
 */
export const TURN_FAILED = 'turn %d of %s failed in step %d: %s'
