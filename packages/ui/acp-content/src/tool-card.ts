/** A tool's own views of its calls and results, as the cards of the protocol. Pure. */

import { resolve } from 'node:path'
import type { ToolCallContent, ToolCallLocation, ToolKind as AcpKind } from '@agentclientprotocol/sdk'
import { textOf } from '@deepseek-ai/dsh-llm'
import { clipEnd, fenceMark, stripControls } from '@deepseek-ai/dsh-text'
import type { FileDiff, FileLocation, ToolCallView, ToolKind, ToolResult, ToolResultView } from '@deepseek-ai/dsh-tools'
import { toAcpBlocks } from './acp-blocks.ts'

/** Room for a title, in UTF-16 units. */
const LONGEST_TITLE = 200

export interface CardOptions {
  /** Absolute: where relative paths start. */
  cwd: string
  name: string
  kind: ToolKind
}

/** What a card says of a call that runs, or of one that is over. */
export interface Card {
  title?: string
  kind?: AcpKind
  content?: ToolCallContent[]
  locations?: ToolCallLocation[]
}

/** Without a view, the name of the tool. */
export function callCard(view: ToolCallView | undefined, { cwd, name, kind }: CardOptions): Required<Pick<Card, 'title' | 'kind'>> & Card {
  if (!view) return { title: titleOf(name), kind }
  const title = titleOf(view.title === '' ? name : view.title)
  switch (view.card) {
    case 'terminal':
      return { title, kind: 'execute', ...(view.description !== undefined && { content: toAcpBlocks([{ type: 'text', text: view.description }]) }) }
    case 'diff':
      return { title, kind: 'edit', content: view.diffs.filter(hasPath).map(diff => diffOf(diff, cwd)), locations: locationsOf(view.locations ?? view.diffs, cwd) }
    default:
      return {
        title,
        kind: view.kind ?? kind,
        ...(view.content && { content: toAcpBlocks(view.content) }),
        ...(view.locations && { locations: locationsOf(view.locations, cwd) }),
      }
  }
}

/** Without a view, the result as the model reads it. */
export function resultCard(view: ToolResultView | undefined, result: ToolResult, { cwd }: Pick<CardOptions, 'cwd'>): Card {
  const title = view?.title === undefined ? {} : { title: titleOf(view.title) }
  switch (view?.card) {
    case 'terminal':
      return { ...title, content: consoleOf(view.output ?? textOf(result.content)) }
    case 'diff':
      return { ...title, content: view.diffs.filter(hasPath).map(diff => diffOf(diff, cwd)), locations: locationsOf(view.diffs, cwd) }
    default:
      return { ...title, content: toAcpBlocks(view?.content ?? result.content) }
  }
}

/** Output in a fence that nothing in it can end; no content at all for none. */
export function consoleOf(output: string): ToolCallContent[] {
  const shown = stripControls(output)
  if (shown.trim() === '') return []
  const fence = fenceMark(shown)
  return toAcpBlocks([{ type: 'text', text: `${fence}console\n${shown.endsWith('\n') ? shown : `${shown}\n`}${fence}` }])
}

function titleOf(title: string): string {
  const line = stripControls(String(title)).replace(/\s+/g, ' ').trim()
  return line.length > LONGEST_TITLE ? `${clipEnd(line, LONGEST_TITLE - 1)}…` : line
}

function diffOf({ path, oldText, newText }: FileDiff, cwd: string): ToolCallContent {
  return { type: 'diff', path: resolve(cwd, path), oldText: oldText ?? null, newText: newText ?? '' }
}

/** Arguments that a model left out make views without paths: there is nothing to go to then. */
function hasPath({ path }: { path: unknown }): boolean {
  return typeof path === 'string'
}

function locationsOf(locations: readonly FileLocation[], cwd: string): ToolCallLocation[] {
  const seen = new Map(locations.filter(hasPath).map(({ path, line }) => {
    const absolute = resolve(cwd, path)
    return [`${absolute}:${line ?? ''}`, { path: absolute, ...(line !== undefined && { line }) }]
  }))
  return [...seen.values()]
}
