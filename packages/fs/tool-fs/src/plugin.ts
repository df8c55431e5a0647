/** Gives the model the tools `read`, `write` and `edit` over `ctx.fs`. */

import type { Context } from 'cordis'
import z from 'schemastery'
import { editTool } from './edit-tool.ts'
import { FileAccess } from './file-access.ts'
import { readTool, type ReadLimits } from './read-tool.ts'
import { writeTool } from './write-tool.ts'

export interface ToolFsConfig extends ReadLimits {
  /** Larger diffs are not kept beside a result, in UTF-16 units. */
  maxDiffLength: number
}

export const name = 'tool-fs'
export const inject = ['tools', 'fs']
export const Config: z<ToolFsConfig> = z.object({
  maxLines: z.natural().default(2_000).description('Lines that one read shows.'),
  maxBytes: z.natural().default(50 * 1024).description('Bytes that one read shows.'),
  maxLineLength: z.natural().default(2_000).description('Characters of one line that a read shows.'),
  maxDiffLength: z.natural().default(16_000).description('Characters of a diff that are kept beside a result.'),
})

export function apply(ctx: Context, config: ToolFsConfig): void {
  const access = new FileAccess(ctx)
  ctx.tools.register(readTool(access, config))
  ctx.tools.register(writeTool(access, config.maxDiffLength))
  ctx.tools.register(editTool(access, config.maxDiffLength))
}
