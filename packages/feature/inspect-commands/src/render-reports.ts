/** Reports as Markdown. Pure. */

import type { ContextReport } from './context-report.ts'
import type { ModelUsage } from './usage-report.ts'

/** Without the provider's own count of tokens, four characters count as one. */
const CHARACTERS_OF_TOKEN = 4

export function renderContext({ parts, characters, tokens }: ContextReport, contextWindow: number | undefined): string {
  const ratio = tokens === undefined ? CHARACTERS_OF_TOKEN : Math.max(1, characters) / Math.max(1, tokens)
  const total = tokens ?? Math.round(characters / ratio)
  const share = (part: number): string => `${characters === 0 ? 0 : Math.round((100 * part) / characters)} %`
  const head = contextWindow === undefined ? `${format(total)} tokens in the context` : `${format(total)} of ${format(contextWindow)} tokens, ${Math.round((100 * total) / contextWindow)} %`
  const count = tokens === undefined ? 'estimated: nothing has been sent yet' : 'as the provider counted the last request; the parts are shares of it by length'
  const rows = parts.map(part => `| ${cell(part.name)} | ${part.origin} | ${format(Math.round(part.characters / ratio))} | ${share(part.characters)} |`)
  return [`**${head}** (${count})`, '', '| part | from | tokens | share |', '|---|---|---:|---:|', ...rows].join('\n')
}

export function renderTokens(usages: readonly ModelUsage[]): string {
  if (usages.length === 0) return 'Nothing has been sent yet.'
  const rows = usages.map(({ model, requests, input, cached, output, reasoning }) => `| ${cell(model)} | ${requests} | ${format(input)} | ${input === 0 ? 0 : Math.round((100 * cached) / input)} % | ${format(output)} | ${format(reasoning)} |`)
  return ['| model | requests | input | of it cached | output | of it reasoning |', '|---|---:|---:|---:|---:|---:|', ...rows].join('\n')
}

export function renderCost(usages: readonly ModelUsage[]): string {
  if (usages.length === 0) return 'Nothing has been sent yet.'
  const lines = usages.map(({ model, requests, costs }) => `- ${cell(model)}: ${costs.size === 0 ? 'price unknown' : [...costs].map(([currency, amount]) => `${currency} ${amount.toFixed(4)}`).join(' + ')} (${requests} ${requests === 1 ? 'request' : 'requests'})`)
  return [...lines, '', 'By the prices that were known when each answer came.'].join('\n')
}

function format(count: number): string {
  return count.toLocaleString('en-US')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/\s+/g, ' ')
}
