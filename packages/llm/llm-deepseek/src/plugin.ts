/** Registers the DeepSeek adapter under its models. */

import type { Context } from 'cordis'
import { ANY_MODEL } from '@deepseek-ai/dsh-llm'
import type { DeepSeekConfig } from './config.ts'
import { DeepSeekAdapter } from './deepseek-adapter.ts'

export { Config } from './config.ts'

export const name = 'llm-deepseek'
export const inject = ['llm']

/** Registers even without a key: a request then fails with `AUTH` and says how to set one. */
export function apply(ctx: Context, config: DeepSeekConfig): void {
  const adapter = new DeepSeekAdapter(config, {
    env: process.env,
    now: () => Date.now(),
    note: message => ctx.logger.warn(message),
  })
  ctx.llm.registerAdapter(config.anyModel ? [...config.models, ANY_MODEL] : config.models, adapter)
  ctx.effect(() => () => adapter.close(), 'llm-deepseek connections')
}
