/** Parses a bash line into every simple command that it would run. */
import { programName } from './command-text.ts'
import { LineReport } from './line-report.ts'
import { readScript } from './read-script.ts'
import { evalText, isBashOnly, isInput, isShell, shellText, sourceText, trapText, variableTexts } from './shell-texts.ts'
import type { ShellText } from './shell-texts.ts'
import type { ParsedLine, ParseOptions, SimpleCommand } from './types.ts'
import { unwrap } from './unwrap.ts'

const DEFAULT_MAX_BYTES = 65_536
const DEFAULT_MAX_DEPTH = 16

/** Blanks and controls that shells, locales and readers disagree on. */
// oxlint-disable-next-line no-control-regex
const MISLEADING = /[\u0000-\u0008\u000b-\u001f\u007f\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]/

type Parser = typeof import('unbash')

/**
 * Every simple command of `line`, wherever it stands, and what wrappers and nested shells run.
 * Never throws: what cannot be parsed, followed or known is in `problems`, and the commands that
 * were found are listed all the same. Loads the parser on first use.
 */
export async function parseShellLine(line: string, options: ParseOptions = {}): Promise<ParsedLine> {
  const { maxBytes = DEFAULT_MAX_BYTES, maxDepth = DEFAULT_MAX_DEPTH, dialect = 'bash' } = options
  if (Buffer.byteLength(line) > maxBytes) return { commands: [], problems: [`is longer than ${maxBytes} bytes`] }
  const reading = new LineReading(await import('unbash'), maxDepth)
  reading.text({ text: line, dialect }, [])
  return reading.report.line()
}

/** One line being read, texts within texts included. */
class LineReading {
  readonly report = new LineReport()
  private readonly parser: Parser
  private readonly maxDepth: number
  private depth = 0

  constructor(parser: Parser, maxDepth: number) {
    this.parser = parser
    this.maxDepth = maxDepth
  }

  /** Reads one shell text that is run through `via`. */
  text(text: ShellText, via: readonly string[]): void {
    if ('problem' in text) return this.report.problem(text.problem)
    if (MISLEADING.test(text.text)) this.report.problem('holds control characters or unusual blanks')
    if (text.dialect === 'sh' && isBashOnly(text.text)) this.report.problem('a plain sh may read it differently from bash')
    this.deeper(() => {
      try {
        const { forEachChild, parse } = this.parser
        readScript({ report: this.report, forEachChild, found: (command) => this.follow(command), maxDepth: this.maxDepth }, parse(text.text), { source: text.text, via })
      } catch (error) {
        this.report.problem(`cannot be parsed: ${String(error)}`)
      }
    })
  }

  /** Looks for what a command has run in turn. */
  private follow(command: SimpleCommand): void {
    for (const { name, text } of variableTexts(command)) this.text(text, [...command.via, name])
    const program = programName(command)
    if (program === undefined) return
    if (program === 'alias' && command.words.slice(1).some((word) => !word.known || word.text.includes('='))) this.report.problem('defines an alias')
    this.deeper(() => {
      if (isShell(program)) this.nested(shellText(program, command), command, program)
      else if (program === 'eval') this.nested(evalText(command), command, program)
      else if (program === 'source' || program === '.') this.nested(sourceText(command), command, 'source')
      else if (program === 'trap') this.nested(trapText(command), command, program)
      else this.unwrapped(command)
    })
  }

  private nested(text: ShellText | undefined, command: SimpleCommand, name: string): void {
    if (text !== undefined) this.text(text, [...command.via, isShell(name) ? `${name} -c` : name])
  }

  private unwrapped(command: SimpleCommand): void {
    for (const inner of unwrap(command)) {
      const via = [...command.via, inner.via]
      if (inner.kind === 'text') {
        this.text(inner.text, via)
        continue
      }
      const redirections = command.redirections.filter(isInput)
      for (const assignment of inner.assignments) this.report.assignment(assignment, via)
      const found: SimpleCommand = { words: inner.words, assignments: inner.assignments, redirections, source: command.source, via }
      this.report.command(found)
      this.follow(found)
    }
  }

  private deeper(work: () => void): void {
    if (this.depth >= this.maxDepth) return this.report.problem(`runs commands within commands more than ${this.maxDepth} deep`)
    this.depth += 1
    try {
      work()
    } finally {
      this.depth -= 1
    }
  }
}
