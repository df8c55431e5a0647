// The code of docs/cookbook/write-a-test.md.

// #region first
import { expect, it } from 'vitest'
import { call, harness, reply, textTool } from '@deepseek-ai/dsh-testkit'

it('shows the model a steering message before the next step', async () => {
  const steered = (): string => (h.agent.steer('stop after this'), 'done')
  await using h = await harness({
    model: [call('slow', {}), reply('noted')],
    tools: [textTool('slow', () => steered())],
  })

  await h.run('go')

  expect(h.transcript()).toBe(
    [
      'turn/start',
      'user       go',
      'assistant  slow {}',
      'tool       done',
      'steering   stop after this',
      'assistant  noted',
      'turn/end   completed',
    ].join('\n'),
  )
})
// #endregion

// #region plugin
import type { Context } from 'cordis'

it('lets a plugin say no, and the model read why', async () => {
  const noRemoval = {
    name: 'no-removal',
    apply(ctx: Context): void {
      ctx.on('tools/pre-execute', async (run, _tool, next) => (JSON.stringify(run.arguments).includes('rm ') ? { kind: 'deny', reason: 'nothing is removed here' } : await next()))
    },
  }
  await using h = await harness({ plugins: [noRemoval], tools: [textTool('shell', () => 'removed')], model: [call('shell', { command: 'rm -r .' }), reply('all right')] })

  await h.run('clean up')

  expect((await h.saw('tool/result')).data.content).toEqual([{ type: 'text', text: 'Error: nothing is removed here' }])
})
// #endregion
