/**
 * Judges a command line: every simple command in it, wherever it stands, and
 * the files that it names. A line is allowed when each part is; one part that
 * is denied denies the whole.
 */

import type { JudgedPart, Judgement } from '@deepseek-ai/dsh-approval'
import { exactCommand, matchesCommand, namesTool } from '@deepseek-ai/dsh-permission-patterns'
import { judgeFiles, writesFiles, type FileContext } from './command-files.ts'
import { takeApart, type LineCommand } from './line-commands.ts'
import { rememberCommand } from './remember-command.ts'
import { ruledBy, strictest } from './rule-book.ts'
import type { Rule, Ruling } from './types.ts'

export interface LineJudgement extends Judgement {
  /** Refused by the mode alone. */
  isReadOnly?: true
}

export interface LineContext extends FileContext {
  dialect: 'bash' | 'sh'
}

const TOOL = 'bash'

interface Judged {
  part: JudgedPart
  remember: readonly string[]
  isReadOnly: boolean
}

export async function judgeLine(line: string, context: LineContext): Promise<LineJudgement> {
  const { commands, problems } = await takeApart(line, { cwd: context.place.cwd, home: context.place.home, dialect: context.dialect })
  const allowed = new Map<LineCommand, Rule>()
  const judged: Judged[] = []
  for (const each of commands) judged.push(toPart(each, combine(await rulingsOn(each, context, allowed))))
  const refuses = context.mode === 'read-only'
  for (const problem of problems) {
    const reason = `it cannot be judged by its parts: it ${problem}`
    judged.push({ part: { text: line, verdict: refuses ? 'deny' : 'ask', reason }, remember: [], isReadOnly: refuses })
  }
  return sum(judged)
}

function sum(judged: readonly Judged[]): LineJudgement {
  const verdict = strictest(judged.map(({ part }) => part.verdict))
  const deciding = judged.filter(({ part }) => part.verdict === verdict)
  const [first] = deciding
  const parts = judged.map(({ part }) => part)
  if (!first) return { verdict, reason: 'it runs nothing', parts, remember: [] }
  const { text, reason, rule } = first.part
  const lasting = verdict === 'ask' && deciding.every(({ remember }) => remember.length > 0)
  return {
    verdict,
    reason: parts.length > 1 ? `${text}: ${reason}` : reason,
    ...(rule && { rule }),
    parts,
    remember: lasting ? [...new Set(deciding.flatMap(({ remember }) => remember))] : [],
    ...(verdict === 'deny' && deciding.every(each => each.isReadOnly) && { isReadOnly: true as const }),
  }
}

/** A ruling that the mode alone makes. */
type ModeRuling = Ruling & { isReadOnly?: true }

function toPart({ command }: LineCommand, { verdict, reason, rule, remember, isReadOnly }: ModeRuling): Judged {
  return { part: { text: command.source, verdict, reason, ...(rule && { rule }) }, remember, isReadOnly: isReadOnly === true }
}

/** The strictest counts; what is asked can be remembered only when all of it can. */
function combine(rulings: readonly ModeRuling[]): ModeRuling {
  const verdict = strictest(rulings.map(each => each.verdict))
  const deciding = rulings.filter(each => each.verdict === verdict)
  const [first] = deciding
  if (!first) throw new Error('a command was judged by nothing')
  const lasting = deciding.every(({ remember }) => remember.length > 0)
  return { ...first, reason: [...new Set(deciding.map(({ reason }) => reason))].join('; '), remember: lasting ? [...new Set(deciding.flatMap(({ remember }) => remember))] : [] }
}

async function rulingsOn(each: LineCommand, context: LineContext, allowed: Map<LineCommand, Rule>): Promise<ModeRuling[]> {
  const ruled = ruleOnCommand(each, context)
  if (ruled?.verdict === 'deny') return [ruled]
  const files = await judgeFiles(each, context)
  const denied = files.filter(({ verdict }) => verdict === 'deny')
  if (denied.length > 0) return denied
  if (context.mode === 'read-only' && (each.known.class !== 'harmless' || writesFiles(each))) {
    return [{ verdict: 'deny', reason: 'it may change something, and this session is read-only', remember: [], isReadOnly: true }]
  }
  return [...(ruled ? [ruled] : []), ...files, await ownRuling(each, context, allowed)]
}

/** What deny and ask rules say, whoever has the command run. */
function ruleOnCommand(each: LineCommand, { book }: LineContext): Ruling | undefined {
  for (const action of ['deny', 'ask'] as const) {
    const rule = book.of(action).find(candidate => matches(candidate, each))
    if (rule) return { verdict: action, ...ruledBy(rule), remember: [] }
    const doubtful = book.of(action).find(candidate => mayMatch(candidate, each))
    if (doubtful) return { verdict: 'ask', reason: `whether the rule ${doubtful.text} (${doubtful.source()}) holds for it is only known when it runs`, rule: ruledBy(doubtful).rule, remember: [] }
  }
  return undefined
}

function matches({ tool, pattern }: Rule, { words }: LineCommand): boolean {
  if (pattern === undefined) return namesTool(tool, TOOL)
  return pattern.kind === 'command' && words.length > 0 && matchesCommand(pattern.command, words)
}

/** Whether the words that are known only later can make the rule match. */
function mayMatch({ pattern }: Rule, { command, words }: LineCommand): boolean {
  if (pattern?.kind !== 'command') return false
  const { prefix } = pattern.command
  const unknown = command.words.findIndex(({ known }) => !known)
  return unknown > 0 && unknown < prefix.length && prefix.slice(0, unknown).every((word, at) => words[at] === word)
}

/** What is said of the command itself, its files apart. */
async function ownRuling(each: LineCommand, context: LineContext, allowed: Map<LineCommand, Rule>): Promise<ModeRuling> {
  const { known } = each
  const rule = each.isBent ? undefined : await allowingRule(each, context, allowed)
  if (rule) allowed.set(each, rule)
  if (known.class === 'harmless') return { verdict: 'allow', reason: `it ${known.why}`, remember: [] }
  if (rule) return { verdict: 'allow', ...ruledBy(rule), remember: [] }
  if (known.class === 'destructive') return { verdict: 'ask', reason: `it ${known.why}; only a rule that names it, such as bash(${exactCommand(each.words)}), allows it`, remember: [] }
  if (context.mode === 'auto') return { verdict: 'allow', reason: 'mode auto', remember: [] }
  return { verdict: 'ask', reason: each.isBent ? 'it sets a variable that can change what it runs' : `it ${known.why}`, remember: rememberCommand(each) }
}

/** What another command runs is allowed only by a rule about that one. */
async function allowingRule(each: LineCommand, { book }: LineContext, allowed: ReadonlyMap<LineCommand, Rule>): Promise<Rule | undefined> {
  const ofWrapper = each.wrapper && allowed.get(each.wrapper)
  const candidates = each.wrapper ? (ofWrapper ? [ofWrapper] : []) : book.of('allow').filter(rule => matches(rule, each))
  if (each.known.class !== 'destructive') return candidates[0]
  for (const rule of candidates) if (await namesDestruction(rule)) return rule
  return undefined
}

/** Whether the words that the rule spells out are destructive by themselves, so that whoever wrote it knew. */
async function namesDestruction({ pattern }: Rule): Promise<boolean> {
  if (pattern?.kind !== 'command' || pattern.command.prefix.length === 0) return false
  const quoted = pattern.command.prefix.map(word => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')
  const { commands } = await takeApart(quoted, { cwd: '/', home: '/', dialect: 'bash' })
  return commands.some(({ known }) => known.class === 'destructive')
}

