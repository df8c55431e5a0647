/** Parses one block of leaked tool-call markup at a known place. The two formats are drawn in `markup-filter.ts`. */

import type { LeakedCall } from './markup-filter.ts'

/**
 * `whole`: calls, and where the block ends. `cut`: it follows the format as far
 * as it goes. `prose`: an opening that nothing of the format follows.
 */
export type Block = { kind: 'whole'; calls: LeakedCall[]; end: number } | { kind: 'cut' } | { kind: 'prose' }

const BARS = '[|｜]{1,2}'
const DSML = `${BARS}DSML${BARS}`
const WRAPPER = new RegExp(`<${DSML}(?:function|tool)_calls\\s*>`, 'y')
const WRAPPER_END = new RegExp(`</${DSML}(?:function|tool)_calls\\s*>`, 'y')
const INVOKE = new RegExp(`<${DSML}invoke\\s+name="([^"\\n]*)"\\s*>`, 'y')
const INVOKE_END = new RegExp(`</${DSML}invoke\\s*>`, 'y')
const PARAMETER = new RegExp(`<${DSML}parameter\\s+name="([^"\\n]*)"(?:\\s+string="(true|false)")?\\s*>`, 'y')
const PARAMETER_END = new RegExp(`</${DSML}parameter\\s*>`, 'g')

const token = (words: string): string => `<${BARS}tool[▁_ ]${words.replace(' ', '[▁_ ]')}${BARS}>`
const CALLS = new RegExp(token('calls begin'), 'y')
const CALLS_END = new RegExp(token('calls end'), 'y')
const CALL = new RegExp(token('call begin'), 'y')
const CALL_END = new RegExp(token('call end'), 'g')
const SEPARATOR = new RegExp(token('sep'))
const FENCED_JSON = /^([\w.-]+)\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/

/** A place in the text that moves on as the grammar matches. */
class Cursor {
  readonly text: string
  at: number

  constructor(text: string, at: number) {
    this.text = text
    this.at = at
  }

  /** Moves behind the pattern if it stands here, blanks before it skipped. */
  take(pattern: RegExp): RegExpExecArray | undefined {
    const blank = /\s*/y
    blank.lastIndex = this.at
    blank.exec(this.text)
    const sticky = new RegExp(pattern.source, 'y')
    sticky.lastIndex = blank.lastIndex
    const match = sticky.exec(this.text)
    if (match) this.at = sticky.lastIndex
    return match ?? undefined
  }

  /** The text up to the next match of the pattern, moving behind it. */
  until(pattern: RegExp): string | undefined {
    const search = new RegExp(pattern.source, 'g')
    search.lastIndex = this.at
    const match = search.exec(this.text)
    if (!match) return undefined
    const before = this.text.slice(this.at, match.index)
    this.at = search.lastIndex
    return before
  }

  get rest(): string {
    return this.text.slice(this.at).trimStart()
  }
}

/** A block of the parameter format, with its wrapper or a bare call. */
export function parseDsmlBlock(text: string, at: number): Block {
  const cursor = new Cursor(text, at)
  const wrapped = cursor.take(WRAPPER) !== undefined
  const calls: LeakedCall[] = []
  for (;;) {
    const before = cursor.at
    const call = invocation(cursor)
    if (call === 'none') {
      cursor.at = before
      break
    }
    if (call === 'cut') return { kind: 'cut' }
    calls.push(call)
    if (!wrapped) return { kind: 'whole', calls, end: cursor.at }
  }
  if (wrapped && calls.length > 0 && cursor.take(WRAPPER_END)) return { kind: 'whole', calls, end: cursor.at }
  return cursor.rest === '' || cursor.rest.startsWith('<') || calls.length > 0 ? { kind: 'cut' } : { kind: 'prose' }
}

function invocation(cursor: Cursor): LeakedCall | 'none' | 'cut' {
  const open = cursor.take(INVOKE)
  if (!open) return 'none'
  const args: Record<string, unknown> = {}
  for (;;) {
    const parameter = cursor.take(PARAMETER)
    if (!parameter) break
    const value = cursor.until(PARAMETER_END)
    if (value === undefined) return 'cut'
    args[parameter[1] ?? ''] = parameter[2] === 'true' ? value : jsonOr(value)
  }
  return cursor.take(INVOKE_END) ? { name: open[1] ?? '', arguments: JSON.stringify(args) } : 'cut'
}

/** A block of the token format, with its wrapper or a bare call. */
export function parseTokenBlock(text: string, at: number): Block {
  const cursor = new Cursor(text, at)
  const wrapped = cursor.take(CALLS) !== undefined
  const calls: LeakedCall[] = []
  while (cursor.take(CALL)) {
    const body = cursor.until(CALL_END)
    const call = body === undefined ? undefined : tokenCall(body)
    if (!call) return { kind: 'cut' }
    calls.push(call)
    if (!wrapped) return { kind: 'whole', calls, end: cursor.at }
  }
  if (wrapped && calls.length > 0 && cursor.take(CALLS_END)) return { kind: 'whole', calls, end: cursor.at }
  return cursor.rest === '' || cursor.rest.startsWith('<') || calls.length > 0 ? { kind: 'cut' } : { kind: 'prose' }
}

/** `name<sep>{json}`, or the older `function<sep>name` with the arguments in a fence. */
function tokenCall(body: string): LeakedCall | undefined {
  const parts = body.split(SEPARATOR)
  const [first = '', second = ''] = parts
  if (parts.length !== 2) return undefined
  const older = FENCED_JSON.exec(second.trim())
  const name = older ? (older[1] ?? '') : first.trim()
  const args = older ? (older[2] ?? '') : second.trim()
  return isJson(args) ? { name, arguments: args } : undefined
}

function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // a parameter without its type mark may well be plain text
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false // then the block is broken
  }
}
