/**
 * Asks git for state and history in one call, and words the answer. Pure.
 *
 *     ## main...origin/main [ahead 1]
 *      M src/a.ts
 *     1a2b3c4 Subject of the last commit
 */

import { plural } from '@deepseek-ai/dsh-text'
import { code, shorten } from './fence.ts'
import { readRun, reasonOf } from './read-result.ts'
import type { Outcome } from './types.ts'

export const GIT_COMMAND = 'git status --short --branch && git log --oneline -5'

/** Paragraphs; none when git was not asked. */
export function describeGit(outcome: Outcome | undefined): string[] {
  if (!outcome) return ['I could not look at its history: the tool `bash` is not available here.']
  if (outcome.isError) return [`I could not look at its history: ${reasonOf(outcome)}`]
  const { output, trouble } = readRun(outcome.text)
  if (/not a git repository/i.test(output)) return ['It is not a git repository.']
  if (/exit code: 127/.test(trouble ?? '') || /git: (?:command )?not found/i.test(output)) return ['git is not installed, so I know nothing of its history.']
  const lines = output.split('\n')
  const branch = lines.find(line => line.startsWith('## '))
  if (branch === undefined) return [`git could not tell its history: ${shorten(output === '' ? (trouble ?? 'no output') : output, 200)}`]
  const changes = lines.filter(line => /^[ MADRCTU?!]{2} \S/.test(line))
  const commits = lines.filter(line => /^[0-9a-f]{7,40} /.test(line))
  return [describeState(branch, changes), ...(commits.length > 0 ? [`Recent history:\n\n${commits.map(commit => `- ${shorten(commit, 120)}`).join('\n')}`] : [])]
}

function describeState(branch: string, changes: readonly string[]): string {
  const unborn = /^## (?:No commits yet|Initial commit) on (\S+)/.exec(branch)?.[1]
  const name = unborn ?? branch.slice(3).replace(/\.\.\..*$/, '')
  const state = changes.length === 0 ? 'nothing uncommitted' : `${plural(changes.length, 'uncommitted change')}: ${changes.slice(0, 5).map(change => code(change.slice(3))).join(', ')}${changes.length > 5 ? ' …' : ''}`
  return `It is a git repository on ${code(name)}${unborn === undefined ? '' : ', without a commit yet'}, with ${state}.`
}
