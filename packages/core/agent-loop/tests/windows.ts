/** Every moment of a turn at which somebody may cancel or dispose, each as a harness that stops there. */

import { call, calls, deferred, fail, hang, harness, reply, textTool, type Harness, type HarnessOptions } from '@deepseek-ai/dsh-testkit'
import { LlmError } from '@deepseek-ai/dsh-llm'

export interface Window {
  name: string
  /** Resolves at the moment; `go` lets what waits there go on, if anything still waits. */
  reach(options?: HarnessOptions): Promise<{ h: Harness; go: () => void }>
}

type Listen = (h: Harness, pause: () => Promise<void>) => void

/** Runs a prompt until a listener comes to `pause`. */
function pausing(name: string, listen: Listen, options: HarnessOptions = { model: [call('work'), reply('done')] }): Window {
  return {
    name,
    async reach(more = {}) {
      const reached = deferred()
      const gate = deferred()
      let paused = false
      const h = await harness({ tools: [textTool('work', () => 'worked')], ...options, ...more })
      listen(h, async () => {
        if (paused) return
        paused = true
        reached.resolve()
        await gate.promise
      })
      h.agent.send('go')
      await reached.promise
      return { h, go: () => gate.resolve() }
    },
  }
}

const serverError = new LlmError('SERVER', 'overloaded')

export const windows: readonly Window[] = [
  {
    name: 'before the turn',
    async reach(more = {}) {
      const h = await harness(more)
      h.agent.send('go')
      return { h, go: () => undefined }
    },
  },
  pausing('in prompt-submit', (h, pause) => {
    h.ctx.on('agent/prompt-submit', async (_agent, _content, _source, next) => {
      await pause()
      return await next()
    })
  }),
  pausing('in assembly', (h, pause) => {
    h.ctx.on('system-prompt/assemble', async (_assembly, next) => {
      await pause()
      return await next()
    })
  }),
  pausing('in pre-step', (h, pause) => {
    h.ctx.on('agent/pre-step', async () => await pause())
  }),
  pausing('in request', (h, pause) => {
    h.ctx.on('agent/request', async (_agent, _info, _options, next) => {
      await pause()
      return await next()
    })
  }),
  pausing('at the checkpoint before the request', (h, pause) => {
    h.ctx.on('session/flush', async () => await pause())
  }),
  {
    name: 'while streaming',
    async reach(more = {}) {
      const h = await harness({ model: [hang([{ type: 'text-delta', index: 0, text: 'Let me' }])], ...more })
      h.agent.send('go')
      await h.saw('assistant/chunk')
      return { h, go: () => undefined }
    },
  },
  {
    name: 'in the wait before a retry',
    async reach(more = {}) {
      const h = await harness({ model: [fail(serverError)], ...more })
      h.ctx.on('agent/request-error', async () => ({ kind: 'retry', delayMs: 60_000 }))
      h.agent.send('go')
      await h.saw('llm/attempt')
      return { h, go: () => undefined }
    },
  },
  pausing('in request-error', (h, pause) => {
    h.ctx.on('agent/request-error', async (_agent, _failure, next) => {
      await pause()
      return await next()
    })
  }, { model: [fail(serverError)] }),
  pausing('in step-result', (h, pause) => {
    h.ctx.on('agent/step-result', async (_agent, _info, _message, next) => {
      await pause()
      return await next()
    })
  }),
  pausing('in pre-execute', (h, pause) => {
    h.ctx.on('tools/pre-execute', async (_call, _tool, next) => {
      await pause()
      return await next()
    })
  }),
  {
    name: 'in a tool',
    async reach(more = {}) {
      const started = deferred()
      const work = textTool('work', async (_args, { signal }) => {
        started.resolve()
        return await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
      })
      const h = await harness({ model: [call('work')], tools: [work], ...more })
      h.agent.send('go')
      await started.promise
      return { h, go: () => undefined }
    },
  },
  {
    name: 'between two tools',
    async reach(more = {}) {
      const h = await harness({ model: [calls([{ name: 'work', arguments: {} }, { name: 'work', arguments: {} }])], tools: [textTool('work', () => 'worked')], ...more })
      const reached = deferred()
      h.ctx.on('session/event', (_session, { type }) => {
        if (type === 'tool/result') reached.resolve()
      })
      const gate = deferred()
      // The checkpoint of the second call.
      h.ctx.on('session/flush', async session => {
        if (session.events.some(({ type }) => type === 'tool/result')) await gate.promise
      })
      h.agent.send('go')
      await reached.promise
      return { h, go: () => gate.resolve() }
    },
  },
  pausing('in turn-continuation', (h, pause) => {
    h.ctx.on('agent/turn-continuation', async (_agent, _turn, _decision, next) => {
      await pause()
      return await next()
    })
  }),
]
