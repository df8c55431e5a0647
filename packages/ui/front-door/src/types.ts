/** What a front door is given to work with. Types only. */

import type { AgentOptions } from '@deepseek-ai/dsh-agent'

/** The streams of the process, or of a test. */
export interface Terminal {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean }
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number }
}

/** Which session a run works in; ids are whole here. */
export type SessionStart =
  | { kind: 'new'; /** Default: a new one. */ id?: string }
  | { kind: 'resume'; id: string }
  /** A new session that begins with the events of another, up to and including number `until`; default all. */
  | { kind: 'fork'; from: string; until?: number; id?: string }

/** What the command line says about the session. */
export interface SessionRequest {
  start: SessionStart
  /** False: nothing of it is kept. */
  isStored: boolean
  /** Its title from now on. */
  title?: string
}

/** What the command line asks for. */
export interface RunRequest {
  /** The first message; absent in a conversation that starts with none. */
  prompt?: string
  /** Absolute: the directory that the session works in. */
  cwd: string
  agentOptions: AgentOptions
  /** Default: a new session. */
  session?: SessionRequest
  /** `quiet`: nothing on stderr but errors; `verbose`: every event. */
  verbosity: 'quiet' | 'normal' | 'verbose'
}

/** The signals that ask a front door to come to an end. */
export type Interrupt = 'SIGINT' | 'SIGTERM' | 'SIGHUP'
