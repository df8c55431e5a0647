/** Starts just enough of a composition to reach its stored sessions. */

import type { Context } from 'cordis'
import { boot } from '@deepseek-ai/dsh-composition'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import { SessionStore } from '@deepseek-ai/dsh-session'
import type { SessionPersistence } from '@deepseek-ai/dsh-session-persistence'
import { findStoreRows } from './store-rows.ts'
import type { SessionTools } from './types.ts'

export interface OpenStore extends AsyncDisposable {
  persistence: SessionPersistence
}

/** The row that services of the spine come from. */
const SPINE = 'agent-core'

/** Throws `NO_STORE` when the composition keeps no sessions, and what booting throws. */
export async function openStore({ plan, boot: options }: Pick<SessionTools, 'plan' | 'boot'>): Promise<OpenStore> {
  const { rows, needs } = await findStoreRows(plan, options)
  if (rows.length === 0) throw new HarnessError('NO_STORE', 'no sessions are kept: the composition has no row such as session-persistence-jsonl')
  // The log's registry costs little by itself; for anything else the whole spine has to come.
  const isLight = [...needs].every(name => name === SessionStore.provide)
  const spine = isLight ? [] : plan.rows.filter(({ id }) => id === SPINE)
  const prepare = (root: Context): void => void (isLight && needs.size > 0 && root.plugin(SessionStore))
  const running = await boot({ ...plan, rows: [...spine, ...rows.map(row => ({ ...row, required: true }))] }, { ...options, prepare })
  const persistence = running.root.get('sessionPersistence')
  if (!persistence) {
    await running.dispose()
    throw new HarnessError('NO_STORE', `the row ${rows.map(({ id }) => id).join(', ')} does not keep sessions`)
  }
  return { persistence, [Symbol.asyncDispose]: () => running.dispose() }
}
