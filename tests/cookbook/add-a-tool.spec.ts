// The code of docs/cookbook/add-a-tool.md.

// #region plugin
import type { Context } from 'cordis'
import { defineTool, text } from '@deepseek-ai/dsh-tools'

export const name = 'tool-dice'
export const inject = ['tools']

export function apply(ctx: Context): void {
  ctx.tools.register(defineTool({
    name: 'roll',
    description: 'Roll dice and get the numbers that came up.',
    parameters: {
      sides: { type: 'integer', required: true, minimum: 2, description: 'Sides of each die.' },
      times: { type: 'integer', minimum: 1, maximum: 100, description: 'How many dice. Default 1.' },
    },
    kind: 'think', // changes nothing, so it needs no permission
    concurrency: 'parallel', // may overlap with its neighbours
    async execute({ sides, times = 1 }) {
      const rolls = Array.from({ length: times }, () => 1 + Math.floor(Math.random() * sides))
      return [text(rolls.join(' '))]
    },
  }))
}
// #endregion

// #region test
import { expect, it } from 'vitest'
import { call, harness, reply } from '@deepseek-ai/dsh-testkit'

it('rolls what the model asks for', async () => {
  await using h = await harness({ plugins: [{ name, inject, apply }], model: [call('roll', { sides: 6, times: 3 }), reply('rolled')] })

  await h.run('three dice, please')

  const { data } = await h.saw('tool/result')
  expect(data.content).toEqual([{ type: 'text', text: expect.stringMatching(/^[1-6] [1-6] [1-6]$/) }])
})

it('tells the model what is wrong with its arguments', async () => {
  await using h = await harness({ plugins: [{ name, inject, apply }], model: [call('roll', { side: 6 }), reply('oh')] })

  await h.run('a die')

  const { data } = await h.saw('tool/result')
  expect(data).toMatchObject({ isError: true, error: { code: 'INVALID_ARGS' } })
})
// #endregion
