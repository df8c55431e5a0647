/** What a front door is given to work with. Types only. */

import type { AgentOptions } from '@deepseek-ai/dsh-agent'

/** The streams of the process, or of a test. */
export interface Terminal {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
}

/** What the command line asks for. */
export interface RunRequest {
  /** The first message; absent in a conversation that starts with none. */
  prompt?: string
  /** Absolute: the directory that the session works in. */
  cwd: string
  agentOptions: AgentOptions
  /** `quiet`: nothing on stderr but errors; `verbose`: every event. */
  verbosity: 'quiet' | 'normal' | 'verbose'
}

/** The signals that ask a front door to come to an end. */
export type Interrupt = 'SIGINT' | 'SIGTERM' | 'SIGHUP'
