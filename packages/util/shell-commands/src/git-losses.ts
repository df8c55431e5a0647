/** Finds the git commands that may lose commits, changes or files for good, here or on a remote. */
import { readOptions } from '@deepseek-ai/dsh-shell-syntax'
import type { ShellWord } from '@deepseek-ai/dsh-shell-syntax'

import { hasLetter, hasLong, operandWords } from './verdicts.ts'

type LossRule = (args: readonly ShellWord[]) => string | undefined

const RULES: ReadonlyMap<string, LossRule> = new Map<string, LossRule>([
  ['reset', (args) => (hasLong(args, 'hard') ? 'throws away uncommitted changes' : undefined)],
  ['clean', (args) => (hasLetter(args, 'n') || hasLong(args, 'dry-run') ? undefined : 'deletes untracked files')],
  ['checkout', checkoutLoss],
  ['restore', (args) => ((hasLong(args, 'staged') || hasLetter(args, 'S')) && !hasLong(args, 'worktree') && !hasLetter(args, 'W') ? undefined : 'throws away changes of files')],
  ['switch', (args) => (hasLetter(args, 'fC') || hasLong(args, 'force') || hasLong(args, 'discard-changes') || hasLong(args, 'force-create') ? 'throws away changes or a branch' : undefined)],
  ['push', pushLoss],
  ['branch', (args) => (hasLetter(args, 'DMCf') || hasLong(args, 'force') ? 'deletes or overwrites a branch' : undefined)],
  ['tag', (args) => (hasLetter(args, 'df') || hasLong(args, 'delete') || hasLong(args, 'force') ? 'deletes or moves a tag' : undefined)],
  ['stash', (args) => (/^(?:drop|clear)$/.test(operandWords(args)[0]?.text ?? '') ? 'deletes stashed changes' : undefined)],
  ['filter-branch', () => 'rewrites history'],
  ['filter-repo', () => 'rewrites history'],
  ['reflog', (args) => (/^(?:expire|delete|drop)$/.test(operandWords(args)[0]?.text ?? '') ? 'deletes the record of former states' : undefined)],
  ['gc', (args) => (hasLong(args, 'prune') ? 'deletes unreachable commits' : undefined)],
  ['prune', () => 'deletes unreachable commits'],
  ['update-ref', (args) => (hasLetter(args, 'd') || hasLong(args, 'delete') || hasLong(args, 'stdin') ? 'deletes references' : undefined)],
  ['worktree', (args) => (operandWords(args)[0]?.text === 'remove' ? 'deletes a working tree' : undefined)],
  ['rm', (args) => (hasLetter(args, 'f') || hasLong(args, 'force') ? 'deletes files with their changes' : undefined)],
  ['submodule', (args) => (operandWords(args)[0]?.text === 'deinit' && (hasLetter(args, 'f') || hasLong(args, 'force')) ? 'deletes the files of a submodule' : undefined)],
])

/** Why this git command may lose something; undefined when it does not. */
export function gitLoss(args: readonly ShellWord[]): string | undefined {
  const found = readOptions(args, {
    flags: 'pPhv',
    values: 'cC',
    long: ['no-pager', 'paginate', 'bare', 'no-replace-objects', 'no-lazy-fetch', 'no-optional-locks', 'literal-pathspecs', 'glob-pathspecs', 'noglob-pathspecs', 'icase-pathspecs', 'exec-path'],
    longValues: ['git-dir', 'work-tree', 'namespace', 'config-env', 'attr-source'],
    stopAtOperand: true,
  })
  const [name, ...rest] = found.operands
  return name === undefined ? undefined : RULES.get(name.text)?.(rest)
}

/** A branch is only switched to when nothing is lost; files are overwritten. One bare word may be either. */
function checkoutLoss(args: readonly ShellWord[]): string | undefined {
  if (hasLetter(args, 'fB') || hasLong(args, 'force') || hasLong(args, 'pathspec-from-file') || hasLong(args, 'ours') || hasLong(args, 'theirs')) return 'throws away changes'
  if (hasLetter(args, 'b') || hasLong(args, 'orphan') || hasLong(args, 'track') || hasLetter(args, 't')) return undefined
  const operands = operandWords(args)
  const [first] = operands
  const hasPaths = args.some((word) => word.known && word.text === '--') && args.at(-1)?.text !== '--'
  if (hasPaths || operands.length > 1 || (first && isLikePath(first))) return 'throws away changes of files'
  return undefined
}

function isLikePath(word: ShellWord): boolean {
  return !word.known || /^(?:\.|\.\.|[./:~].*)$|\/$|\.[A-Za-z]\w*$/s.test(word.text)
}

function pushLoss(args: readonly ShellWord[]): string | undefined {
  const names = ['force', 'force-with-lease', 'force-if-includes', 'delete', 'mirror', 'prune']
  if (hasLetter(args, 'fd') || names.some((name) => hasLong(args, name))) return 'overwrites or deletes branches of the remote'
  return operandWords(args).slice(1).some((word) => /^[+:]/.test(word.prefix)) ? 'overwrites or deletes branches of the remote' : undefined
}
