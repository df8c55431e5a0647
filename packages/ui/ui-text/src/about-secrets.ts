/** Which lines have to do with secrets: those that begin with a command which says so, and those that hold the key in use. */

import type { Context } from 'cordis'
import type {} from '@deepseek-ai/dsh-commands'
import { holdsKey } from '@deepseek-ai/dsh-credentials'
import type { AskOptions } from './questions.ts'

/** For every question that may be seen: a command can be typed where something else is asked, too. */
export function aboutSecrets(ctx: Context): Required<Pick<AskOptions, 'precedesSecret' | 'isPrivate'>> {
  return {
    precedesSecret: line => ctx.get('commands')?.asksSecret(line) === true,
    isPrivate: line => ctx.get('commands')?.isPrivate(line) === true || holdsKey(line, process.env),
  }
}
