import { PassThrough } from 'node:stream'
import type { Plugin } from 'cordis'
import { harness } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'
import { FrontDoor, openForRun, type OpenedAgent, type RunRequest } from '../src/index.ts'

it('opens with the model that the run has come to have, when its agent has gone', async () => {
  const terminal = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  const request: RunRequest = { cwd: '/', agentOptions: { model: 'offline' }, verbosity: 'quiet' }
  await using h = await harness({ plugins: [[FrontDoor as Plugin, { terminal, request }]] })
  const open = async (): Promise<OpenedAgent> => {
    const opened = await openForRun(h.ctx)
    if (typeof opened === 'string') throw new Error(`stopped by ${opened}`)
    return opened
  }
  const first = await open()
  first.agent.configure({ model: 'script' })
  expect((await open()).agent).toBe(first.agent)
  await first.dispose()
  const next = await open()

  expect([first.agent === next.agent, next.agent.options.model, request.agentOptions.model]).toEqual([false, 'script', 'offline'])
  await next.dispose()
})
