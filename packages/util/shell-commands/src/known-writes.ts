/** Names the files that well-known commands write, move or remove, for rules about paths. */
import type { ShellWord } from '@deepseek-ai/dsh-shell-syntax'

import { operandWords } from './verdicts.ts'

type TargetRule = (args: readonly ShellWord[]) => readonly ShellWord[]

const RULES: ReadonlyMap<string, TargetRule> = new Map<string, TargetRule>([
  ...everyOperand('tee touch mkdir rm rmdir unlink shred mv mkfifo'),
  ['cp', lastOperand],
  ['ln', lastOperand],
  ['install', lastOperand],
  ['rsync', lastOperand],
  ['scp', lastOperand],
  ['truncate', (args) => withoutValues(args, /^-[sr]$/)],
  ['chmod', (args) => operandWords(args).slice(1)],
  ['chown', (args) => operandWords(args).slice(1)],
  ['dd', (args) => valuesOf(args, /^of=/)],
  ['sort', (args) => valuesOf(args, /^(?:-[a-zA-Z]*o|--output=?)/)],
  ['curl', (args) => valuesOf(args, /^(?:-[a-zA-Z#]*o|--output=?)/)],
  ['wget', (args) => valuesOf(args, /^(?:-O|--output-document=?)/)],
  ['tree', (args) => valuesOf(args, /^-o/)],
  ['uniq', (args) => operandWords(args).slice(1)],
  ['xxd', (args) => operandWords(args).slice(1)],
  ['git', (args) => valuesOf(args, /^--output=?/)],
])

/** The words that name files which the program with these arguments changes; empty when none is known. */
export function writtenFiles(program: string, args: readonly ShellWord[]): readonly ShellWord[] {
  return RULES.get(program)?.(args) ?? []
}

function everyOperand(list: string): (readonly [string, TargetRule])[] {
  return list.split(' ').map((name) => [name, operandWords] as const)
}

function lastOperand(args: readonly ShellWord[]): readonly ShellWord[] {
  const into = valuesOf(args, /^(?:-t|--target-directory=?)/)
  return into.length > 0 ? into : operandWords(args).slice(-1)
}

/** The values of an option, attached or in the next word. */
function valuesOf(args: readonly ShellWord[], option: RegExp): readonly ShellWord[] {
  return args.flatMap((word, index) => {
    const match = option.exec(word.prefix)
    if (match === null) return []
    const rest = word.text.slice(match[0].length)
    if (rest !== '') return [{ ...word, text: rest, prefix: word.prefix.slice(match[0].length) }]
    const next = args[index + 1]
    return next ? [next] : []
  })
}

function withoutValues(args: readonly ShellWord[], option: RegExp): readonly ShellWord[] {
  return operandWords(args.filter((_, index) => !option.test(args[index - 1]?.text ?? '')))
}
