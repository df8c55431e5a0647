/** Decides which model answers, and says so when it is not one the user chose. Pure. */

import type { Plan } from '@deepseek-ai/dsh-composition-yaml'
import type { RunMode } from './run-request.ts'

/** The model that a key alone gets. */
export const DEFAULT_MODEL = 'deepseek-flash'

/** The embedded one. */
export const OFFLINE_MODEL = 'offline'

export interface ChosenModel {
  model: string
  /** Nobody chose it: it goes by whether there is a key. */
  isDefault: boolean
  /** One line for stderr; present when nobody chose and there is no key. */
  notice?: string
}

/** The flag, else the settings, else the default where there is a key or an address of one's own, else the offline model. */
export function chooseModel(flag: string | undefined, plan: Plan, env: NodeJS.ProcessEnv, mode?: RunMode): ChosenModel {
  const chosen = flag ?? plan.model?.value
  if (chosen !== undefined) return { model: chosen, isDefault: false }
  if (hasEndpoint(plan, env)) return { model: DEFAULT_MODEL, isDefault: true }
  return { model: OFFLINE_MODEL, isDefault: true, notice: `no key and no model chosen: the embedded offline model answers by rules. For a real one: ${mode === 'conversation' ? '/login' : 'dsh auth'}, or export DEEPSEEK_API_KEY=…` }
}

/** Whether the default adapter has a key, or was told that it needs none. */
export function hasEndpoint(plan: Plan, env: NodeJS.ProcessEnv): boolean {
  const config = plan.rows.find(({ id }) => id === 'llm-deepseek')?.config
  return Boolean(env['DEEPSEEK_API_KEY']?.trim() || config?.['apiKey'] || config?.['keyless'])
}
