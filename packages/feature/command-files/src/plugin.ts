/** Markdown files as commands: of the user, and of the project that a session works in. */

import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from 'cordis'
import z from 'schemastery'
import type { Command } from '@deepseek-ai/dsh-commands'
import { describeError } from '@deepseek-ai/dsh-errors'
import { userDirectories } from '@deepseek-ai/dsh-process-env'
import { fillTemplate, parseCommandFile, type CommandFile } from './parse-command-file.ts'
import { findCommandFiles, type FoundFile } from './find-files.ts'

export const name = 'command-files'
export const inject = ['commands']

export interface CommandFilesConfig {
  /** Folders in the session's directory. */
  project: string[]
  /** Folders of the user. Default: `commands` beside the user's settings, and `~/.claude/commands`. */
  user?: string[]
}

export const Config: z<CommandFilesConfig> = z.object({
  project: z.array(z.string()).default(['.dsh/commands', '.claude/commands']).description('Folders in the directory of the session.'),
  user: z.array(z.string()).description('Folders of the user, absolute. Default: "commands" beside the user\'s settings, and ~/.claude/commands.'),
})

/** Larger files are no prompts. */
const MOST_BYTES = 256 * 1024

export function apply(ctx: Context, config: CommandFilesConfig): void {
  const known = new Map<string, Known>()
  ctx.commands.addSource({
    async commands(cwd) {
      const folders = [...config.project.map(folder => join(cwd, folder)), ...(config.user ?? userFolders(process.env))]
      const commands: Command[] = []
      for (const folder of folders) {
        for (const found of await listed(ctx, folder)) {
          // The project's own come first, so they win over the user's.
          if (commands.some(command => command.name === found.name)) continue
          const command = await read(ctx, found, known)
          if (command) commands.push(command)
        }
      }
      return commands
    },
  })
}

/** Beside the user's settings, and where another agent has its own. */
function userFolders(env: NodeJS.ProcessEnv): string[] {
  const { home, config } = userDirectories(env)
  return [join(config, 'commands'), join(home, '.claude', 'commands')]
}

async function listed(ctx: Context, folder: string): Promise<FoundFile[]> {
  try {
    return await findCommandFiles(folder)
  } catch (error) {
    ctx.logger.warn('the commands in %s cannot be read: %s', folder, describeError(error))
    return []
  }
}

/** What has been read of a file, or is being read: whoever asks meanwhile waits for the same. */
interface Known {
  mtimeMs: number
  file: Promise<CommandFile | undefined>
}

/** Read anew when the file has changed; undefined, and a warning each time it changes, for one that cannot be used. */
async function read(ctx: Context, { name: command, path }: FoundFile, known: Map<string, Known>): Promise<Command | undefined> {
  const unusable = (error: unknown): undefined => ctx.logger.warn('the command file %s cannot be used: %s', path, describeError(error)) as undefined
  try {
    const { mtimeMs, size } = await stat(path)
    if (known.get(path)?.mtimeMs !== mtimeMs) known.set(path, { mtimeMs, file: parse(path, size).catch(unusable) })
  } catch (error) {
    unusable(error)
  }
  const file = await known.get(path)?.file
  return file && { name: command, description: file.description, ...(file.argumentHint !== undefined && { argumentHint: file.argumentHint }), run: async args => ({ kind: 'prompt', content: fillTemplate(file.template, args) }) }
}

async function parse(path: string, size: number): Promise<CommandFile> {
  if (size > MOST_BYTES) throw new Error(`it has ${size} bytes; a command file has at most ${MOST_BYTES}`)
  const yaml = await import('yaml')
  return parseCommandFile(decode(await readFile(path)), yaml.parse)
}

/** Throws for bytes that are no text. */
function decode(bytes: Uint8Array): string {
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  if (text.includes('\0')) throw new Error('it is no text')
  return text
}
