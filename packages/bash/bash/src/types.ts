/** The vocabulary of running shell commands: request, resolved spec, result. Types only. */

/** What a caller wants. Everything but the command has a default. */
export interface BashExecRequest {
  command: string
  /** The directory somebody asked for by name; relative to `cwd`. It must exist. */
  workdir?: string
  /** Where the caller stands. When it is gone, the nearest ancestor that exists takes its place. */
  cwd?: string
  /** Capped by the executor. */
  timeoutMs?: number
  /** Bytes for standard input; without it, input is empty. */
  stdin?: string
  /** Added to the environment as it is. */
  env?: Readonly<Record<string, string>>
}

/** A request with every default filled in: what will run, where, and for how long. */
export interface BashExecSpec {
  command: string
  /** Absolute. */
  workdir: string
  /** `exact`: a missing directory is an error. `nearest`: its nearest existing ancestor serves. */
  workdirPolicy: 'exact' | 'nearest'
  timeoutMs: number
  stdin?: string
  env?: Readonly<Record<string, string>>
}

/** Told of output while it comes, before it is bounded or ended: pieces of both streams in the order in which they were read. */
export type BashOutputListener = (text: string) => void

/** One output stream. */
export interface CollectedOutput {
  /** All of it, or its tail when `truncated`. */
  text: string
  truncated: boolean
  /** Of how many bytes `text` was made: bytes that are no character became longer in it. Absent: as many as it has. */
  textBytes?: number
  /** Bytes that the command wrote, kept or not. */
  totalBytes: number
  /** The file that holds what `text` lacks; absent when nothing was cut or the file could not be written. */
  spillPath?: string
  /** Bytes of the output that the file holds, from its beginning. */
  spilledBytes?: number
  /** Why there is no file although the output was cut. */
  spillError?: string
}

/** A process that a command left behind. */
export interface LeftProcess {
  pid: number
  name: string
}

/** How a command ended. The facts are orthogonal: one that timed out may still have exited with 0. */
export interface BashRunResult {
  /** Null when a signal ended the shell. */
  exitCode: number | null
  signal: string | null
  timedOut: boolean
  /** The limit that was in force. */
  timeoutMs: number
  /** Where it ran: not `spec.workdir` when that was gone. */
  workdir: string
  stdout: CollectedOutput
  stderr: CollectedOutput
  /** A process of the command outlived the shell. */
  stillRunning: boolean
  /** Those processes, as far as the system tells. */
  leftProcesses: LeftProcess[]
}

/** Time limits of commands. */
export interface BashLimits {
  /** For commands that ask for none. */
  timeoutMs: number
  /** The most that a command gets. */
  maxTimeoutMs: number
}

/** The shell that runs the commands. */
export interface BashShell {
  /** Absolute path. */
  program: string
  /** `sh` knows only what POSIX promises: the model has to be told. */
  dialect: 'bash' | 'sh'
}
