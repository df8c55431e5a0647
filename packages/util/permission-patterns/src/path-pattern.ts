/**
 * Path patterns in the syntax of gitignore. Where one starts:
 *
 *     /srv/**  //srv/**   at the root of the file system
 *     ~/notes/**          at home
 *     ./src/**  src/**    at the workspace; also ../other/**
 *     .env  *.pem  build/ no slash but at the end: that name at any depth, in the workspace for allow
 *                         rules, anywhere for ask and deny
 */

import { isAbsolute, relative, resolve, sep } from 'node:path'
import type { Ignore } from 'ignore'

/** Below a directory that is searched: a name that only wildcards match. */
const ANY_CHILD = '\u0001'

export interface PathQuestion {
  /** Absolute. */
  path: string
  workspace: string
  home: string
  /** Whether everything below it is meant, too. */
  searches: boolean
}

type Base = 'root' | 'home' | 'workspace'

export class PathPattern {
  readonly #base: Base
  /** `..` steps above the base. */
  readonly #above: string
  readonly #pattern: string
  readonly #anyDepth: boolean
  readonly #loose: boolean
  #matcher: Promise<Ignore> | undefined

  /** `loose`: names are compared without case and in one Unicode form, and a name alone matches outside the workspace, too. */
  constructor(text: string, loose: boolean) {
    const { base, above, pattern } = place(text)
    this.#base = base
    this.#above = above
    this.#pattern = loose ? pattern.normalize('NFC') : pattern
    this.#anyDepth = base === 'workspace' && !pattern.replace(/\/$/, '').includes('/')
    this.#loose = loose
  }

  async matches({ path, workspace, home, searches }: PathQuestion): Promise<boolean> {
    const base = this.#base === 'root' || (this.#loose && this.#anyDepth) ? '/' : resolve(this.#base === 'home' ? home : workspace, this.#above)
    const inside = below(base, this.#loose ? path.normalize('NFC') : path, this.#loose)
    if (inside === undefined) return false
    this.#matcher ??= createMatcher(this.#pattern, this.#loose)
    const matcher = await this.#matcher
    if (inside !== '' && matcher.ignores(inside)) return true
    return searches && ((inside !== '' && matcher.ignores(`${inside}/`)) || matcher.ignores(inside === '' ? ANY_CHILD : `${inside}/${ANY_CHILD}`))
  }
}

async function createMatcher(pattern: string, ignorecase: boolean): Promise<Ignore> {
  const { default: ignore } = await import('ignore')
  // A # at the start would make it a comment.
  return ignore({ ignorecase }).add(pattern.replace(/^#/, '\\#'))
}

/** The base of a pattern, and the rest as gitignore has it: anchored by a slash at its start. */
function place(text: string): { base: Base; above: string; pattern: string } {
  if (text.startsWith('/')) return { base: 'root', above: '', pattern: text.replace(/^\/+/, '/') }
  if (text === '~' || text.startsWith('~/')) return { base: 'home', above: '', pattern: `/${text.slice(2) || '**'}` }
  const [, above = ''] = /^((?:\.\.?\/)+)/.exec(text) ?? []
  if (above === '') return { base: 'workspace', above: '', pattern: text }
  return { base: 'workspace', above, pattern: `/${text.slice(above.length)}` }
}

/** The path from `base`, with forward slashes; empty for the base itself, undefined outside of it. */
function below(base: string, path: string, loose: boolean): string | undefined {
  const fold = (text: string): string => (loose ? text.toLowerCase() : text)
  const inside = relative(fold(base), fold(path))
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) return undefined
  return sep === '/' ? inside : inside.replaceAll(sep, '/')
}

/** The pattern for exactly this path, from the workspace where it lies below it. */
export function exactPattern(path: string, workspace: string): string {
  const inside = below(workspace, path, false)
  const shown = inside === undefined || inside === '' ? path : `./${inside}`
  return shown.replace(/[\\*?[\]!]/g, '\\$&').replace(/ $/, '\\ ')
}
