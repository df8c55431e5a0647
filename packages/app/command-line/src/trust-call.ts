/** `dsh trust …`, parsed. Pure. */

import { UsageError } from './usage-error.ts'

/** One `dsh trust`; `dir` is as it was typed, absent for the current directory. */
export type TrustCall =
  | { verb: 'trust'; dir?: string; yes: boolean }
  | { verb: 'revoke'; dir?: string }
  | { verb: 'list' }

export interface TrustValues {
  yes?: boolean | undefined
  list?: boolean | undefined
  revoke?: boolean | undefined
  json?: boolean | undefined
}

/** Throws `UsageError` for what excludes each other. */
export function readTrustCall([word]: readonly string[], { yes = false, list = false, revoke = false, json = false }: TrustValues): TrustCall {
  if (word?.trim() === '') throw new UsageError('dsh trust takes a directory that is not empty')
  const dir = word === undefined ? {} : { dir: word }
  const chosen = [list && '--list', revoke && '--revoke', yes && '--yes'].filter(option => typeof option === 'string')
  if (chosen.length > 1) throw new UsageError(`${chosen.join(' and ')} exclude each other`)
  if (json && !list) throw new UsageError('--json goes with dsh trust --list')
  if (!list) return revoke ? { verb: 'revoke', ...dir } : { verb: 'trust', ...dir, yes }
  if (word !== undefined) throw new UsageError(`dsh trust --list takes no argument "${word}"`)
  return { verb: 'list' }
}
