/** `dsh models`: the models that can be chosen, asked from their providers where these can be reached. */

import type { Context } from 'cordis'
import type { ModelInfo } from '@deepseek-ai/dsh-llm'
import { stripControls } from '@deepseek-ai/dsh-text'

export interface ListedModel extends ModelInfo {
  /** Who says that there is such a model: its provider just now, or what is known without asking. */
  source: 'provider' | 'built in'
  /** It answers when no other is chosen. */
  isDefault: boolean
}

/** What providers list, in their order, then what else is known; no name twice. A provider that cannot be asked is logged by the registry. */
export async function listModels(root: Context, chosen: string, signal: AbortSignal): Promise<ListedModel[]> {
  const llm = root.get('llm')
  if (!llm) return []
  const discovered = await llm.discover(signal)
  const listed = new Map<string, ListedModel>()
  for (const info of discovered) listed.set(info.name, { ...info, source: 'provider', isDefault: info.name === chosen })
  for (const name of [...llm.models(), chosen]) {
    if (!listed.has(name)) listed.set(name, { ...llm.info(name), name, source: 'built in', isDefault: name === chosen })
  }
  return [...listed.values()]
}

/** One line a model; `*` before the one that answers when no other is chosen. Pure. */
export function renderModels(models: readonly ListedModel[]): string {
  const width = Math.max(0, ...models.map(({ name }) => stripControls(name).length))
  return models.map(model => `${`${model.isDefault ? '*' : ' '} ${stripControls(model.name).padEnd(width)}  ${factsOf(model).join(', ')}`.trimEnd()}\n`).join('')
}

function factsOf({ contextWindow, vision, price, source }: ListedModel): string[] {
  return [
    source === 'provider' ? 'listed by its provider' : 'from the built-in list',
    ...(contextWindow === undefined ? [] : [`${formatCount(contextWindow)} tokens`]),
    ...(vision === true ? ['sees images'] : []),
    ...(price === undefined ? [] : [`${stripControls(price.currency)} ${price.input} in, ${price.output} out per million tokens`]),
  ]
}

function formatCount(count: number): string {
  return count >= 1_000_000 ? `${Number((count / 1_000_000).toFixed(1))}M` : `${Math.round(count / 1000)}k`
}
