/** The vocabulary of `/` commands. Types only. */

import type { Agent } from '@deepseek-ai/dsh-agent'
import type { SessionStart } from '@deepseek-ai/dsh-front-door'
import type { ContentBlock } from '@deepseek-ai/dsh-llm'

/** Something to choose from. */
export interface Choice {
  value: string
  label: string
  description?: string
  /** A few lines about it for whoever is about to choose it, asked for when it is pointed at. */
  preview?(): Promise<string>
}

/** What a command can ask of the front door that it was typed at. What one has no way to do is absent. */
export interface CommandDoor {
  /** Puts something to choose before the user; undefined when nothing was chosen. */
  choose?(title: string, choices: readonly Choice[], signal: AbortSignal): Promise<string | undefined>
  /** Goes on with another session in place of this one. */
  open?(start: SessionStart): Promise<void>
  /** Puts text where the user writes. */
  compose?(text: string): void
  /** Puts text into the clipboard. */
  copy?(text: string): Promise<void>
  /** Asks for a line that is shown nowhere and kept nowhere; undefined when none was given. */
  askSecret?(question: string, signal: AbortSignal): Promise<string | undefined>
  clear?(): void
  quit?(): void
}

/** One run of a command. */
export interface CommandCall {
  agent: Agent
  door: CommandDoor
  /** Aborted when the user stops it. */
  signal: AbortSignal
}

/** What a command leaves: Markdown for the user alone, or a message for the model. */
export type CommandResult = { kind: 'show'; markdown: string } | { kind: 'prompt'; content: string | ContentBlock[] }

/** Commands that come from somewhere else than code, such as files of a project. */
export interface CommandSource {
  /** Those of a directory, read anew. A failure is the source's own to tell. */
  commands(cwd: string, signal: AbortSignal): Promise<readonly Command[]>
}

export interface Command {
  /** Without the slash; lower-case letters, digits, `-`, and `:` between a folder and a file. */
  name: string
  /** One line. */
  description: string
  /** How its arguments are written: `[ID]`. */
  argumentHint?: string
  aliases?: readonly string[]
  /** What a front door must be able to do for it; elsewhere it is not listed. */
  needs?: keyof CommandDoor
  /** What to do instead where it is missing, for the error: a clause. */
  otherwise?: string
  /** What is typed behind its name may be a secret: front doors neither show it again nor keep it. */
  isPrivate?: true
  /** What the arguments may go on with, after what is typed of them. */
  complete?(typed: string, call: CommandCall): Promise<readonly Choice[]>
  /** Rejects with an error whose message is for the user. */
  run(args: string, call: CommandCall): Promise<CommandResult | undefined>
}
