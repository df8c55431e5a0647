/** Programs that only read with the options listed here, and may do more with others. */
import { mayBeOption, readOptions } from '@deepseek-ai/dsh-shell-syntax'
import type { OptionSpec, ReadOptions, ShellWord } from '@deepseek-ai/dsh-shell-syntax'

import type { Classification } from './types.ts'
import { harmless, hasLetter, hasLong, optionWords, other } from './verdicts.ts'

/** The harmless options of a program; `refuses` says what is wrong with the rest, if anything. */
interface ReadSpec extends OptionSpec {
  refuses?: (found: ReadOptions) => string | undefined
}

const SPECS: ReadonlyMap<string, ReadSpec> = new Map<string, ReadSpec>([
  [
    'sort',
    {
      flags: 'bdfgiMhnRrVcCmsuz',
      values: 'kStT',
      long: ['ignore-leading-blanks', 'dictionary-order', 'ignore-case', 'general-numeric-sort', 'ignore-nonprinting', 'month-sort', 'human-numeric-sort', 'numeric-sort', 'random-sort', 'reverse', 'version-sort', 'check', 'merge', 'stable', 'unique', 'zero-terminated', 'debug'],
      longValues: ['key', 'field-separator', 'buffer-size', 'temporary-directory', 'parallel', 'batch-size', 'random-source', 'sort'],
    },
  ],
  ['uniq', { flags: 'cdDuiz', values: 'fsw', long: ['count', 'repeated', 'all-repeated', 'unique', 'ignore-case', 'zero-terminated', 'group'], longValues: ['skip-fields', 'skip-chars', 'check-chars'], refuses: secondOperand }],
  ['date', { flags: 'uR', optional: 'I', values: 'dr', long: ['utc', 'universal', 'rfc-email', 'iso-8601', 'debug'], longValues: ['date', 'reference', 'rfc-3339'], refuses: ({ operands }) => (operands.every((word) => word.prefix.startsWith('+')) ? undefined : 'may set the clock') }],
  ['hostname', { flags: 'fisIdA', long: ['fqdn', 'short', 'ip-address', 'all-ip-addresses', 'domain', 'all-fqdns', 'long'], refuses: ({ operands }) => (operands.length === 0 ? undefined : 'sets the name of the machine') }],
  ['file', { flags: 'bhikLNnrsvzZ0', values: 'eFfmP', long: ['brief', 'mime', 'mime-type', 'mime-encoding', 'no-dereference', 'dereference', 'keep-going', 'raw', 'version'] }],
  ['tree', { flags: 'adfilxhspugDFqNQnCJrtvcUSA', values: 'LPI', long: ['noreport', 'dirsfirst', 'gitignore', 'prune', 'du', 'si', 'inodes', 'device', 'ignore-case', 'matchdirs', 'filesfirst'], longValues: ['filelimit', 'charset', 'timefmt', 'sort'] }],
  ['ps', { flags: 'AaCcdeFfHhjLlMmNnTwy', values: 'CGgopPqsOtUu', digits: true, long: ['forest', 'headers', 'no-headers', 'deselect', 'cumulative'], longValues: ['pid', 'ppid', 'user', 'sort', 'format', 'group', 'tty', 'cols', 'columns', 'lines', 'rows', 'width', 'sid', 'quick-pid'], refuses: ({ operands }) => (operands.some((word) => !word.known || /^[A-Za-z]*e/.test(word.text)) ? 'shows the environment of processes' : undefined) }],
  ['xxd', { flags: 'abCdEeipruv', values: 'cglns', refuses: secondOperand }],
  ['base64', { flags: 'diD', values: 'wb', long: ['decode', 'ignore-garbage'], longValues: ['wrap'] }],
  ['base32', { flags: 'di', values: 'w', long: ['decode', 'ignore-garbage'], longValues: ['wrap'] }],
])

/** Not yarn, pnpm, cargo, go and their kind: a project chooses which release of them answers, and that is fetched or run. */
const VERSION_PROGRAMS: ReadonlySet<string> = new Set(
  'node npm bun deno python python3 pip pip3 ruby perl gcc g++ cc clang make cmake java javac docker git rg fd jq bash sh zsh tar curl wget psql sqlite3 php'.split(' '),
)

/** The judgement of a program that this file knows; undefined of others. */
export function classifyOptionRead(program: string, args: readonly ShellWord[]): Classification | undefined {
  if (asksVersion(program, args)) return harmless('only prints its version or help')
  if (program === 'rg') return refuseOptions(args, { long: ['pre', 'hostname-bin'], letters: '' })
  if (program === 'fd' || program === 'fdfind') return classifyFd(args)
  const spec = SPECS.get(program)
  if (spec === undefined) return undefined
  const found = readOptions(args, spec)
  if (found.unsure !== undefined) return other(`has an option that is not known to only read: ${found.unsure}`)
  const refusal = spec.refuses?.(found)
  return refusal === undefined ? harmless('only reads with these options') : other(refusal)
}

/** For programs of which few options are dangerous: harmless unless one of them is, or may be, there. */
export function refuseOptions(args: readonly ShellWord[], dangerous: { long: readonly string[]; letters: string }): Classification {
  const doubtful = optionWords(args).find((word) => !word.known && mayBeOption(word))
  if (doubtful) return other(`has an argument that may turn out to be an option: ${doubtful.source}`)
  const long = dangerous.long.find((name) => hasLong(args, name))
  if (long) return other(`can write or run something with --${long}`)
  if (hasLetter(args, dangerous.letters)) return other(`can write or run something with one of -${[...dangerous.letters].join(' -')}`)
  return harmless('only reads with these options')
}

/** What `fd` has run is judged by itself; fd alone only searches. */
function classifyFd(args: readonly ShellWord[]): Classification {
  const exec = args.findIndex((word) => word.known && /^(?:-[HIaLpsigFu0l1q]*[xX]|--exec(?:-batch)?(?:=|$))/.test(word.text))
  return refuseOptions(exec < 0 ? args : args.slice(0, exec), { long: ['exec', 'exec-batch'], letters: 'xX' })
}

function secondOperand({ operands }: ReadOptions): string | undefined {
  const [first, ...more] = operands
  return more.length > 0 || first?.several ? 'writes to its second operand' : undefined
}

/** Only the option alone: with `javac -version x.java` the compiler does run. */
function asksVersion(program: string, args: readonly ShellWord[]): boolean {
  const [only, ...more] = args
  if (only === undefined || !only.known || more.length > 0 || !VERSION_PROGRAMS.has(program)) return false
  return only.text === '--version' || only.text === '--help' || (/^-[vV]$/.test(only.text) && /^(?:node|npm|python3?|bun)$/.test(program))
}
