/** What is known about the provider's own models. Prices are those outside peak hours, in US dollars. */

import type { ModelInfo } from '@deepseek-ai/dsh-llm'

const WINDOW = { contextWindow: 1_000_000, maxOutputTokens: 384_000 }
const FLASH = { currency: 'USD', input: 0.15, cacheRead: 0.003, output: 0.6 }
const PRO = { currency: 'USD', input: 0.66, cacheRead: 0.022, output: 1.98 }

const KNOWN: readonly ModelInfo[] = [
  { name: 'deepseek-flash', ...WINDOW, vision: true, price: FLASH },
  { name: 'deepseek-v4-flash', ...WINDOW, vision: false, price: FLASH },
  { name: 'deepseek-v4-flash-vision-exp', ...WINDOW, vision: true, price: FLASH },
  { name: 'deepseek-v4-pro', ...WINDOW, vision: false, price: PRO },
]

/** Undefined for a model that this list does not hold. */
export function knownModel(name: string): ModelInfo | undefined {
  return KNOWN.find(model => model.name === name)
}
