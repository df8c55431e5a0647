/** Throw-away directories, and the two tools as an agent would call them. */

import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { Context } from 'cordis'
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt'
import { ToolRegistry, type ToolExecutionResult } from '@deepseek-ai/dsh-tools'
import * as toolFsSearch from '../src/index.ts'

export interface Workspace {
  directory: string
  /** Path → contents; directories are made as needed. */
  write(files: Record<string, string | Buffer>): Promise<void>
  /** The text that the model reads. */
  run(tool: 'grep' | 'glob', args: Record<string, unknown>, signal?: AbortSignal): Promise<string>
  result(tool: 'grep' | 'glob', args: Record<string, unknown>, signal?: AbortSignal): Promise<ToolExecutionResult>
  end(): Promise<void>
}

export async function openWorkspace(config: Partial<toolFsSearch.SearchConfig> = {}): Promise<Workspace> {
  const directory = await mkdtemp(join(tmpdir(), 'dsh-search-'))
  await chmod(directory, 0o755)
  const ctx = new Context()
  await ctx.plugin(SystemPrompt)
  await ctx.plugin(ToolRegistry)
  await ctx.plugin(toolFsSearch, config)
  const result: Workspace['result'] = (tool, args, signal = new AbortController().signal) =>
    ctx.tools.execute({ callId: '1', name: tool, cwd: directory, signal, arguments: args as never })
  return {
    directory,
    result,
    async write(files) {
      for (const [path, contents] of Object.entries(files)) {
        await mkdir(dirname(join(directory, path)), { recursive: true })
        await writeFile(join(directory, path), contents)
      }
    },
    async run(tool, args, signal) {
      const { content } = await result(tool, args, signal)
      return content.map(block => (block.type === 'text' ? block.text : '')).join('')
    },
    async end() {
      await ctx.fiber.dispose()
      await chmod(join(directory, 'locked'), 0o755).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error
      })
      await rm(directory, { recursive: true })
    },
  }
}
