/** Gives the model two tools over ripgrep: `grep` searches contents, `glob` finds files by name. */

import type { Context } from 'cordis'
import { Ripgrep } from '@deepseek-ai/dsh-file-listing'
import type {} from '@deepseek-ai/dsh-tools'
import type { SearchConfig } from './config.ts'
import { globTool } from './glob-tool.ts'
import { grepTool } from './grep-tool.ts'

export { Config } from './config.ts'

export const name = 'tool-fs-search'
export const inject = ['tools']

export function apply(ctx: Context, config: SearchConfig): void {
  const ripgrep = new Ripgrep(config)
  ctx.tools.register(grepTool(ripgrep, config))
  ctx.tools.register(globTool(ripgrep, config))
}
