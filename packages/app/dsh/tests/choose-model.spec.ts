import type { Plan } from '@deepseek-ai/dsh-composition-yaml'
import { describe, expect, it } from 'vitest'
import { chooseModel } from '../src/choose-model.ts'

/** A plan with these settings of the default adapter's row. */
function plan(config?: Record<string, unknown>, model?: string): Plan {
  const position = { file: 'cordis.yml', line: 1, column: 1 }
  const row = { id: 'llm-deepseek', name: 'x', disabled: false, required: false, origin: 'composition', position, config, provenance: {} } as unknown as Plan['rows'][number]
  return { rows: [row], untrusted: [], trusted: [], files: [], ...(model !== undefined && { model: { value: model, position } }) } as Plan
}

describe('the model', () => {
  it.each<[string, { flag?: string; plan: Plan; env?: NodeJS.ProcessEnv; model: string }]>([
    ['the flag before the settings', { flag: 'flag', plan: plan({}, 'settings'), env: { DEEPSEEK_API_KEY: 'k' }, model: 'flag' }],
    ['the settings before the default', { plan: plan({}, 'settings'), env: { DEEPSEEK_API_KEY: 'k' }, model: 'settings' }],
    ['the default with a key in the environment', { plan: plan({}), env: { DEEPSEEK_API_KEY: 'k' }, model: 'deepseek-flash' }],
    ['the default with a key in the row', { plan: plan({ apiKey: 'k' }), model: 'deepseek-flash' }],
    ['the default where no key is needed', { plan: plan({ keyless: true }), model: 'deepseek-flash' }],
    ['offline when that was chosen', { flag: 'offline', plan: plan({}), model: 'offline' }],
  ])('is %s', (what, { flag, plan: given, env = {}, model }) => {
    expect(chooseModel(flag, given, env)).toMatchObject({ model, isDefault: what.startsWith('the default') })
  })

  it.each<[string, Plan, NodeJS.ProcessEnv]>([
    ['nothing at all', plan(), {}],
    ['an empty key', plan({}), { DEEPSEEK_API_KEY: ' ' }],
    ['no adapter', { ...plan(), rows: [] }, {}],
  ])('is the offline one with a notice that shows what to do for %s', (_what, given, env) => {
    expect(chooseModel(undefined, given, env)).toEqual({ model: 'offline', isDefault: true, notice: expect.stringContaining('export DEEPSEEK_API_KEY=') })
  })
})
