/** Finds the git commands that may lose commits, changes or files for good, here or on a remote. */
import { readOptions } from '@deepseek-ai/dsh-shell-syntax'
import type { ShellWord } from '@deepseek-ai/dsh-shell-syntax'

import { hasLetter, mayBeLong as hasLong, operandWords } from './verdicts.ts'

type LossRule = (args: readonly ShellWord[]) => string | undefined

const RULES: ReadonlyMap<string, LossRule> = new Map<string, LossRule>([
  ['reset', (args) => (hasLong(args, 'hard', 'merge') ? 'throws away uncommitted changes' : undefined)],
  ['clean', cleanLoss],
  ['checkout', checkoutLoss],
  ['restore', restoreLoss],
  ['switch', (args) => (hasLetter(args, 'fC') || hasLong(args, 'force') || hasLong(args, 'discard-changes') || hasLong(args, 'force-create') ? 'throws away changes or a branch' : undefined)],
  ['push', pushLoss],
  ['branch', (args) => (hasLetter(args, 'DMCf') || hasLong(args, 'force') ? 'deletes or overwrites a branch' : undefined)],
  ['tag', (args) => (hasLetter(args, 'df') || hasLong(args, 'delete') || hasLong(args, 'force') ? 'deletes or moves a tag' : undefined)],
  ['stash', (args) => (/^(?:drop|clear)$/.test(operandWords(args)[0]?.text ?? '') ? 'deletes stashed changes' : undefined)],
  ['filter-branch', () => 'rewrites history'],
  ['filter-repo', () => 'rewrites history'],
  ['reflog', (args) => (/^(?:expire|delete|drop)$/.test(operandWords(args)[0]?.text ?? '') ? 'deletes the record of former states' : undefined)],
  ['gc', (args) => (hasLong(args, 'prune') ? 'deletes unreachable commits' : undefined)],
  ['read-tree', (args) => (hasLong(args, 'reset') ? 'throws away uncommitted changes' : undefined)],
  ['checkout-index', (args) => (hasLetter(args, 'f') || hasLong(args, 'force') ? 'throws away changes of files' : undefined)],
  ['fetch', (args) => (hasLetter(args, 'f') || hasLong(args, 'force') || operandWords(args).some((word) => word.prefix.startsWith('+')) ? 'overwrites branches' : undefined)],
  ['replace', (args) => (hasLetter(args, 'df') || hasLong(args, 'delete', 'force') ? 'deletes or overwrites replacements' : undefined)],
  ['symbolic-ref', (args) => (hasLetter(args, 'd') || hasLong(args, 'delete') ? 'deletes a reference' : undefined)],
  ['notes', (args) => (/^(?:prune|remove)$/.test(operandWords(args)[0]?.text ?? '') ? 'deletes notes' : undefined)],
  ['prune', () => 'deletes unreachable commits'],
  ['update-ref', () => 'deletes or overwrites references'],
  ['worktree', (args) => (operandWords(args)[0]?.text === 'remove' ? 'deletes a working tree' : undefined)],
  ['rm', (args) => (hasLetter(args, 'f') || hasLong(args, 'force') ? 'deletes files with their changes' : undefined)],
  ['submodule', (args) => (/^(?:deinit|update)$/.test(operandWords(args)[0]?.text ?? '') && (hasLetter(args, 'f') || hasLong(args, 'force')) ? 'throws away files of a submodule' : undefined)],
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
  const alias = found.options.map(({ name, value }) => (name === 'c' ? /^alias\.[^=]*=([^!].*)$/is.exec(value?.text ?? '')?.[1] : undefined)).find((text) => text !== undefined)
  if (alias !== undefined) return gitLoss([...alias.split(/\s+/).map(literal), ...found.operands.slice(1)])
  // Behind an option that is not known, the first word that is a command counts.
  const start = found.unsure === undefined ? 0 : args.findIndex((word) => word.known && RULES.has(word.text))
  const [name, ...rest] = found.unsure === undefined ? found.operands : start < 0 ? [] : args.slice(start)
  return name === undefined ? undefined : RULES.get(name.text)?.(rest)
}

/** `-n` counts where it is an option of its own and nothing takes it back: in `-enode` it belongs to a pattern. */
function cleanLoss(args: readonly ShellWord[]): string | undefined {
  const { options, unsure } = readOptions(args, { flags: 'dfinqxX', values: 'e', long: ['force', 'dry-run', 'quiet', 'interactive'], longValues: ['exclude'] })
  return unsure === undefined && options.some(({ name }) => name === 'n' || name === 'dry-run') ? undefined : 'deletes untracked files'
}

/** Only the index is changed where that is said, and the working tree is not. */
function restoreLoss(args: readonly ShellWord[]): string | undefined {
  const { options, unsure } = readOptions(args, { flags: 'SWqpm', values: 's', long: ['staged', 'worktree', 'quiet', 'patch', 'progress', 'no-progress', 'ignore-unmerged', 'source'], longValues: ['source', 'pathspec-from-file'] })
  const given = (letter: string, long: string): boolean => options.some(({ name }) => name === letter || name === long)
  return unsure === undefined && given('S', 'staged') && !given('W', 'worktree') ? undefined : 'throws away changes of files'
}

function literal(text: string): ShellWord {
  return { text, known: true, source: text, prefix: text, splits: false, several: false }
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
