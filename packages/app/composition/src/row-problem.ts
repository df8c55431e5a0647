/** What can be wrong with a row once the composition itself has been read. */

import { formatPosition, type Position } from '@deepseek-ai/dsh-composition-yaml'
import { HarnessError } from '@deepseek-ai/dsh-errors'

/**
 * `unknown-plugin`: the row's name is nearly a built-in one. `missing-plugin`:
 * no such file or package. `plugin-import`, `plugin-shape`: its module does not
 * load or is no plugin. `duplicate-framework`: it brings its own framework.
 * `unknown-key`, `bad-value`: its config. `unmet-inject`, `inject-cycle`: it
 * waits for ever. `plugin-threw`, `start-timeout`: it failed to start, or did
 * not end starting. `required-disabled`: it must run and is switched off.
 * `part-failed`: it is active, and a part inside it failed.
 */
export type RowProblemCode =
  | 'bad-value'
  | 'duplicate-framework'
  | 'inject-cycle'
  | 'missing-plugin'
  | 'part-failed'
  | 'plugin-import'
  | 'plugin-shape'
  | 'plugin-threw'
  | 'required-disabled'
  | 'start-timeout'
  | 'unknown-key'
  | 'unknown-plugin'
  | 'unmet-inject'

export interface RowProblem {
  code: RowProblemCode
  row: string
  /** A sentence without its position. */
  message: string
  position: Position
  cause?: unknown
}

/** The composition cannot run, or an edit of it cannot be applied; `message` has one positioned line for each problem. */
export class BootError extends HarnessError {
  readonly problems: readonly RowProblem[]

  constructor(code: 'boot-failed' | 'reload-refused', problems: readonly RowProblem[]) {
    super(code, problems.map(formatRowProblem).join('\n'), { cause: problems.find(problem => problem.cause !== undefined)?.cause })
    this.problems = problems
  }
}

/** `file:line:column: row "id": message`. */
export function formatRowProblem({ row, message, position }: RowProblem): string {
  return `${formatPosition(position)}: row "${row}": ${message}`
}
