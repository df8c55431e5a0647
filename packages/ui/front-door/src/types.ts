/** What a front door is given to work with. Types only. */

import type { AgentOptions } from '@deepseek-ai/dsh-agent'

/** The streams of the process, or of a test. */
export interface Terminal {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean; setRawMode?(mode: boolean): unknown }
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
  /** Present when nobody chose a model: which one answers where there is a key, and which where there is none. */
  defaultModels?: { withKey: string; withoutKey: string }
  /** The variables of the environment whose values come from what is stored for the user, with those that they had before. Kept up to date by whoever changes them. */
  storedKeys?: Map<string, string | undefined>
  /** The permission mode, whatever the session's log says; absent: as there, else as the composition says. */
  permission?: string
  /** Default: a new session. */
  session?: SessionRequest
  /** `quiet`: nothing on stderr but errors; `verbose`: every event. */
  verbosity: 'quiet' | 'normal' | 'verbose'
  /** Of the program. */
  version?: string
  /** With scripts: how many turns the run may take, enforced by the front door. */
  maxTurns?: number
  /** Default: text in, text out. */
  output?: OutputRequest
}

/** The signals that ask a front door to come to an end. */
export type Interrupt = 'SIGINT' | 'SIGTERM' | 'SIGHUP'

/** How a script's run writes to stdout. */
export type OutputFormat = 'text' | 'json' | 'jsonl' | 'stream-json'

/** How a script's run reads stdin. */
export type InputFormat = 'text' | 'jsonl' | 'stream-json'

/** What goes in and out of a script's run. Paths are absolute. */
export interface OutputRequest {
  format: OutputFormat
  /** Other than `text`: nothing has been read from stdin yet, its lines are the front door's. */
  inputFormat: InputFormat
  /** With `stream-json`: the pieces of a message as they come, too. */
  includePartialMessages?: true
  /** Where the last message is written, too. */
  lastMessageFile?: string
  /** A JSON Schema that the final answer has to fit. */
  schemaFile?: string
}
