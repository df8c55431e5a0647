/** Finds what a command has other programs run: the inner command of `env`, `xargs`, `find -exec` … */
import { programName } from './command-text.ts'
import { readOptions } from './options.ts'
import type { FoundOption } from './options.ts'
import { joinedText } from './shell-texts.ts'
import type { ShellText } from './shell-texts.ts'
import type { ShellAssignment, ShellWord, SimpleCommand } from './types.ts'
import { knownWord, unknownWord } from './words.ts'
import { WRAPPERS } from './wrapper-specs.ts'
import type { WrapperSpec } from './wrapper-specs.ts'

/** One thing that a wrapper runs: words, a shell text, or something that cannot be told. */
export type Inner = { kind: 'command'; via: string; words: readonly ShellWord[]; assignments: readonly ShellAssignment[] } | { kind: 'text'; via: string; text: ShellText }

/** An argument that another program adds when it runs. */
const ADDED = unknownWord('…')

/** All that `command` has run, by one level; empty when it is no wrapper. */
export function unwrap(command: SimpleCommand): Inner[] {
  const program = programName(command)
  if (program === undefined) return []
  const args = command.words.slice(1)
  if (program === 'find' || program === 'gfind') return unwrapFind(args)
  if (program === 'fd' || program === 'fdfind') return unwrapFd(args)
  if (program === 'parallel') return unwrapParallel(args)
  if (/^(?:docker|podman|nerdctl|kubectl)$/.test(program)) return unwrapContainer(program, args)
  if (program === 'git') return unwrapGit(args)
  const spec = WRAPPERS.get(program)
  return spec === undefined ? [] : unwrapBySpec(program, spec, args)
}

function unwrapBySpec(via: string, spec: WrapperSpec, args: readonly ShellWord[]): Inner[] {
  const { options, operands, unsure } = readOptions(args, { ...spec, stopAtOperand: spec.text === undefined })
  if (unsure !== undefined && spec.lookups?.some((name) => options.some((option) => option.name === name))) return []
  if (unsure !== undefined) return [cannotTell(via, unsure)]
  if (options.some((option) => spec.lookups?.includes(option.name))) return []
  const text = options.find((option) => spec.text?.includes(option.name))
  if (text?.value) return [{ kind: 'text', via: `${via} -c`, text: joinedText([text.value], via, 'sh') }]
  if (spec.text && via !== 'flock') return []
  const split = options.find((option) => option.name === 'S' || option.name === 'split-string')
  if (via === 'env' && split?.value) return options.at(-1) === split ? unwrapEnvSplit(split.value, operands) : [cannotTell('env -S', split.value.source)]
  const leading = operands.slice(0, spec.leading ?? 0)
  const doubtful = leading.find((word) => word.several)
  if (doubtful) return [cannotTell(via, doubtful.source)]
  const rest = operands.slice(spec.leading ?? 0)
  if (spec.joins && rest.length > 0 && !options.some((option) => option.name === 'x' && via === 'watch')) return [{ kind: 'text', via, text: joinedText(rest, via, 'sh') }]
  return unwrapWords(via, spec, { rest, options })
}

function unwrapWords(via: string, spec: WrapperSpec, found: { rest: readonly ShellWord[]; options: readonly FoundOption[] }): Inner[] {
  let rest = via === 'env' && found.rest[0]?.text === '-' ? found.rest.slice(1) : found.rest
  const assignments: ShellAssignment[] = []
  while (spec.setsVariables) {
    const match = /^([^=]+)=/s.exec(rest[0]?.prefix ?? '')
    const [first] = rest
    if (match === null || first === undefined || match[1] === undefined) break
    if (first.several) return [cannotTell(via, first.source)]
    assignments.push({ name: match[1], value: { ...first, text: first.text.slice(match[0].length), prefix: first.prefix.slice(match[0].length) } })
    rest = rest.slice(1)
  }
  if (rest.length === 0) return assignments.length === 0 ? [] : [{ kind: 'command', via, words: [], assignments }]
  return [{ kind: 'command', via, words: withAdded(spec, rest, found.options), assignments }]
}

/** The words as they may be when the wrapper has filled in its part. */
function withAdded(spec: WrapperSpec, words: readonly ShellWord[], options: readonly FoundOption[]): readonly ShellWord[] {
  const replacing = options.filter((option) => spec.replaces?.includes(option.name))
  if (replacing.length === 0) return spec.addsArguments ? [...words, ADDED] : words
  const marks = replacing.map((option) => option.value?.text ?? '{}')
  return words.map((word) => withHole(word, marks))
}

/** A word in which one of `marks` is replaced by something unknown. */
function withHole(word: ShellWord, marks: readonly string[]): ShellWord {
  const at = Math.min(...marks.map((mark) => (mark === '' ? 0 : word.text.indexOf(mark))).filter((index) => index >= 0))
  if (!Number.isFinite(at)) return word
  return { ...word, known: false, prefix: word.prefix.slice(0, at) }
}

/** `env -S 'A=1 ls -l'`: only what has no escapes, quotes or variables of its own. */
function unwrapEnvSplit(text: ShellWord, operands: readonly ShellWord[]): Inner[] {
  if (!text.known || /[\\"'$#]/.test(text.text)) return [cannotTell('env -S', text.source)]
  const words = text.text.split(/\s+/).filter((word) => word !== '').map(knownWord)
  const spec = WRAPPERS.get('env') ?? {}
  return unwrapBySpec('env', spec, [...words, ...operands])
}

const FIND_ACTIONS: ReadonlySet<string> = new Set(['-exec', '-execdir', '-ok', '-okdir'])

function unwrapFind(args: readonly ShellWord[]): Inner[] {
  const inner: Inner[] = []
  for (let at = 0; at < args.length; at += 1) {
    const action = args[at]
    if (action === undefined || !action.known || !FIND_ACTIONS.has(action.text)) continue
    const end = args.findIndex((word, index) => index > at && word.known && (word.text === ';' || (word.text === '+' && args[index - 1]?.text === '{}')))
    const words = args.slice(at + 1, end < 0 ? undefined : end).map((word) => withHole(word, ['{}']))
    if (words.length > 0) inner.push({ kind: 'command', via: `find ${action.text}`, words, assignments: [] })
    if (end < 0) break
    at = end
  }
  return inner
}

const FD_ACTION = /^(?:-[HIaLpsigFu0l1q]*[xX]|--exec(?:-batch)?(?:=|$))(.*)$/s

function unwrapFd(args: readonly ShellWord[]): Inner[] {
  const inner: Inner[] = []
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at]
    const match = word?.known ? FD_ACTION.exec(word.text) : undefined
    if (word === undefined || !match) continue
    const end = args.findIndex((other, index) => index > at && other.known && other.text === ';')
    const given = args.slice(at + 1, end < 0 ? undefined : end)
    const words = !match[1] ? given : [knownWord(match[1]), ...given]
    const filled = words.map((each) => withHole(each, ['{']))
    if (filled.length > 0) inner.push({ kind: 'command', via: 'fd --exec', words: [...filled, ADDED], assignments: [] })
    if (end < 0) break
    at = end
  }
  return inner
}

/** GNU parallel: the words up to `:::` are a shell text, to which arguments are added. */
function unwrapParallel(args: readonly ShellWord[]): Inner[] {
  const flags = { flags: '0kmXvtu', values: 'jnNIPLaS', long: ['keep-order', 'dry-run', 'bar', 'progress', 'eta', 'verbose', 'null', 'will-cite', 'line-buffer', 'tag'], longValues: ['jobs', 'max-args', 'colsep', 'delay', 'timeout', 'joblog', 'halt'], stopAtOperand: true }
  const { operands, unsure } = readOptions(args, flags)
  const end = operands.findIndex((word) => /^:::/.test(word.text))
  const words = operands.slice(0, end < 0 ? undefined : end)
  if (unsure !== undefined || words.length === 0) return [cannotTell('parallel', unsure ?? 'it reads commands from its input')]
  if (words.some((word) => word.text.includes('{') || /[^\w./=:,@%+-]/.test(word.text))) return [cannotTell('parallel', words.map((word) => word.source).join(' '))]
  return [{ kind: 'command', via: 'parallel', words: [...words, ADDED], assignments: [] }]
}

function unwrapContainer(program: string, args: readonly ShellWord[]): Inner[] {
  if (args[0]?.text !== 'exec') return []
  const dashes = args.findIndex((word) => word.known && word.text === '--')
  if (program === 'kubectl') return dashes < 0 ? [] : [{ kind: 'command', via: 'kubectl exec', words: args.slice(dashes + 1), assignments: [] }]
  const spec: WrapperSpec = { flags: 'ditT', values: 'euw', long: ['interactive', 'tty', 'detach', 'privileged'], longValues: ['env', 'env-file', 'user', 'workdir'], leading: 1 }
  return unwrapBySpec(`${program} exec`, spec, args.slice(1))
}

/** Git settings whose value git has a shell run. */
const GIT_PROGRAMS = /^(?:alias\..*|pager\..*|core\.(?:pager|editor|sshcommand|fsmonitor|askpass|gitproxy|hookspath)|sequence\.editor|diff\.external|(?:diff|merge|filter|difftool|mergetool|browser|man|credential|gpg)\..*)$/i

/** `git -c core.pager='rm x' log` runs `rm x`; of an alias only what begins with `!` is a shell text. */
function unwrapGit(args: readonly ShellWord[]): Inner[] {
  const { options, operands } = readOptions(args, { flags: 'pPhv', values: 'cC', long: ['no-pager', 'paginate', 'bare', 'no-optional-locks'], longValues: ['git-dir', 'work-tree'], stopAtOperand: true })
  const settings = options.flatMap((option): Inner[] => {
    if (option.name !== 'c' || option.value === undefined) return []
    if (!option.value.known) return [cannotTell('git -c', option.value.source)]
    const equals = option.value.text.indexOf('=')
    const [key, value] = [option.value.text.slice(0, equals), option.value.text.slice(equals + 1)]
    const isText = GIT_PROGRAMS.test(key) && (!/^alias\./i.test(key) || value.startsWith('!'))
    return isText ? [{ kind: 'text', via: 'git -c', text: { text: value.replace(/^!/, ''), dialect: 'sh' } }] : []
  })
  const [name, verb, ...words] = operands
  const isBisecting = name?.text === 'bisect' && verb?.text === 'run' && words.length > 0
  return isBisecting ? [...settings, { kind: 'command', via: 'git bisect run', words, assignments: [] }] : settings
}

function cannotTell(via: string, what: string): Inner {
  return { kind: 'text', via, text: { problem: `cannot tell what ${via} runs: ${what}` } }
}
