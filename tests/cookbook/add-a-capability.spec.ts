// The code of docs/cookbook/add-a-capability.md: three parts, which are three packages in real life.

// #region interface
import { Service, type Context } from 'cordis'

declare module 'cordis' {
  interface Context {
    clock: Clock
  }
}

/** What time it is where the user lives. Subclass it, mount the subclass, and it is `ctx.clock`. */
export abstract class Clock extends Service {
  static readonly provide = 'clock'

  constructor(ctx: Context) {
    super(ctx, 'clock')
  }

  /** ISO 8601 with offset. Rejects with the signal's reason once it is aborted. */
  abstract now(signal: AbortSignal): Promise<string>
}
// #endregion

// #region implementation
export class SystemClock extends Clock {
  async now(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted()
    return new Date().toISOString()
  }
}
// #endregion

// #region consumer
import { text } from '@deepseek-ai/dsh-tools'

const toolClock = {
  name: 'tool-clock',
  inject: ['tools', 'clock'],
  apply(ctx: Context): void {
    ctx.tools.register({
      name: 'now',
      description: 'Get the time. Takes no arguments.',
      parameters: { type: 'object', properties: {}, additionalProperties: false },
      kind: 'read',
      execute: async (_args, { signal }) => [text(await ctx.clock.now(signal))],
    })
  },
}
// #endregion

// #region contract
import { describe, expect, it } from 'vitest'

/** What every `Clock` must do; the interface ships it, each implementation runs it. */
export function describeClock(title: string, open: () => Promise<{ clock: Clock; close(): Promise<void> }>): void {
  describe(`${title} is a Clock`, () => {
    it('tells the time in ISO 8601', async () => {
      const { clock, close } = await open()
      expect(await clock.now(AbortSignal.timeout(1000))).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d/)
      await close()
    })

    it('stops when the signal is aborted', async () => {
      const { clock, close } = await open()
      const reason = new Error('changed my mind')
      await expect(clock.now(AbortSignal.abort(reason))).rejects.toBe(reason)
      await close()
    })
  })
}
// #endregion

// #region test
import { createRoot } from 'cordis/host'
import { call, harness, reply } from '@deepseek-ai/dsh-testkit'

describeClock('SystemClock', async () => {
  const ctx = createRoot()
  await ctx.plugin(SystemClock)
  return { clock: ctx.clock, close: () => ctx.fiber.dispose() }
})

it('shows the model the time, and leaves with the clock', async () => {
  await using h = await harness({ plugins: [toolClock], model: [call('now', {}), reply('late')] })
  expect(h.ctx.tools.get('now')).toBeUndefined() // waits for a clock

  const clock = await h.ctx.plugin(SystemClock)
  await h.run('what time is it?')
  expect((await h.saw('tool/result')).data.isError).toBe(false)

  await clock.dispose()
  expect(h.ctx.tools.get('now')).toBeUndefined()
})
// #endregion
