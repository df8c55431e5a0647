/** Walks the syntax tree of a shell text and reports every simple command in it. */
import type { Assignment, Command, Function as FunctionNode, ParameterExpansionPart, ParsedScript, Redirection as RedirectionNode, SyntaxNode, TestExpression, Word } from 'unbash'

import { readArithmetic } from './arithmetic.ts'
import type { LineReport } from './line-report.ts'
import type { Redirection, ShellWord, SimpleCommand } from './types.ts'
import { knownWord, readAssignmentValue, readAssignmentWord, readWord, unknownWord } from './words.ts'

/** What the walk needs beside the tree. */
export interface ScriptContext {
  report: LineReport
  /** Calls back for each direct child, as the parser's own traversal does. */
  forEachChild: (node: SyntaxNode, callback: (child: SyntaxNode) => void) => void
  /** Told of every command, to look for what it runs in turn. */
  found: (command: SimpleCommand) => void
  /** How deep substitutions are followed. */
  maxDepth: number
}

/** Where the walk is. */
interface Place {
  /** The text that positions of the tree point into. */
  source: string
  via: readonly string[]
  /** Names of the functions around. */
  inside: readonly string[]
  /** Whether this is within `[[ ]]`, where patterns of either kind are the same in every shell option. */
  inTest: boolean
}

const ARITHMETIC_TESTS: ReadonlySet<string> = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge'])
const WRITING: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>', '<>'])

/** Reports all commands of `script`, whose text is `source`, as run through `via`. */
export function readScript(context: ScriptContext, script: ParsedScript, origin: { source: string; via: readonly string[] }): void {
  new ScriptWalk(context).visit(script, { ...origin, inside: [], inTest: false })
}

/** One walk; the methods are the kinds of node that mean something here. */
class ScriptWalk {
  private readonly context: ScriptContext

  constructor(context: ScriptContext) {
    this.context = context
  }

  visit(node: SyntaxNode, place: Place): void {
    const inner = this.enter(node, place)
    if (inner.via.length > this.context.maxDepth) return this.context.report.problem(`runs commands within commands more than ${this.context.maxDepth} deep`)
    this.context.forEachChild(node, (child) => this.visit(child, inner))
  }

  /** Reports what the node itself does and returns the place of its children. */
  private enter(node: SyntaxNode, place: Place): Place {
    const { report } = this.context
    switch (node.type) {
      case 'Script':
        for (const error of (node as ParsedScript).errors ?? []) report.problem(`cannot be parsed: ${error.message}`)
        return { ...place, source: node.source ?? place.source }
      case 'Command':
        this.command(node, place)
        return place
      case 'Redirected':
        this.report({ words: [], assignments: [], redirections: node.redirects.map(readRedirection), source: slice(node, place), via: [...place.via, 'group'] })
        return place
      case 'Function':
        return this.function(node, place)
      case 'CommandExpansion':
      case 'ProcessSubstitution':
      case 'ArithmeticCommandExpansion':
        if (node.script === undefined || !/[)`}]$/.test(node.text)) report.problem(`cannot be parsed: ${node.text}`)
        return { ...place, via: [...place.via, 'substitution'], inTest: false }
      case 'TestCommand':
        return { ...place, inTest: true }
      default:
        this.enterSmall(node, place)
        return place
    }
  }

  private enterSmall(node: SyntaxNode, place: Place): void {
    const { report } = this.context
    switch (node.type) {
      case 'Word':
        if (node.parts === undefined && hidesCommands(node)) report.problem(`cannot be parsed: ${node.text}`)
        return
      case 'Assignment':
        return this.assignment(node, place)
      case 'ArithmeticExpansion':
      case 'ArithmeticCommand':
        if (node.expression === undefined && /[^\s$()]/.test(slice(node, place))) report.problem(`cannot be parsed: ${slice(node, place)}`)
        return report.arithmetic(readArithmetic(slice(node, place).replace(/^\$?\(\(|\$\[/, '').replace(/\)\)$|\]$/, '')), place.via)
      case 'ArithmeticFor':
        for (const part of [node.initialize, node.test, node.update]) if (part) report.arithmetic(readArithmetic(slice(part, place)), place.via)
        return
      case 'ParameterExpansion':
        return this.parameter(node, place)
      case 'HereDoc':
        if (node.closing === undefined) report.problem(`a here-document has no end: ${slice(node, place)}`)
        return
      case 'ExtendedGlob':
        if (!place.inTest) report.problem(`means something else where the extglob option is not set: ${node.text}`)
        return
      case 'FileDescriptorVariable':
        return report.indirectAssignment({ name: node.name, value: unknownWord(node.name) }, slice(node, place), place.via)
      case 'For':
      case 'Select':
        for (const word of node.wordlist ?? []) report.indirectAssignment({ name: node.name.text, value: readWord(word) }, `${node.name.text} in ${word.text}`, place.via)
        if (node.type === 'Select') report.indirectAssignment({ name: 'REPLY', value: unknownWord('REPLY') }, 'select', place.via)
        return
      case 'Coproc':
        if (node.name) report.indirectAssignment({ name: node.name.text, value: unknownWord(node.name.text) }, 'coproc', place.via)
        return
      case 'TestUnary':
      case 'TestBinary':
        return this.test(node, place)
      default:
    }
  }

  private report(command: SimpleCommand): void {
    this.context.report.command(command)
    this.context.found(command)
  }

  private command(node: Command, place: Place): void {
    const words = node.name === undefined ? [] : [readWord(node.name), ...node.args.map((arg) => (arg.type === 'Word' ? readWord(arg) : readAssignmentWord(arg)))]
    const assignments = node.prefix.filter((part) => part.type === 'Assignment').map((part) => ({ name: part.name, value: readAssignmentValue(part) }))
    const redirections = node.redirects.map(readRedirection)
    const [program] = words
    if (program?.known && place.inside.includes(program.text)) this.context.report.problem(`the function ${program.text} calls itself`)
    this.report({ words, assignments, redirections, source: slice(node, place), via: place.via })
  }

  private function(node: FunctionNode, place: Place): Place {
    const name = readWord(node.name)
    if (!name.known) this.context.report.problem(`defines a function whose name is not known: ${name.source}`)
    this.context.report.function(name.text)
    return { ...place, via: [...place.via, `function ${name.text}`], inside: [...place.inside, name.text] }
  }

  private assignment(node: Assignment, place: Place): void {
    const { report } = this.context
    report.assignment({ name: node.name, value: readAssignmentValue(node) }, place.via)
    if (!isWholeList(node, slice(node.value, place))) report.problem(`cannot be parsed: ${node.text}`)
    if (node.value.type === 'ArrayValue') for (const subscript of subscriptsOf(node.value.elements)) report.arithmetic(readArithmetic(subscript), place.via)
    if (node.index) report.arithmetic(readArithmetic(node.index.text), place.via)
  }

  private parameter(node: ParameterExpansionPart, place: Place): void {
    const { report } = this.context
    const { operation, index, prefix, parameter } = node
    const wholeArray = index?.text === '@' || index?.text === '*'
    if (index && !wholeArray) report.arithmetic(readArithmetic(index.text), place.via)
    if (prefix === '!' && !wholeArray && operation?.type !== 'Names') report.problem(`expands a variable that another one names: ${node.text}`)
    if (operation?.type === 'Unknown') report.problem(`cannot be parsed: ${node.text}`)
    if (operation?.type === 'Transform' && operation.operand.text.includes('P')) report.problem(`expands a value as a prompt, which may run commands inside it: ${node.text}`)
    if (operation?.type === 'Default' && operation.operator.endsWith('=')) report.indirectAssignment({ name: parameter, value: readWord(operation.operand) }, node.text, place.via)
    if (operation?.type !== 'Slice') return
    for (const part of [operation.offset, operation.length]) if (part) report.arithmetic(readArithmetic(part.text), place.via)
  }

  private test(node: TestExpression, place: Place): void {
    const { report } = this.context
    if (node.type === 'TestBinary') for (const word of [node.left, node.right]) report.text(readWord(word))
    if (node.type === 'TestBinary' && ARITHMETIC_TESTS.has(node.operator)) {
      for (const word of [node.left, node.right]) report.arithmetic(readTestOperand(word), place.via)
    }
    if (node.type !== 'TestUnary' || (node.operator !== '-v' && node.operator !== '-R')) return
    const operand = readWord(node.operand)
    if (!operand.known || operand.text.includes('[')) report.arithmetic({ names: [], opaque: true, source: operand.source }, place.via)
  }
}

function readTestOperand(word: Word): ReturnType<typeof readArithmetic> {
  const { known, text } = readWord(word)
  return readArithmetic(known ? text : word.text.replaceAll('"', ''))
}

function readRedirection(node: RedirectionNode): Redirection {
  // A number that the shell chooses, `{fd}<`, is none of the usual ones.
  const fd = node.descriptor === undefined ? {} : { fd: node.descriptor.type === 'FileDescriptor' ? node.descriptor.value : -1 }
  const target = redirectionTarget(node)
  const toFile = WRITING.has(node.operator) || (node.operator === '>&' && !(target.known && /^(?:\d+-?|-)$/.test(target.text)))
  return { operator: node.operator, ...fd, target, writes: toFile }
}

/** A word that is taken for plain text and is not quoted: what the shell would run in it was not parsed. */
function hidesCommands({ text, value }: Word): boolean {
  return text === value && /`|\$[({[]|[<>]\(/.test(text)
}

/** The parser takes a list for plain text when something stands right behind it, as in `a=(1)$(b)`, or loses the end of it. */
function isWholeList({ value }: Assignment, source: string): boolean {
  if (value.type !== 'ArrayValue') return !source.startsWith('(')
  let at = value.pos + 1
  for (const { pos, end } of [...value.elements, { pos: value.end - 1, end: value.end }]) {
    const between = source.slice(at - value.pos, pos - value.pos)
    if (pos < at || /[^\s]/.test(between.replace(/(?:^|\s)#.*/g, ''))) return false
    at = end
  }
  return source.endsWith(')')
}

/** `a=([b]=1)` evaluates `b`. */
function subscriptsOf(elements: readonly { text: string }[]): string[] {
  return elements.flatMap(({ text }) => /^\[(.*)\]\+?=/s.exec(text)?.[1] ?? [])
}

function redirectionTarget(node: RedirectionNode): ShellWord {
  if (node.type !== 'HereDoc') return node.target === undefined ? unknownWord('') : readWord(node.target)
  const { text, parts } = node.body
  const expands = (parts ?? []).some((part) => part.type !== 'Literal')
  return expands ? unknownWord(text) : knownWord(text)
}

function slice(node: { pos: number; end: number }, place: Place): string {
  return place.source.slice(node.pos, node.end)
}
