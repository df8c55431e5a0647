/** What Tab and the list below the editor offer: commands and their arguments, and files after `@`. */

import { fuzzyFilter, type AutocompleteItem, type AutocompleteProvider, type AutocompleteSuggestions } from '@earendil-works/pi-tui'
import { stripControls } from '@deepseek-ai/dsh-text'
import { mentionBefore, writeMention } from './mention-token.ts'

/** A command that can be typed. */
export interface CommandEntry {
  name: string
  description: string
  argumentHint?: string | undefined
  aliases?: readonly string[] | undefined
  complete?(typed: string, signal: AbortSignal): Promise<readonly AutocompleteItem[]>
}

export interface CompletionSources {
  commands(signal: AbortSignal): Promise<readonly CommandEntry[]>
  /** Paths for what is typed of one, best first. */
  files(query: string, limit: number, signal: AbortSignal): Promise<readonly { path: string }[]>
  /** Why nothing can be offered; told once for each reason. */
  complain(error: unknown): void
}

const MOST_FILES = 40
const COMMAND_NAME = /^\/(\S*)$/
const COMMAND_ARGUMENTS = /^\/(\S+)\s+(.*)$/

export class PromptCompletion implements AutocompleteProvider {
  readonly #sources: CompletionSources

  constructor(sources: CompletionSources) {
    this.#sources = sources
  }

  async getSuggestions(lines: string[], cursorLine: number, cursorCol: number, { signal }: { signal: AbortSignal }): Promise<AutocompleteSuggestions | null> {
    if (lines[0]?.startsWith('!')) return null
    const before = (lines[cursorLine] ?? '').slice(0, cursorCol)
    try {
      const mention = mentionBefore(before)
      if (mention) return await this.#files(mention.token, mention.query, signal)
      return cursorLine === 0 ? await this.#commands(before, signal) : null
    } catch (error) {
      if (!signal.aborted) this.#sources.complain(error)
      return null
    }
  }

  applyCompletion(...[lines, cursorLine, cursorCol, item, prefix]: Parameters<AutocompleteProvider['applyCompletion']>): ReturnType<AutocompleteProvider['applyCompletion']> {
    const line = lines[cursorLine] ?? ''
    const start = cursorCol - prefix.length
    const after = line.slice(cursorCol)
    const text = prefix.startsWith('@') ? writeMention(item.value) : COMMAND_NAME.test(line.slice(0, cursorCol)) ? `/${item.value} ` : item.value
    const rest = text.endsWith(' ') && after.startsWith(' ') ? after.slice(1) : text.endsWith('" ') && after.startsWith('"') ? after.slice(1) : after
    return { lines: lines.with(cursorLine, line.slice(0, start) + text + rest), cursorLine, cursorCol: start + text.length }
  }

  /** Tab where nothing can be named does nothing. */
  shouldTriggerFileCompletion(lines: string[], cursorLine: number, cursorCol: number): boolean {
    const before = (lines[cursorLine] ?? '').slice(0, cursorCol)
    return mentionBefore(before) !== undefined || (cursorLine === 0 && before.startsWith('/'))
  }

  async #files(token: string, query: string, signal: AbortSignal): Promise<AutocompleteSuggestions> {
    const found = await this.#sources.files(query, MOST_FILES, signal)
    return { prefix: token, items: found.map(({ path }) => ({ value: path, label: stripControls(path) })) }
  }

  async #commands(before: string, signal: AbortSignal): Promise<AutocompleteSuggestions | null> {
    const typed = COMMAND_NAME.exec(before)?.[1]
    if (typed !== undefined) {
      const found = rankCommands(await this.#sources.commands(signal), typed)
      return { prefix: before, items: found.map(command => ({ value: command.name, label: `/${command.name}${command.argumentHint === undefined ? '' : ` ${command.argumentHint}`}`, description: stripControls(command.description) })) }
    }
    const [, name = '', argument = ''] = COMMAND_ARGUMENTS.exec(before) ?? []
    if (name === '') return null
    const command = (await this.#sources.commands(signal)).find(each => each.name === name || each.aliases?.includes(name))
    const choices = await command?.complete?.(argument, signal)
    if (!choices) return null
    return { prefix: argument, items: choices.map(({ value, label, description }) => ({ value, label: stripControls(label), ...(description !== undefined && { description: stripControls(description) }) })) }
  }
}

/** Those that begin with what is typed, then those that hold its letters; by an alias too. */
export function rankCommands(commands: readonly CommandEntry[], typed: string): CommandEntry[] {
  const namesOf = ({ name, aliases = [] }: CommandEntry): string[] => [name, ...aliases]
  const exact = commands.filter(command => namesOf(command).includes(typed))
  const beginning = commands.filter(command => !exact.includes(command) && namesOf(command).some(name => name.startsWith(typed)))
  const others = commands.filter(command => !exact.includes(command) && !beginning.includes(command))
  return [...exact, ...beginning, ...fuzzyFilter(others, typed, command => namesOf(command).join(' '))]
}
