/** Turns a parsed word into what is known of it before the line runs. */
import type { Assignment, DoubleQuotedChild, Word, WordPart } from 'unbash'

import type { ShellWord } from './types.ts'

/** Expansions whose value is a number, so that no word splitting can come of them. */
const NUMERIC_PARAMETER = /^\$(?:[#?$!]|\{#.*\})$/

/** Collects the parts of one word from left to right. */
class WordBuilder {
  private text = ''
  private prefix: string | undefined
  private splits = false
  private several = false

  known(text: string): void {
    this.text += text
  }

  /** A part that only the running shell knows. */
  unknown(source: string, splits: boolean): void {
    this.prefix ??= this.text
    this.text += source
    this.splits ||= splits
    this.several ||= splits
  }

  /** A file name pattern or braces. */
  pattern(source: string): void {
    this.unknown(source, /[$`]/.test(source))
    this.several = true
  }

  word(source: string, tilde: boolean): ShellWord {
    const known = this.prefix === undefined
    const word = { text: this.text, known, source, prefix: this.prefix ?? this.text, splits: this.splits, several: this.several }
    return tilde ? { ...word, tilde: true } : word
  }
}

/** What is known of `word`. Never throws; whatever it does not understand is unknown. */
export function readWord(word: Word): ShellWord {
  const builder = new WordBuilder()
  const movingTilde = /^~[+\-0-9]/.test(word.text)
  if (movingTilde) builder.unknown('', false)
  if (word.parts === undefined) addLiteral(builder, word.value, word.text)
  for (const part of word.parts ?? []) addPart(builder, part)
  return builder.word(word.text, word.text.startsWith('~') && !movingTilde)
}

/** `name=value` as an argument (`export PATH=x`); an array is unknown. */
export function readAssignmentWord(assignment: Assignment): ShellWord {
  const { value } = assignment
  const head = `${assignment.name}${assignment.append ? '+=' : '='}`
  if (assignment.index !== undefined) return unknownWord(assignment.text)
  if (value.type === 'ArrayValue') return { ...unknownWord(assignment.text), prefix: `${head}(`, splits: false, several: false }
  const word = readWord(value)
  return { ...plain(word, head + word.text), source: assignment.text, prefix: head + word.prefix }
}

/** What is known of the value of an assignment. */
export function readAssignmentValue(assignment: Assignment): ShellWord {
  const { value } = assignment
  return value.type === 'ArrayValue' ? unknownWord(assignment.text) : readWord(value)
}

/** A word that is known to be `text`. */
export function knownWord(text: string): ShellWord {
  return { text, known: true, source: text, prefix: text, splits: false, several: false }
}

/** A word, or several, that only the running line knows. */
export function unknownWord(source: string): ShellWord {
  return { text: source, known: false, source, prefix: '', splits: true, several: true }
}

/** Whether the program may take the word, or a part that it splits into, for an option. */
export function mayBeOption(word: ShellWord): boolean {
  if (word.known) return word.text.startsWith('-')
  return word.splits || word.prefix === '' || word.prefix.startsWith('-')
}

function plain(word: ShellWord, text: string): ShellWord {
  return { text, known: word.known, source: word.source, prefix: word.prefix, splits: word.splits, several: word.several }
}

function addPart(builder: WordBuilder, part: WordPart): void {
  switch (part.type) {
    case 'Literal':
      return addLiteral(builder, part.value, part.text)
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return builder.known(part.value)
    case 'DoubleQuoted':
      for (const child of part.parts) addQuoted(builder, child)
      return
    case 'ProcessSubstitution':
      builder.known('/dev/fd/')
      return builder.unknown(part.text, false)
    case 'Glob':
    case 'ExtendedGlob':
    case 'BraceExpansion':
      return builder.pattern(part.text)
    case 'ArithmeticExpansion':
    case 'LocaleString':
      return builder.unknown(part.text, false)
    default:
      return builder.unknown(part.text, !NUMERIC_PARAMETER.test(part.text))
  }
}

function addQuoted(builder: WordBuilder, part: DoubleQuotedChild): void {
  if (part.type === 'Literal') return builder.known(part.value)
  builder.unknown(part.text, /^\$(?:@|\{.*@.*\})/s.test(part.text))
}

/** An unquoted literal; what looks like a pattern or a brace expansion is unknown even if the parser saw none. */
function addLiteral(builder: WordBuilder, value: string, text: string): void {
  const bare = text.replaceAll(/\\.|'[^']*'|"[^"]*"/gs, '')
  const isPattern = /[*?]/.test(bare) || /\[./s.test(bare.replace(/^\[\[$/, '')) || hasBraces(bare)
  if (isPattern) builder.pattern(value)
  else builder.known(value)
}

function hasBraces(bare: string): boolean {
  const brace = bare.indexOf('{')
  return brace >= 0 && /,|\.\./.test(bare.slice(brace))
}
