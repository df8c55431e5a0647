/** What the model is told about the files that a search does not visit. */

import type { Walk } from '@deepseek-ai/dsh-file-listing'
import { plural } from '@deepseek-ai/dsh-text'

/** For an empty result: how many files the default filters kept out. Paths are relative to the root of the search. */
export function describeFiltered(paths: readonly string[], { hidden, no_ignore: noIgnore }: Walk, complete: boolean): string[] {
  const dotted = hidden ? [] : paths.filter(path => path.split('/').some(part => part.startsWith('.')))
  const ignored = noIgnore ? 0 : paths.length - dotted.length
  const parts = [
    ...(dotted.length > 0 ? [`${plural(dotted.length, 'hidden file')} (pass hidden: true)`] : []),
    ...(ignored > 0 ? [`${plural(ignored, 'file')} ignored by git (pass no_ignore: true)`] : []),
  ]
  if (parts.length > 0) return [`Not searched, but would match: ${complete ? '' : 'at least '}${parts.join(' and ')}.`]
  return complete ? [] : ['Hidden files and files ignored by git were not searched (pass hidden: true or no_ignore: true).']
}

/** For a result that may miss something. */
export function describeSkipped(skipped: readonly string[]): string[] {
  if (skipped.length === 0) return []
  const named = skipped.slice(0, 5).join(', ')
  const more = skipped.length > 5 ? `, and ${skipped.length - 5} more` : ''
  return [`Skipped, because they could not be read: ${named}${more}.`]
}

/** For a run that the clock ended. */
export function describeTimeout(timeoutMs: number): string {
  return `Stopped after ${timeoutMs / 1000} s: there may be more. Search a smaller directory.`
}
