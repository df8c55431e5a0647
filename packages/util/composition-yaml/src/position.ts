/** Where something was written: every complaint and every explained value carries one. */

/** Lines and columns count from 1; line 0 means the whole of `file`, which may be a flag instead of a path. */
export interface Position {
  file: string
  line: number
  column: number
}

/** `file:line:column`, or just `file` when there is no line. */
export function formatPosition({ file, line, column }: Position): string {
  return line === 0 ? file : `${file}:${line}:${column}`
}
