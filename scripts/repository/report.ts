/** How every check ends: its problems on stderr and its exit code. */

/** Prints one problem a line, then how many there are; the process will exit with 1 if there is one. */
export function report(check: string, problems: readonly string[]): void {
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) console.error(`${check}: ${problems.length} ${problems.length === 1 ? 'problem' : 'problems'}`)
  process.exitCode = problems.length > 0 ? 1 : 0
}
