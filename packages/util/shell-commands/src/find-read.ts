/** Judges `find`: tests only read, some actions write or delete; what it runs is judged by itself. */
import { mayBeOption } from '@deepseek-ai/dsh-shell-syntax'
import type { ShellWord } from '@deepseek-ai/dsh-shell-syntax'

import type { Classification } from './types.ts'
import { destructive, harmless, other } from './verdicts.ts'

const WITHOUT_VALUE: ReadonlySet<string> = new Set(
  (
    '-H -L -P -print -print0 -ls -depth -d -mount -xdev -follow -daystart -empty -prune -quit -not -a -and -o -or -true -false ' +
    '-nouser -nogroup -readable -writable -executable -noleaf -warn -nowarn -ignore_readdir_race -noignore_readdir_race -E -x -O0 -O1 -O2 -O3'
  ).split(' '),
)

const WITH_VALUE: ReadonlySet<string> = new Set(
  (
    '-name -iname -path -ipath -wholename -iwholename -lname -ilname -regex -iregex -regextype -type -xtype -size ' +
    '-mtime -atime -ctime -mmin -amin -cmin -used -perm -user -group -uid -gid -inum -links -samefile -maxdepth -mindepth -fstype -context -printf -files0-from -D'
  ).split(' '),
)

const RUNNING: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir'])
const WRITING: ReadonlySet<string> = new Set(['-fprint', '-fprint0', '-fprintf', '-fls'])

/** What this `find` does apart from the commands that its `-exec` runs. */
export function classifyFind(args: readonly ShellWord[]): Classification {
  if (args.some((word) => (word.known ? word.text === '-delete' : /^\{.*-delete\b.*\}$|^-\{.*\bdelete\b/.test(word.source)))) return destructive('deletes what it finds')
  const target = args.findIndex((word) => word.known && WRITING.has(word.text))
  if (target >= 0) return writesTo(args[target + 1])
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]
    if (word === undefined) break
    if (!word.known && mayBeOption(word)) return other(`has an argument that may turn out to be an action: ${word.source}`)
    if (!word.prefix.startsWith('-')) continue
    if (RUNNING.has(word.text)) at = endOfCommand(args, at)
    else if (takesValue(word.text)) {
      at += 1
      const value = args[at]
      if (value?.several && mayBeOption(value)) return other(`has an argument that may turn out to be an action: ${value.source}`)
    } else if (!WITHOUT_VALUE.has(word.text)) return other(`has an action that is not known to only read: ${word.text}`)
  }
  return harmless('only searches')
}

function takesValue(text: string): boolean {
  return WITH_VALUE.has(text) || /^-newer(?:[aBcm][aBcmt])?$|^-anewer$|^-cnewer$/.test(text)
}

function endOfCommand(args: readonly ShellWord[], from: number): number {
  const end = args.findIndex((word, index) => index > from && word.known && (word.text === ';' || (word.text === '+' && args[index - 1]?.text === '{}')))
  return end < 0 ? args.length : end
}

function writesTo(target: ShellWord | undefined): Classification {
  const judged = other('writes what it finds to a file')
  return target?.known ? { ...judged, writes: [target.text] } : { ...judged, writesUnknown: true }
}
