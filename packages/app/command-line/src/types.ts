/** What the tables of options and commands are made of. Types only. */

/** Every command; `run` is what happens without one. */
export type CommandName = 'run' | 'sessions' | 'replay' | 'explain' | 'doctor' | 'trust' | 'init' | 'models' | 'completion' | 'help' | 'acp' | 'auth'

/** The headings that options stand under in help and manual. */
export type OptionGroup = 'run' | 'session' | 'script' | 'composition' | 'general' | 'command'

/** What a value may be completed with. */
export type ValueKind = 'file' | 'directory' | 'session' | 'model'

/** One option: what `util.parseArgs` reads, and what help, completion and manual print. */
export interface OptionSpec {
  type: 'boolean' | 'string'
  short?: string
  multiple?: boolean
  /** What its value is called; `[ID]` where it may be left out. Absent for flags. */
  argument?: string
  /** All values there are. */
  values?: readonly string[]
  completes?: ValueKind
  /** One line without a full stop. */
  help: string
  group: OptionGroup
  /** The commands it belongs to, `sessions list` for one verb of a command; absent: all of them. */
  of?: readonly string[]
}

/** A word that stands behind a command and has options and words of its own. */
export interface VerbSpec {
  name: string
  /** What follows it: `ID…`. */
  argument?: string
  least: number
  most: number
  help: string
  completes?: ValueKind
}

export interface CommandSpec {
  name: CommandName
  /** What follows it: `[DIR]`. */
  argument?: string
  /** How many words may follow it; `verbs` count their own. */
  most: number
  /** One line without a full stop. */
  help: string
  /** More, for its own help and the manual; paragraphs. */
  details: readonly string[]
  verbs?: readonly VerbSpec[]
  /** All words that may follow it. */
  values?: readonly string[]
  completes?: ValueKind
}
