/**
 * Reads a prompt as a list of commands in plain English. Pure.
 *
 *     read a.txt, then run `npm test` and tell me what failed
 *     └ read ──┘       └ run ───────┘     └ beyond ─────────┘
 *
 * What no rule recognises is a `survey`, once, or `beyond` when it stands behind
 * something that was recognised. Prose of several lines is one request even if a
 * line of it would pass for a command, unless it begins with one or is a list.
 */

import { maskQuotes, quotationOf, unmask, type Quoted } from './mask-quotes.ts'
import { IT } from './path-words.ts'
import { recogniseList, recogniseRead } from './recognise-files.ts'
import { recogniseDelete, recogniseFolder, recogniseRun } from './recognise-run.ts'
import { recogniseSearch, recogniseWeb } from './recognise-search.ts'
import { recogniseAppend, recogniseReplace, recogniseTodo, recogniseWrite } from './recognise-write.ts'
import { recogniseTalk } from './recognise-talk.ts'
import { findSeams, splitLines, type Line, type Seam } from './split-commands.ts'
import type { Command } from './types.ts'

type Recogniser = (text: string, quoted: readonly Quoted[]) => Command | undefined

/** The first that answers wins: the more particular ones stand first. */
const RECOGNISERS: readonly Recogniser[] = [
  recogniseTodo, recogniseTalk, recogniseWeb, recogniseFolder, recogniseReplace, recogniseAppend,
  recogniseRun, recogniseWrite, recogniseDelete, recogniseList, recogniseRead, recogniseSearch,
]

const COURTESY = /^(?:(?:please|pls|kindly|now|then|also|first|firstly|next|finally|lastly|ok(?:ay)?|hey|hi|hello|so|and|just|quickly|go\s+ahead\s+and|let's|let\s+us|(?:can|could|would|will)\s+you|i(?:'d|\s+would)?\s+(?:want|like|need)\s+you\s+to|you\s+should)\b[\s,]*)+(?=\S)/i
const THANKS = /(?:(?:(?<!\s)\s+|,\s*)(?:please|pls|for\s+me|thanks|thank\s+you|now|again))+(?=[.!?]*$)/i
const END_MARKS = /(?<=[\w\uE001)*/])[.!?]+$/

/** Longer prompts, and prompts with a longer line or more lines, are prose and not taken apart. Quotations do not count. */
const LONGEST = { text: 20_000, line: 1_000, lines: 200 }

export function parseCommands(prompt: string): Command[] {
  const { text, quoted } = maskQuotes(prompt.trim())
  if (text === '') return []
  const lines = text.length > LONGEST.text ? [] : splitLines(text)
  if (lines.length === 0 || lines.length > LONGEST.lines || lines.some(line => isProseLine(firstRow(line.text)))) return [{ kind: 'survey', request: prompt.trim() }]
  const parsed = lines.map(line => parseLine(line.text, quoted))
  if (isProse(lines, parsed)) return [{ kind: 'survey', request: prompt.trim() }]
  return mergeSurveys(resolveIt(parsed.flat()))
}

/** Long, or laid out with spaces, which patterns take long to try. */
function isProseLine(row: string): boolean {
  return row.length > LONGEST.line || /\s{40}/.test(row)
}

/** A line that announces content holds what follows it, too. */
function firstRow(line: string): string {
  return line.slice(0, line.includes('\n') ? line.indexOf('\n') : undefined)
}

/** Whether a command can be carried out by rule alone. */
export function isDirect({ kind }: Command): boolean {
  return kind !== 'survey' && kind !== 'beyond'
}

function isProse(lines: readonly Line[], parsed: readonly Command[][]): boolean {
  if (lines.length < 2 || lines.slice(1).every(line => line.listed)) return false
  return !(parsed[0]?.some(isDirect) ?? false) && !parsed.every(commands => commands.every(isDirect))
}

function parseLine(line: string, quoted: readonly Quoted[]): Command[] {
  const pieces: string[] = []
  let from = 0
  const seams = line.includes('\n') ? [] : findSeams(line)
  for (const [index, seam] of seams.entries()) {
    if (seam.start <= from || !parts({ line, from, seam, next: seams[index + 1] }, quoted)) continue
    pieces.push(line.slice(from, seam.start))
    from = seam.end
  }
  pieces.push(line.slice(from))
  return pieces.map((piece, index) => parseOne(asRun(piece, index, quoted), quoted))
}

const REMARK = /^(?:please\s+)?(?:tell|explain|summari[sz]e|describe|fix|check|make\s+sure|let\s+me|give|report|show\s+me|see|analy[sz]e|review|find\s+out|figure|correct|improve|refactor|what|why|how)\b/i

/** A seam with what surrounds it. */
interface Joint {
  line: string
  /** Where the command before the seam begins. */
  from: number
  seam: Seam
  next: Seam | undefined
}

/** Whether a seam parts two commands: what is behind it must be one, and for a weak seam what is before it too. */
function parts({ line, from, seam, next }: Joint, quoted: readonly Quoted[]): boolean {
  const left = recognise(asRun(line.slice(from, seam.start), from, quoted), quoted)
  const rest = line.slice(seam.end)
  const piece = line.slice(seam.end, next?.start)
  if (left?.kind === 'run' && isTick(piece, quoted) && /\uE001\s*$/.test(line.slice(from, seam.start))) return true
  const right = recognise(piece, quoted) ?? recognise(rest, quoted)
  if (left?.kind === 'todo' && !(seam.strong && hasVerb(rest))) return false
  if (isLooseRun(left, line.slice(from, seam.start)) && (isShellSeam(seam, left) || !hasVerb(rest))) return false
  if (right && right.kind !== 'incomplete') return seam.strong || (left !== undefined && left.kind !== 'incomplete')
  return left !== undefined && left.kind !== 'incomplete' && REMARK.test(rest)
}

/** A shell line without quotes may itself hold "then", "and" and semicolons. */
function isLooseRun(command: Command | undefined, text: string): boolean {
  return command?.kind === 'run' && !/\uE001\s*$/.test(text)
}

/** `a`, `b` and `c` behind one "run": a lone quotation that does not begin the line is one more command. */
function asRun(piece: string, position: number, quoted: readonly Quoted[]): string {
  return position > 0 && isTick(piece, quoted) ? `run ${piece}` : piece
}

function isTick(piece: string, quoted: readonly Quoted[]): boolean {
  return quotationOf(piece, quoted)?.style === 'tick'
}

/** `a && b`, `a; b`, and `if a; then b; fi` are one command. */
function isShellSeam({ words, strong }: Seam, left: Command | undefined): boolean {
  const isBlock = left?.kind === 'run' && /^(?:if|for|while|until|case)\b/.test(left.command)
  return /^\s*&&/.test(words) || (/^\s*;/.test(words) && (!strong || isBlock))
}

function hasVerb(text: string): boolean {
  return /^(?:please\s+|also\s+)*(?:run|execute|read|show|open|print|list|find|search|grep|write|create|append|add|replace|change|todo|fetch|delegate|tell|explain|summari[sz]e|describe|fix)\b/i.test(text)
}

function parseOne(piece: string, quoted: readonly Quoted[]): Command {
  return recognise(piece, quoted) ?? { kind: 'survey', request: unmask(piece, quoted).trim() }
}

function recognise(piece: string, quoted: readonly Quoted[]): Command | undefined {
  const whole = piece.trim()
  const said = whole.replace(COURTESY, '')
  const trimmed = said.replace(THANKS, '').replace(END_MARKS, '').trim()
  const command = firstOf(trimmed, quoted) ?? (trimmed === whole ? undefined : firstOf(whole, quoted))
  // Content without quotes is taken as it stands, with its full stop and its "please".
  return command?.kind === 'write' && !trimmed.endsWith('\uE001') ? (recogniseWrite(said, quoted) ?? command) : command
}

function firstOf(text: string, quoted: readonly Quoted[]): Command | undefined {
  if (text === '') return undefined
  for (const recogniser of RECOGNISERS) {
    const command = recogniser(text, quoted)
    if (command) return command
  }
  return undefined
}

/** "Show me the output": every report does. */
const ANSWERED = /^(?:and\s+)?(?:show|tell|give|print|report|let)\s+(?:me\s+)?(?:know\s+)?(?:the\s+|its\s+)?(?:(?:full|exact)\s+)?(?:outputs?|results?|outcome|it|(?:what\s+)?(?:it\s+(?:says|said|prints|printed|shows|outputs|returns)|you\s+(?:get|got|see|find|found)|happens|happened|came\s+out))(?:\s+(?:back|to\s+me))?[.!?]*$/i

/** "It" is the file that was named last. */
function resolveIt(commands: readonly Command[]): Command[] {
  let last: string | undefined
  return commands.map((command): Command => {
    if (command.kind === 'incomplete') return { ...command, advice: command.advice.replaceAll(IT, last ?? 'the file') }
    if (command.kind !== 'read' && command.kind !== 'write' && command.kind !== 'append' && command.kind !== 'replace') return command
    const named = command.kind === 'read' ? command.paths.at(-1) : command.path
    if (named !== IT) last = named
    if (last === undefined) return { kind: 'incomplete', advice: 'I cannot tell which file "it" is: name the file.' }
    return command.kind === 'read' ? { ...command, paths: command.paths.map(path => (path === IT ? (last ?? path) : path)) } : { ...command, path: last }
  })
}

/** One survey serves all requests before the first direct command; later ones are beyond what rules do. */
function mergeSurveys(commands: readonly Command[]): Command[] {
  const merged: Command[] = []
  for (const command of commands) {
    const last = merged.at(-1)
    if (command.kind !== 'survey') merged.push(command)
    else if (last && ANSWERED.test(command.request)) continue
    else if (last?.kind === 'survey' || last?.kind === 'beyond') merged[merged.length - 1] = { kind: last.kind, request: `${last.request} ${command.request}` }
    else merged.push({ kind: merged.length > 0 ? 'beyond' : 'survey', request: command.request })
  }
  return merged
}
