/** What one simple command does by itself, for permission decisions. */

/**
 * `harmless`: only reads, needs no permission. `destructive`: may lose work for good, or acts with
 * more than the user's own rights; needs a permission in every mode unless a rule names it.
 * `other`: everything else, the unknown included.
 */
export type CommandClass = 'harmless' | 'destructive' | 'other'

/** The class of one command and the reason, as a phrase that fits after "because it …". */
export interface Classification {
  class: CommandClass
  why: string
  /** Files that it writes, moves or removes, as written in the line, as far as known; `~` is not expanded. */
  writes?: string[]
  /** Set when it also writes to a file whose name is only known when it runs. */
  writesUnknown?: true
}
