/** One prompt followed once: the order of events that docs/architecture.md draws is the order of the log. */

import { readFile } from 'node:fs/promises'
import { call, harness, logTypes, reply, textTool } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'

const PAGE = new URL('../../docs/architecture.md', import.meta.url)

/** The first word of each line of the drawing. */
async function readDrawing(): Promise<string[]> {
  const drawing = (await readFile(PAGE, 'utf8')).match(/<!-- walk -->\s*```\n(.*?)```\s*<!-- \/walk -->/s)?.[1] ?? ''
  return drawing.split('\n').flatMap(line => line.match(/^\S+/) ?? [])
}

it('logs a turn with one tool call in the order that the architecture page draws', async () => {
  await using h = await harness({
    model: [call('bash', { command: 'npm test' }, { text: 'Let me see.' }), reply('Fixed.', { deltas: 3 })],
    tools: [textTool('bash', ({ command }) => `ran ${String(command)}`)],
  })

  await h.run('Fix the failing test')

  expect(await readDrawing()).toEqual(logTypes(h))
  expect(h.log).toEqual([])
})
