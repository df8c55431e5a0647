/** `/model`: which model the next step uses. */

import type { Context } from 'cordis'
import type { Choice } from '@deepseek-ai/dsh-commands'
import { HarnessError } from '@deepseek-ai/dsh-errors'
import type {} from '@deepseek-ai/dsh-llm'
import { nearest } from '@deepseek-ai/dsh-text'

export const name = 'model-command'
export const inject = ['commands', 'llm']

export function apply(ctx: Context): void {
  const choices = (): Choice[] => ctx.llm.models().map(model => ({ value: model, label: model, description: describe(ctx, model) }))
  ctx.commands.register({
    name: 'model',
    description: 'choose the model, from the next step on',
    argumentHint: '[NAME]',
    complete: async typed => choices().filter(({ value }) => value.startsWith(typed)),
    async run(args, { agent, door, signal }) {
      const wanted = args.trim() || (await door.choose?.(`model (now ${agent.options.model ?? 'none'})`, choices(), signal))
      if (!wanted) return { kind: 'show', markdown: `The model is ${agent.options.model ?? 'not chosen'}.` }
      if (!ctx.llm.serves(wanted)) {
        const meant = nearest(wanted, ctx.llm.models())
        throw new HarnessError('UNKNOWN_MODEL', `there is no model "${wanted}"; ${meant === undefined ? `there are ${ctx.llm.models().join(', ')}` : `did you mean ${meant}?`}`)
      }
      agent.configure({ model: wanted })
      return { kind: 'show', markdown: `From the next step on the model is ${wanted}.` }
    },
  })
}

function describe(ctx: Context, model: string): string {
  const info = ctx.llm.info(model)
  const price = info?.price && `${info.price.currency} ${info.price.input} in, ${info.price.output} out per million tokens`
  return [info?.contextWindow && `${info.contextWindow.toLocaleString('en-US')} tokens`, price, info?.vision && 'sees images'].filter(Boolean).join(' · ')
}
