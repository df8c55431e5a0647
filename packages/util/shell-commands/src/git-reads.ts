/**
 * Judges the reading forms of git. They are harmless although a repository's own configuration
 * (`core.fsmonitor`, `diff.external`, textconv filters) can make even `git status` run a program:
 * whoever could write that configuration needed a permission for it or was trusted when the
 * repository was opened, every leading agent lets these pass, and asking at each `git status`
 * teaches people to say yes unread. What the command line itself brings in (`-c`, `--git-dir`,
 * `--ext-diff`, `GIT_*` variables) is not harmless.
 */
import { readOptions } from '@deepseek-ai/dsh-shell-syntax'
import type { OptionSpec, ShellWord } from '@deepseek-ai/dsh-shell-syntax'

import { refuseOptions } from './option-reads.ts'
import type { Classification } from './types.ts'
import type { ArgumentRule } from './verdicts.ts'
import { harmless, hasLetter, operandWords, other } from './verdicts.ts'

const GLOBAL_OPTIONS: OptionSpec = {
  flags: 'P',
  values: 'Cc',
  long: ['no-pager', 'no-optional-locks', 'no-replace-objects', 'no-lazy-fetch', 'literal-pathspecs', 'glob-pathspecs', 'noglob-pathspecs', 'icase-pathspecs'],
  stopAtOperand: true,
}

/** Settings that only change how output looks. */
const HARMLESS_SETTING = /^(?:color\.[\w.]+|core\.(?:quotepath|abbrev)|advice\.\w+|diff\.(?:renames|noprefix|mnemonicprefix|context|algorithm))=[\w-]*$/i

const DANGEROUS_LONG = ['output', 'ext-diff', 'textconv', 'filters', 'open-files-in-pager', 'exec', 'upload-pack', 'paginate', 'help']
const LOOKALIKES: ReadonlySet<string> = new Set(['--text', '--output-indicator-new', '--output-indicator-old', '--output-indicator-context', '--exit-code', '--filter'])

/** Commands of which no form writes, but for the options above. */
const READS: ReadonlySet<string> = new Set(
  (
    'status diff log show blame annotate shortlog describe rev-parse rev-list ls-files ls-tree cat-file merge-base name-rev ' +
    'for-each-ref show-ref show-branch diff-tree diff-index diff-files count-objects check-ignore check-attr check-ref-format ' +
    'cherry range-diff whatchanged version var grep'
  ).split(' '),
)

const LISTING: OptionSpec = {
  flags: 'arvliq',
  optional: 'n',
  long: ['all', 'remotes', 'verbose', 'list', 'show-current', 'ignore-case', 'no-color', 'no-column', 'no-abbrev', 'omit-empty', 'color', 'column', 'abbrev'],
  longValues: ['contains', 'no-contains', 'merged', 'no-merged', 'points-at', 'sort', 'format'],
}

const SUBCOMMANDS: ReadonlyMap<string, ArgumentRule> = new Map<string, ArgumentRule>([
  ['branch', (args) => classifyListing(args, ['list', 'l', 'contains', 'no-contains', 'merged', 'no-merged', 'points-at'])],
  ['tag', (args) => classifyListing(args, ['list', 'l', 'n', 'contains', 'no-contains', 'merged', 'no-merged', 'points-at'])],
  ['remote', (args) => firstOperandOf(args, ['', 'get-url'])],
  ['stash', (args) => (args.length === 0 ? other('puts changes away') : firstOperandOf(args, ['list', 'show']))],
  ['reflog', (args) => (/^(?:expire|delete|drop|write)$/.test(operandWords(args)[0]?.text ?? '') ? other('changes the reflog') : readOnly(args))],
  ['worktree', (args) => firstOperandOf(args, ['list'])],
  ['notes', (args) => firstOperandOf(args, ['list', 'show'])],
  ['config', classifyConfig],
  ['symbolic-ref', (args) => (operandWords(args).length === 1 && !hasLetter(args, 'dm') && args.every((word) => word.known) && !args.some((word) => word.text.startsWith('--d')) ? harmless('only reads') : other('changes a reference'))],
])

/** What a reading git command does; everything that is not surely one is `other`. */
export function classifyGitRead(args: readonly ShellWord[]): Classification {
  if (args.length === 1 && args[0]?.known && /^(?:--version|--help|-v|-h)$/.test(args[0].text)) return harmless('only prints its version or help')
  const { options, operands, unsure } = readOptions(args, GLOBAL_OPTIONS)
  if (unsure !== undefined) return other(`has an option before the git command that is not known to be harmless: ${unsure}`)
  const setting = options.find((option) => option.name === 'c' && !(option.value?.known && HARMLESS_SETTING.test(option.value.text)))
  if (setting) return other(`changes a git setting that may run something: ${setting.value?.source ?? '-c'}`)
  const [name, ...rest] = operands
  if (name === undefined || !name.known) return other('runs a git command that is not known')
  const rule = SUBCOMMANDS.get(name.text)
  if (rule) return rule(rest)
  if (!READS.has(name.text)) return other(`runs git ${name.text}, which is not known to only read`)
  if (name.text === 'grep' && hasLetter(rest, 'O')) return other('opens what it finds in a program')
  return readOnly(rest)
}

function readOnly(args: readonly ShellWord[]): Classification {
  const judged = args.filter((word) => !LOOKALIKES.has(word.prefix.replace(/=.*$/s, '')))
  return refuseOptions(judged, { long: DANGEROUS_LONG, letters: '' })
}

/** `git branch` and `git tag`: names make a new one unless an option makes them a filter. */
function classifyListing(args: readonly ShellWord[], filters: readonly string[]): Classification {
  // Without a commit at its end, such a filter means HEAD.
  const last = args.at(-1)
  if (last?.known && /^--(?:no-)?(?:merged|contains)$/.test(last.text)) return classifyListing(args.slice(0, -1), filters)
  const { options, operands, unsure } = readOptions(args, LISTING)
  if (unsure !== undefined) return other(`has an argument that is not known to only list: ${unsure}`)
  const lists = options.some((option) => filters.includes(option.name))
  return operands.length === 0 || lists ? harmless('only lists') : other('makes or changes a reference')
}

function firstOperandOf(args: readonly ShellWord[], names: readonly string[]): Classification {
  const first = operandWords(args)[0]
  if (args.some((word) => !word.known && word !== first && word.several)) return other('has an argument that may turn out to be an option')
  if (!names.includes(first?.text ?? '') || (first && !first.known)) return other('is not one of the listing forms')
  return readOnly(args)
}

const CONFIG_READS: ReadonlySet<string> = new Set(['get', 'list', 'get-all', 'get-regexp', 'get-urlmatch', 'l'])

function classifyConfig(args: readonly ShellWord[]): Classification {
  const { options, operands, unsure } = readOptions(args, {
    flags: 'lz',
    values: 'f',
    long: ['get', 'get-all', 'get-regexp', 'get-urlmatch', 'list', 'global', 'system', 'local', 'worktree', 'null', 'name-only', 'show-origin', 'show-scope', 'includes', 'no-includes', 'bool', 'int', 'path', 'all'],
    longValues: ['file', 'blob', 'type', 'default'],
  })
  if (unsure !== undefined || operands.some((word) => !word.known)) return other('may change the configuration')
  const reads = options.some((option) => CONFIG_READS.has(option.name)) || operands[0]?.text === 'get' || operands[0]?.text === 'list'
  return reads || (operands.length === 1 && operands[0]?.text.includes('.')) ? harmless('only reads the configuration') : other('changes the configuration')
}
