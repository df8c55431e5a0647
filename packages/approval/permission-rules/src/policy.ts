/** The policy: what is said of a call by the rules, then by what is known of commands and files, then by the mode. */

import { realpath } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Judgement, PermissionPolicy, PolicyCall, RememberedRule, RuleReference, Verdict } from '@deepseek-ai/dsh-approval'
import type { Session } from '@deepseek-ai/dsh-session'
import { exactPattern, FILE_TOOLS, hostOf, matchesDomain, namesTool, pathOf } from '@deepseek-ai/dsh-permission-patterns'
import type { FileContext, FileWorld } from './command-files.ts'
import { findIdleRules } from './idle-rules.ts'
import { namesOf, namesOfAny, ruleOnFile, ruleOnSecret } from './judge-file.ts'
import type { LineJudgement } from './judge-line.ts'
import { referTo, ruledBy, toRule, type RuleBook } from './rule-book.ts'
import type { PermissionMode, Place, Rule, Ruling } from './types.ts'

/** What the policy needs of the program around it. */
export interface PolicyWorld {
  files(): FileWorld
  home: string
  /** The shell that commands run in. */
  dialect(): 'bash' | 'sh'
  /** The permission mode of a session, and what a mode comes down to; undefined for one that nobody knows. */
  modeOf(session: Session | undefined): string
  baseOf(mode: string): string | undefined
  /** The rules that answers of the session left. */
  allowances(session: Session): readonly RememberedRule[]
  /** What is allowed for the project in a directory. */
  ofProject(workspace: string): Promise<readonly Rule[]>
  /** Takes one of those away; false when it is not there. */
  forgetOfProject(workspace: string, rule: string): Promise<boolean>
  /** Directories that belong to the workspace of a session, too. */
  directories(session: Session | undefined): readonly string[]
  tools(): readonly string[]
}

/** The kinds of tools that change nothing. */
const READING: ReadonlySet<string> = new Set(['read', 'search', 'think'])

interface Context extends FileContext {
  call: PolicyCall
  /** As the user named it. */
  modeName: string
}

const MODES: ReadonlySet<string> = new Set<PermissionMode>(['ask', 'auto', 'read-only'])

export class RulePolicy implements PermissionPolicy {
  readonly defaultMode: string
  readonly #book: RuleBook
  readonly #world: PolicyWorld
  readonly #answered = new Map<string, Rule>()

  constructor(book: RuleBook, world: PolicyWorld, defaultMode: string) {
    this.#book = book
    this.#world = world
    this.defaultMode = defaultMode
  }

  /** Rejects when it cannot judge, and the call must not run then. */
  async judge(call: PolicyCall, signal: AbortSignal): Promise<LineJudgement> {
    const { session, mode } = call
    const modeName = mode ?? this.#world.modeOf(session)
    const base = this.#world.baseOf(modeName)
    if (base === undefined || !MODES.has(base)) return { verdict: 'deny', reason: `there is no permission mode ${modeName}`, remember: [] }
    const workspace = await real(session?.header.cwd ?? call.cwd)
    const directories = this.#world.directories(session)
    const place: Place = { cwd: call.cwd, workspace, home: this.#world.home, directories, signal }
    const book = await this.#bookOf(workspace, session)
    return await this.#judgeIn({ ...this.#world.files(), call, modeName, mode: base as PermissionMode, place, book })
  }

  async rules(cwd: string, session: Session | undefined, signal: AbortSignal): Promise<readonly RuleReference[]> {
    signal.throwIfAborted()
    const book = await this.#bookOf(await real(session?.header.cwd ?? cwd), session)
    const idle = findIdleRules(book, this.#world.tools())
    return book.all().map(rule => {
      const why = idle.get(rule)
      return { ...referTo(rule), ...(why !== undefined && { idle: why }) }
    })
  }

  async forget(cwd: string, rule: string, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted()
    return await this.#world.forgetOfProject(await real(cwd), rule)
  }

  /** What is kept for the project is known with its place there; the answer that left it need not be told beside it. */
  async #bookOf(workspace: string, session: Session | undefined): Promise<RuleBook> {
    const ofProject = await this.#world.ofProject(workspace)
    const kept = new Set(ofProject.map(({ text }) => text))
    const answers = (session ? this.#world.allowances(session) : []).filter(({ rule }) => !kept.has(rule))
    return this.#book.with([...answers.map(answer => this.#answer(answer)), ...ofProject])
  }

  #answer({ rule: text, ...allowed }: RememberedRule): Rule {
    const known = this.#answered.get(text) ?? toRule('allow', text, () => 'allowed in this session')
    this.#answered.set(text, known)
    return { ...known, allowed, ...(allowed.scope === 'turn' && { source: () => 'allowed in this turn' }) }
  }

  async #judgeIn(context: Context): Promise<LineJudgement> {
    const { tool, arguments: args } = context.call
    if (tool === 'bash' && typeof args['command'] === 'string') {
      const { judgeLine } = await import('./judge-line.ts')
      const workdir = args['workdir']
      const cwd = typeof workdir === 'string' ? resolve(context.place.cwd, workdir) : context.place.cwd
      return await judgeLine(args['command'], { ...context, place: { ...context.place, cwd }, dialect: this.#world.dialect() })
    }
    const path = pathOf(tool, args)
    if (path !== undefined && FILE_TOOLS.has(tool)) return await judgeFileTool(path, context)
    return judgeByName(context)
  }
}

/** A directory that is gone has no other name. */
async function real(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return path
  }
}

const READ_ONLY: LineJudgement = { verdict: 'deny', reason: 'it may change something, and this session is read-only', remember: [], isReadOnly: true }

async function judgeFileTool(path: string, context: Context): Promise<LineJudgement> {
  const { call, place, mode, book, fs, whyProtected } = context
  const tool = call.tool as 'read' | 'grep' | 'glob' | 'edit' | 'write'
  const changes = FILE_TOOLS.get(tool)?.changes === true
  // What only reads fails by itself, in its own words.
  const names = await (changes ? namesOf : namesOfAny)(fs, path, place)
  const ruled = await ruleOnFile(book, { tool, path }, names, place)
  if (ruled?.verdict === 'deny') return ruled
  if (changes && mode === 'read-only') return READ_ONLY
  if (ruled?.verdict === 'ask') return ruled
  if (!changes) return ruled ?? ruleOnSecret(names, place) ?? byMode('allow', context, [])
  const why = await whyProtected(path, place)
  if (why !== undefined) return { verdict: 'ask', reason: `it writes ${path}, and ${why}`, remember: [] }
  if (ruled) return ruled
  const inside = names.real.every(each => exactPattern(each, place.workspace).startsWith('./'))
  return byMode(mode === 'auto' ? 'allow' : 'ask', context, inside ? ['edit(./**)', 'write(./**)'] : names.real.map(each => `${tool}(${exactPattern(each, place.workspace)})`))
}

function judgeByName(context: Context): LineJudgement {
  const { call: { tool, kind = 'other', arguments: args }, mode, book } = context
  const host = tool === 'web_fetch' ? hostOf(args['url']) : undefined
  const ruled = ruleOnName(book, tool, host)
  if (ruled?.verdict === 'deny') return ruled
  const reads = READING.has(kind)
  if (!reads && mode === 'read-only') return READ_ONLY
  if (ruled) return ruled
  return byMode(reads || mode === 'auto' ? 'allow' : 'ask', context, [host === undefined ? tool : `web_fetch(domain:${host})`])
}

function ruleOnName(book: RuleBook, tool: string, host: string | undefined): Ruling | undefined {
  const holds = ({ tool: named, pattern }: Rule): boolean => (pattern ? pattern.kind === 'domain' && named === tool && host !== undefined && matchesDomain(pattern.domain, host) : namesTool(named, tool))
  for (const action of ['deny', 'ask', 'allow'] as const) {
    const rule = book.of(action).find(holds)
    if (rule) return { verdict: action, ...ruledBy(rule), remember: [] }
  }
  return undefined
}

function byMode(verdict: Verdict, { modeName, call: { tool, kind = 'other' } }: Context, remember: readonly string[]): Judgement {
  const what = READING.has(kind) ? 'only reads' : 'may change something'
  return { verdict, reason: `${tool} ${what} (mode ${modeName})`, remember: verdict === 'ask' ? remember : [] }
}
