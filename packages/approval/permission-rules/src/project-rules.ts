/**
 * What the user allowed for a whole project: one file of the user's own for each, outside the project.
 *
 *     # What was allowed for /of/me/work, one rule a line. A line that is removed holds no more.
 *     - "bash(npm test)" # 2026-12-01T09:30:00Z, session 0193…
 *
 * A rule that is taken back becomes a comment of the same length, in place:
 *
 *     # taken back 2026-12-01T09:45:00Z
 *
 * So the file never moves or shrinks: it is appended to with one write for each answer, and two
 * programs lose nothing of each other. A rule that something else adds while this program runs is not taken up before its next start.
 */

import { constants, mkdir, open, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Allowance } from '@deepseek-ai/dsh-approval'
import { parseRule } from '@deepseek-ai/dsh-permission-patterns'
import { toRule } from './rule-book.ts'
import { takeOutRule } from './take-out-rule.ts'
import type { Rule } from './types.ts'

const MOST_BYTES = 1 << 20

/** What a file held when it was last looked at. */
interface Read {
  stamp: string
  rules: readonly Rule[]
}

interface Known {
  /** Texts that hold: there at the first look, or added by this program. */
  trusted: Set<string>
  read: Read
}

export class ProjectRules {
  readonly #directory: string
  readonly #warn: (message: string) => void
  readonly #known = new Map<string, Known>()

  constructor(directory: string, warn: (message: string) => void) {
    this.#directory = directory
    this.#warn = warn
  }

  /** Where the rules of a project stand, by the name that sessions are kept under. */
  fileOf(project: string): string {
    return join(this.#directory, `${project}.yml`)
  }

  /** Those that hold now; none when there is no file, and none of a file that cannot be read as a whole, which is warned about. */
  async of(project: string): Promise<readonly Rule[]> {
    const known = await this.#look(project)
    return known.read.rules.filter(rule => known.trusted.has(rule.text))
  }

  /** Adds what is not there yet. Rejects as the file system does. */
  async add(project: string, rules: readonly string[], note: { path: string; session: string; now: Date }): Promise<void> {
    const known = await this.#look(project)
    const fresh = rules.filter(text => !known.read.rules.some(rule => rule.text === text))
    await mkdir(this.#directory, { recursive: true, mode: 0o700 })
    if (fresh.length > 0) await append(this.fileOf(project), fresh, note)
    for (const text of rules) known.trusted.add(text)
  }

  /** Takes a rule out of the file, wherever it stands there; false when it does not. Rejects when its line holds more than it, and as the file system does. */
  async remove(project: string, text: string, now: Date): Promise<boolean> {
    const known = await this.#look(project)
    const isThere = known.read.rules.some(rule => rule.text === text)
    if (isThere) await takeOutRule(this.fileOf(project), text, now)
    // Should something else put it back, it must not hold at once.
    known.trusted.delete(text)
    return isThere
  }

  async #look(project: string): Promise<Known> {
    const file = this.fileOf(project)
    const before = this.#known.get(project)
    const stamp = await stampOf(file)
    if (before?.read.stamp === stamp) return before
    const rules = stamp === '' ? [] : await this.#read(file)
    const known: Known = { trusted: before?.trusted ?? new Set(rules.map(rule => rule.text)), read: { stamp, rules } }
    this.#known.set(project, known)
    return known
  }

  async #read(file: string): Promise<Rule[]> {
    const { parseYaml } = await import('@deepseek-ai/dsh-composition-yaml')
    const content = await readFile(file, 'utf8')
    const { root, problems: [problem] } = await parseYaml(content, file)
    if (problem) return this.#refuse(file, problem.position.line, problem.message)
    if (root === undefined || (root.kind === 'scalar' && root.value === null)) return []
    if (root.kind !== 'list') return this.#refuse(file, root.at.line, 'a list of rules is expected')
    const lines = content.split('\n')
    const rules: Rule[] = []
    for (const item of root.items) {
      const text = item.kind === 'scalar' && typeof item.value === 'string' ? item.value : undefined
      const parsed = text === undefined ? { fault: 'a rule is text' } : parseRule(text)
      if (text === undefined || 'fault' in parsed) return this.#refuse(file, item.at.line, 'fault' in parsed ? parsed.fault : 'a rule is text')
      rules.push({ ...toRule('allow', text, () => `${file}:${item.at.line}`), allowed: readNote(lines[item.at.line - 1] ?? '') })
    }
    return rules
  }

  #refuse(file: string, line: number, message: string): [] {
    this.#warn(`${file}:${line}: ${message}; nothing of this file applies until it is mended`)
    return []
  }
}

/** What stands behind a rule, where dsh has written it. */
function readNote(line: string): Allowance {
  const [, at = '', session] = / # (\S+), session (\S+)\s*$/.exec(line) ?? []
  const time = Date.parse(at)
  return { scope: 'project', ...(Number.isFinite(time) && { time }), ...(session !== undefined && { session }) }
}

/** Empty when there is no file. */
async function stampOf(file: string): Promise<string> {
  try {
    const { ino, size, mtimeNs } = await stat(file, { bigint: true })
    if (size > MOST_BYTES) throw new Error(`${file} is larger than ${MOST_BYTES} bytes; it holds rules that were allowed, remove some`)
    return `${ino} ${size} ${mtimeNs}`
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw error
  }
}

async function append(file: string, rules: readonly string[], { path, session, now }: { path: string; session: string; now: Date }): Promise<void> {
  const handle = await open(file, constants.O_RDWR | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW, 0o600)
  try {
    const { size } = await handle.stat()
    const last = Buffer.alloc(1)
    if (size > 0) await handle.read(last, 0, 1, size - 1)
    const head = size === 0 ? `# What was allowed for ${oneLine(path)}, one rule a line. A line that is removed holds no more.\n` : last.toString() === '\n' ? '' : '\n'
    const lines = rules.map(rule => `- ${JSON.stringify(rule)} # ${now.toISOString().replace(/\.\d+/, '')}, session ${oneLine(session)}\n`)
    await handle.write(head + lines.join(''))
    await handle.sync()
  } finally {
    await handle.close()
  }
}

function oneLine(text: string): string {
  // oxlint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u001f\u007f\u0085\u2028\u2029]/g, '?')
}
