/** What a bash line is made of, for those who decide whether it may run. */

/** One word after quote removal, as far as it is known before the line runs. */
export interface ShellWord {
  /** The word; parts that are only known when it runs stand as they are written (`$x`, `*.ts`). */
  text: string
  /** Whether `text` is exactly the one argument that the program receives (but for `tilde`). */
  known: boolean
  /** The word as it is written. */
  source: string
  /** The known text before the first unknown part; all of it when known. */
  prefix: string
  /** Whether an unknown part may become several words (or none): unquoted `$x`, `$(…)`, `"$@"`. */
  splits: boolean
  /** Whether it may become several words at all: also by a pattern or braces, whose words all begin with `prefix`. */
  several: boolean
  /** Set when it begins with an unquoted `~`, which becomes a home directory. */
  tilde?: true
}

/** One redirection of a command; of a here-document or here-string the target is its text. */
export interface Redirection {
  operator: string
  fd?: number
  target: ShellWord
  /** Whether it opens a file for writing (also `/dev/null`; not `2>&1`). */
  writes: boolean
}

/** One variable that a command sets. */
export interface ShellAssignment {
  name: string
  value: ShellWord
}

/** One simple command that the line would run, wherever it stands in it. */
export interface SimpleCommand {
  /** Program and arguments; empty for a bare assignment or redirection, or for those of a group. */
  words: readonly ShellWord[]
  assignments: readonly ShellAssignment[]
  redirections: readonly Redirection[]
  /** The source text of the command, for display. */
  source: string
  /** How it came to be run: [] for plain; e.g. ['substitution'], ['xargs'], ['sudo', 'sh -c']. */
  via: readonly string[]
}

/** Every command of a line. A wrapper (`env`, `xargs` …) is listed, and so is what it runs. */
export interface ParsedLine {
  commands: readonly SimpleCommand[]
  /** Why the whole cannot be judged by its parts; empty when it can. */
  problems: readonly string[]
}

/** Bounds, and the shell that will run the line. */
export interface ParseOptions {
  /** Longer lines are a problem and are not parsed. Default 65,536 bytes. */
  maxBytes?: number
  /** How deep texts within texts (`bash -c`, `eval`) and wrappers are followed. Default 16. */
  maxDepth?: number
  /** `sh` when no bash is there: what a plain sh reads differently is then a problem. Default `bash`. */
  dialect?: 'bash' | 'sh'
}
