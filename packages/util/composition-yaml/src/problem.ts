/** What can be wrong with a composition; all of it is collected and thrown as one error. */

import { HarnessError } from '@deepseek-ai/dsh-errors'
import { formatPosition, type Position } from './position.ts'

export type ProblemCode =
  | 'alias-bomb'
  | 'bad-value'
  | 'cannot-read'
  | 'duplicate-key'
  | 'duplicate-plugin'
  | 'duplicate-row'
  | 'env-unset'
  | 'include-cycle'
  | 'js-forbidden'
  | 'multiple-documents'
  | 'not-trusted'
  | 'unknown-key'
  | 'unknown-row'
  | 'unknown-tag'
  | 'yaml-syntax'

export interface Problem {
  code: ProblemCode
  /** A sentence without its position. */
  message: string
  position: Position
}

/** Thrown by `readPlan` with every problem of every layer; `message` has one line for each. */
export class CompositionError extends HarnessError {
  readonly problems: readonly Problem[]
  /** Every file that was read or looked for: where a mend may come. */
  readonly files: readonly string[]

  constructor(problems: readonly Problem[], files: readonly string[] = []) {
    super('invalid-composition', problems.map(formatProblem).join('\n'))
    this.problems = problems
    this.files = files
  }
}

/** `file:line:column: message`, one line. */
export function formatProblem({ message, position }: Problem): string {
  return `${formatPosition(position)}: ${message}`
}

/** ` (did you mean "x"?)`, or nothing. */
export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : ` (did you mean "${suggestion}"?)`
}
