/** Options of Claude Code that its wrappers pass beside `--output-format stream-json`, in the words of this program. Pure. */

import { scriptFormat } from './script-format.ts'
import { UsageError } from './usage-error.ts'

/** None gets more than its name says. */
const MODES: Readonly<Record<string, string>> = { default: 'ask', acceptEdits: 'ask', dontAsk: 'ask', plan: 'read-only', auto: 'auto', bypassPermissions: 'auto' }

/** What becomes of an option and its value; an empty list where this program does so anyway. Throws `UsageError`. */
const OPTIONS: Readonly<Record<string, (value: string) => string[]>> = {
  // With an input of stream-json, what needs a permission is always asked there.
  '--permission-prompt-tool': value => {
    if (value !== 'stdio') throw new UsageError(`--permission-prompt-tool: only stdio is known, not "${value}"`)
    return []
  },
  // Names files of Claude Code, of which none is read.
  '--setting-sources': () => [],
  // Their boldest mode is wider than any of ours.
  '--dangerously-skip-permissions': () => ['--permission', 'auto'],
  '--permission-mode': value => ['--permission', MODES[value] ?? value],
}

/** These have no value. */
const FLAGS: ReadonlySet<string> = new Set(['--dangerously-skip-permissions'])

/** The same arguments where another format is asked for, or none. */
export function readStreamJsonArgs(args: readonly string[]): readonly string[] {
  if (scriptFormat(args) !== 'stream-json') return args
  const read: string[] = []
  for (let i = 0; i < args.length; i++) {
    const arg = args[i] ?? ''
    if (arg === '--') return [...read, ...args.slice(i)]
    const [name = '', given] = /^(--[\w-]+)=(.*)$/s.exec(arg)?.slice(1) ?? [arg]
    const translate = Object.hasOwn(OPTIONS, name) ? OPTIONS[name] : undefined
    if (translate) read.push(...translate(given ?? (FLAGS.has(name) ? '' : (args[++i] ?? ''))))
    else read.push(arg)
  }
  return read
}
