/** What the row of the search tools can set. */

import z from 'schemastery'

export interface SearchConfig {
  /** The ripgrep to run; by default the one that the distribution brings, else `rg` of the PATH. */
  program?: string
  /** How long one search may take; what was found until then is returned. */
  timeoutMs: number
  /** Results when the model names no limit. */
  defaultLimit: number
  /** The highest limit that is honoured. */
  maxLimit: number
  /** Of the text that the model reads, in characters. */
  maxOutputLength: number
  /** Longer lines are cut around the match, in bytes. */
  maxLineBytes: number
  /** How much of ripgrep's output is read before it is stopped. */
  maxReadBytes: number
}

export const Config: z<Partial<SearchConfig>, SearchConfig> = z.object({
  program: z.string(),
  timeoutMs: z.natural().min(1).default(20_000),
  defaultLimit: z.natural().min(1).default(200),
  maxLimit: z.natural().min(1).default(2_000),
  maxOutputLength: z.natural().min(1_000).default(40_000),
  maxLineBytes: z.natural().min(80).default(500),
  maxReadBytes: z.natural().min(10_000).default(16 * 1024 * 1024),
})
