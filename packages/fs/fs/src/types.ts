/** The vocabulary of files as the agent sees them. Types only: nothing here exists at run time. */

import type { Session } from '@deepseek-ai/dsh-session'

/** Two paths to one file have the same key: the real path, links followed. */
export type FsTargetKey = string & { readonly __brand?: 'FsTargetKey' }

/** Where a path is to be understood. */
export interface FsPlace {
  /** Absolute: where relative paths start. */
  cwd: string
  /** Absolute: what may be changed without a permission. */
  workspace: string
  /** Absolute: directories that belong to it, too. */
  directories?: readonly string[]
  signal: AbortSignal
}

/** Equal as long as the file's content is. Opaque; `ABSENT` stands for no file. */
export type FsVersion = string & { readonly __brand?: 'FsVersion' }

/** A path, resolved. It need not exist. */
export interface FsTarget {
  /** As it was asked for. */
  inputPath: string
  /** Absolute and real. */
  targetKey: FsTargetKey
  /** For people and models: relative to the working directory when inside it, else absolute. */
  displayPath: string
  /** No file had exactly this name, and this is the only one that looks like it. */
  lookalike?: true
}

export type FsType = 'file' | 'directory' | 'link' | 'other'

export interface FsInfo {
  type: Exclude<FsType, 'link'>
  /** In bytes. */
  size: number
  /** Permission bits. */
  mode: number
  modifiedMs: number
}

export interface FsDirEntry {
  name: string
  type: FsType
}

/** The entries of a directory by name; `truncated` when there are more. */
export interface FsListing {
  entries: FsDirEntry[]
  truncated: boolean
}

/** How text is stored. */
export interface TextFormat {
  /** `utf-8`, `utf-16le` and `utf-16be` are read and written exactly; any other name is a guess, for reading only. */
  encoding: string
  bom: boolean
  /** The encoding is a guess: the text may be shown, never written back. */
  guessed?: true
}

/** A whole file; the text is without its byte order mark. */
export interface FsText {
  text: string
  format: TextFormat
  version: FsVersion
  size: number
}

/** Which lines to read, and how much of them. */
export interface ReadWindow {
  /** From 1. */
  offset: number
  limit: number
  /** Stop before the lines are more than this together, in UTF-8 bytes. At least one line is returned. */
  maxBytes: number
  /** Longer lines are cut, in UTF-16 units, never within a character. */
  maxLineLength: number
}

export interface FileTextLine {
  number: number
  /** Without its line end. */
  text: string
  /** How many UTF-16 units were left out at its end. Absent when none; a lower bound in a huge file. */
  cut?: number
}

/** Lines of a file. */
export interface FsLines {
  lines: FileTextLine[]
  /** Undefined when the file is too big to count. */
  totalLines: number | undefined
  /** There are lines after the last one. */
  more: boolean
  /** `maxBytes` ended the window before `limit` did. */
  truncatedByBytes?: true
  /** Whether the last line of the file has a line end; undefined when the end was not reached. */
  finalNewline: boolean | undefined
  format: TextFormat
  version: FsVersion
  size: number
}

/** What must hold for a write to happen. */
export type FsWriteIntent = { kind: 'createIfAbsent' } | { kind: 'replaceIfVersion'; version: FsVersion }

export interface FsWriteOptions {
  /** Absent: unconditional. */
  intent?: FsWriteIntent
  signal: AbortSignal
}

export interface FsWriteOutcome {
  /** `unchanged`: the file had this content, and was not touched. */
  operation: 'create' | 'update' | 'unchanged'
  version: FsVersion
  /** Null for a new file, and for what was not text or too large to keep. */
  before: string | null
  after: string
  format: TextFormat
}

/** One replacement. */
export interface FsEditRequest {
  oldString: string
  newString: string
  replaceAll?: boolean
}

export interface FsEditOptions {
  /** The edit happens only at this version. Absent: at any. */
  expect?: FsVersion
  signal: AbortSignal
}

export interface FsEditOutcome {
  /** In the order of the requests. */
  edits: AppliedEdit[]
  version: FsVersion
  before: string
  after: string
  format: TextFormat
}

/** What one request did. */
export interface AppliedEdit {
  replacements: number
  /** Where its first replacement begins, counted in the text it was applied to. */
  line: number
}

/** Who touches a file. */
export interface FsActor {
  /** Observations belong to it. */
  session?: Session
}

/** Lines of a file of `total`, both ends included. */
export interface FsRange {
  from: number
  to: number
  total: number
}

/**
 * What an actor knows of a file from now on.
 *
 *     read   it saw the whole, or the lines of `range`
 *     write  it determined the whole
 *     edit   it changed a part: what it knew before, it knows still
 */
export interface FsObservation {
  by: 'read' | 'write' | 'edit'
  version: FsVersion
  range?: FsRange
}
