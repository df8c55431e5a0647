/** `/diff`: what has changed in the working tree since the last commit, new files included. */

import type { Context } from 'cordis'
import type {} from '@deepseek-ai/dsh-bash'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { fenced } from '@deepseek-ai/dsh-text'

export const name = 'diff-command'
export const inject = ['commands', 'bash']

/** Longer ones are cut: a screen is no place to read them. In UTF-16 units. */
const LONGEST = 200_000

const TIMEOUT_MS = 20_000

/**
 * What a repository may configure to run is switched off: external diff, text
 * conversion, pager, file-system monitor. Clean filters cannot be, as in every
 * other use of git. A new file is shown as a diff
 * against nothing; the exit code 1 of that comparison says only that they differ.
 */
const SCRIPT = `
git() { command git -c core.fsmonitor=false -c core.pager=cat -c color.ui=false "$@"; }
git rev-parse --is-inside-work-tree >/dev/null || exit 3
base=$(git rev-parse --verify -q HEAD || git hash-object -t tree /dev/null)
git diff --no-ext-diff --no-textconv --stat "$base" -- . || exit
git diff --no-ext-diff --no-textconv "$base" -- . || exit
git ls-files --others --exclude-standard -z -- . | while IFS= read -r -d '' file; do
  git diff --no-ext-diff --no-textconv --no-index -- /dev/null "$file"
done
true
`

export function apply(ctx: Context): void {
  const { bash } = ctx
  ctx.commands.register({
    name: 'diff',
    description: 'what has changed in the working tree since the last commit',
    async run(_args, { agent, signal }) {
      const { cwd } = agent.session.header
      const { stdout, stderr, exitCode } = await bash.run(bash.resolve({ command: SCRIPT, timeoutMs: TIMEOUT_MS, ...(cwd !== undefined && { cwd }) }), signal)
      if (exitCode === 3) throw new HarnessError('NO_REPOSITORY', `${cwd ?? 'this directory'} is in no git repository`)
      if (exitCode !== 0) throw new HarnessError('GIT_FAILED', `git diff failed: ${stderr.text.trim() || `exit code ${exitCode}`}`)
      return { kind: 'show', markdown: render(stdout.text) }
    },
  })
}

function render(diff: string): string {
  if (diff.trim() === '') return 'Nothing has changed since the last commit.'
  const text = diff.length > LONGEST ? `${diff.slice(0, LONGEST)}\n… ${diff.length - LONGEST} more characters` : diff
  return fenced(text, 'diff')
}
