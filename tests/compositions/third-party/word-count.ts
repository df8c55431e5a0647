/** A tool in one TypeScript file beside the composition, with syntax that only a transpiler can take away. */

import type { Context } from 'cordis'
import { text } from '@deepseek-ai/dsh-llm'
import type {} from '@deepseek-ai/dsh-tools'

// @ts-expect-error Not erasable: this is what the test is about.
enum Unit {
  Words = 'words',
  Letters = 'letters',
}

export const name = 'word-count'
export const inject = ['tools']

export function apply(ctx: Context): void {
  ctx.tools.register({
    name: 'word_count',
    description: 'Counts words or letters.',
    kind: 'read',
    parameters: { type: 'object', properties: { text: { type: 'string' }, unit: { type: 'string', enum: Object.values(Unit) } }, required: ['text', 'unit'] },
    execute: async args => {
      const { text: input, unit } = args as { text: string; unit: Unit }
      return [text(`${unit === Unit.Words ? input.trim().split(/\s+/).length : input.length} ${unit}`)]
    },
  })
}
