/** What is known about the provider's own models. Pure: prices depend on the hour, which is an argument. */

import type { ModelInfo } from '@deepseek-ai/dsh-llm'

const EFFORTS = ['low', 'high', 'max']
const WINDOW = { contextWindow: 1_000_000, maxOutputTokens: 384_000, efforts: EFFORTS }
/** US dollars per million tokens outside the hours of peak demand. */
const FLASH = { currency: 'USD', input: 0.15, cacheRead: 0.003, output: 0.6 }
const PRO = { currency: 'USD', input: 0.66, cacheRead: 0.022, output: 1.98 }
const PEAK_FACTOR = 2

const KNOWN: readonly ModelInfo[] = [
  { name: 'deepseek-flash', ...WINDOW, vision: true, price: FLASH },
  { name: 'deepseek-v4-flash', ...WINDOW, vision: false, price: FLASH },
  { name: 'deepseek-v4-flash-vision-exp', ...WINDOW, vision: true, price: FLASH },
  { name: 'deepseek-v4-pro', ...WINDOW, vision: false, price: PRO },
]

/** With the prices that hold at `now` (milliseconds of the epoch); undefined for a model that this list does not hold. */
export function knownModel(name: string, now: number): ModelInfo | undefined {
  const model = KNOWN.find(known => known.name === name)
  if (!model?.price || !isPeak(new Date(now))) return model
  const { currency, input, cacheRead = input, output } = model.price
  return { ...model, price: { currency, input: input * PEAK_FACTOR, cacheRead: cacheRead * PEAK_FACTOR, output: output * PEAK_FACTOR } }
}

/** Monday to Friday, 01:00–04:00 and 06:00–10:00 UTC. Public holidays, which are cheaper, are not known here. */
function isPeak(at: Date): boolean {
  const day = at.getUTCDay()
  const hour = at.getUTCHours()
  return day >= 1 && day <= 5 && ((hour >= 1 && hour < 4) || (hour >= 6 && hour < 10))
}
