/** Collects what the reading of a line finds, and settles at its end what needs the whole line. */
import { hidesSubstitution, isCounted, isFilledByShell, isIntegerVariable, isNumeric } from './arithmetic.ts'
import type { ArithmeticUse } from './arithmetic.ts'
import { programName } from './command-text.ts'
import { isDangerousVariable } from './dangerous-variables.ts'
import { reopensInput } from './reopened-input.ts'
import type { ParsedLine, ShellAssignment, ShellWord, SimpleCommand } from './types.ts'
import { knownWord, unknownWord } from './words.ts'

/** Builtins that put text of their own choice into the variables that their arguments name. */
const FILLING_BUILTINS: ReadonlySet<string> = new Set(['read', 'mapfile', 'readarray', 'getopts', 'printf', 'declare', 'typeset', 'local', 'export', 'readonly', 'wait'])

/** Builtins that read a value such as `(1 $(cmd))` anew, and run what is in it, when the variable is an array. */
const DECLARING: ReadonlySet<string> = new Set(['declare', 'typeset', 'local', 'export', 'readonly'])

/** Builtins that evaluate the subscript of a variable that an argument names. */
const EVALUATING: ReadonlySet<string> = new Set(['let', 'test', '[', 'unset', 'read', 'mapfile', 'readarray', 'declare', 'typeset', 'local', 'export', 'readonly', 'wait', 'getopts'])

/** What a line was found to do so far. */
export class LineReport {
  private commands: SimpleCommand[] = []
  private problems = new Set<string>()
  private functions = new Set<string>()
  private textVariables = new Set<string>()
  private counted = new Set<string>()
  private arrays = new Set<string>()
  private redeclared = new Map<string, string>()
  private uses: { use: ArithmeticUse; via: readonly string[] }[] = []
  private hidden = false

  problem(text: string): void {
    this.problems.add(text)
  }

  command(command: SimpleCommand): void {
    this.commands.push(command)
    const name = programName(command)
    for (const word of command.words) {
      this.text(word)
      if (name !== undefined && FILLING_BUILTINS.has(name)) this.filled(word, command)
    }
    for (const { target } of command.redirections) this.text(target)
    this.noteEvaluated(name, command)
    for (const each of command.assignments) if (each.name.startsWith('BASH_FUNC_')) this.problem(`defines a function through the environment: ${each.name}`)
    if (name !== undefined && FILLING_BUILTINS.has(name)) this.noteArrays(name, command.words.slice(1))
  }

  /** A variable that a builtin puts text into. */
  private filled(word: ShellWord, { via }: SimpleCommand): void {
    const variable = word.prefix.replace(/[+]?[=[].*$/s, '')
    if (word.known) this.textVariables.add(variable)
    const value = /^\w+\+?=(.*)$/s.exec(word.text)?.[1]
    const isNumber = word.known && value !== undefined && /^\d*$/.test(value)
    if (isIntegerVariable(variable) && !isNumber) this.arithmetic({ names: [], opaque: true, source: word.source }, via)
  }

  function(name: string): void {
    this.functions.add(name)
  }

  /** A variable gets a value; remembered when that is not surely a number. */
  assignment({ name, value }: ShellAssignment, via: readonly string[]): void {
    this.text(value)
    if (isIntegerVariable(name) && !isNumeric(value)) this.arithmetic({ names: [], opaque: true, source: value.source }, via)
    if (isCounted(value)) this.counted.add(name)
    else if (!isNumeric(value)) this.textVariables.add(name)
    if (/^\w+(?:\[[^\]]*\])?\+?=\(/.test(value.source)) this.arrays.add(name)
  }

  /** A variable is set by other means than a command: reported as a command only when that matters. */
  indirectAssignment(assignment: ShellAssignment, source: string, via: readonly string[]): void {
    this.assignment(assignment, via)
    if (isDangerousVariable(assignment.name)) this.command({ words: [], assignments: [assignment], redirections: [], source, via })
  }

  arithmetic(use: ArithmeticUse | undefined, via: readonly string[]): void {
    if (use !== undefined) this.uses.push({ use, via })
  }

  /** The finished line: shadowed names unknown, unsafe arithmetic a command named `((`. */
  line(): ParsedLine {
    for (const { use, via } of this.uses) this.settleArithmetic(use, via)
    if (reopensInput(this.commands)) this.problem('writes to an open file by its number, and opens one for reading under a number')
    for (const [name, source] of this.redeclared) if (this.arrays.has(name)) this.problem(`reads a text as an array, which may run commands inside it: ${source}`)
    return { commands: this.commands.map((command) => this.settleProgram(command)), problems: [...this.problems] }
  }

  /** A substitution in a text that bash evaluates: `test -v 'a[$(cmd)]'`, `PS4='$(cmd)'`. */
  private noteEvaluated(name: string | undefined, { words, assignments }: SimpleCommand): void {
    const evaluates = name !== undefined && (EVALUATING.has(name) || (name === 'printf' && words[1]?.text.startsWith('-v')))
    const word = evaluates ? words.find((each) => each.known && hidesSubstitution(each.text)) : undefined
    const prompt = assignments.find((each) => /^PS\d$/.test(each.name) && each.value.known && /\$\(|`/.test(each.value.text))
    const source = word?.source ?? prompt?.value.source
    if (source !== undefined) this.problem(`holds a text that bash evaluates, with a command inside it: ${source}`)
  }

  private noteArrays(builtin: string, args: readonly ShellWord[]): void {
    const isArray = !DECLARING.has(builtin) || args.some((word) => /^-\w*[aA]/.test(word.prefix))
    for (const word of args) {
      const value = /^(\w+)\+?=(.?)/s.exec(word.prefix)
      if (value?.[1] === undefined) {
        if (isArray && word.known) this.arrays.add(word.text)
      } else {
        if (isArray) this.arrays.add(value[1])
        const isText = !/^\w+\+?=\(/.test(word.source)
        if (isText && (!word.known || value[2] === '(')) this.redeclared.set(value[1], word.source)
      }
    }
  }

  /** A word that may end up in a variable. */
  text(word: ShellWord): void {
    this.hidden ||= hidesSubstitution(word.text) && (word.known || /['\\]/.test(word.source))
  }

  private settleArithmetic(use: ArithmeticUse, via: readonly string[]): void {
    const isText = (name: string): boolean => this.textVariables.has(name) || isFilledByShell(name) || (this.functions.size > 0 && this.counted.has(name))
    if (!use.opaque && !use.names.some(isText)) return
    if (this.hidden) this.problem(`evaluates a text as arithmetic, which may run commands inside it: ${use.source}`)
    const words = [knownWord('(('), unknownWord(use.source)]
    this.commands.push({ words, assignments: [], redirections: [], source: use.source, via: [...via, 'arithmetic'] })
  }

  private settleProgram(command: SimpleCommand): SimpleCommand {
    const [first, ...rest] = command.words
    if (first === undefined) return command
    if (!first.known) {
      this.problem(`runs a program whose name is only known when it runs: ${first.source}`)
      return command
    }
    if (!this.functions.has(first.text)) return command
    return { ...command, words: [{ ...first, known: false, prefix: '' }, ...rest] }
  }
}
