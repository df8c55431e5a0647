/** A plugin whose listener throws, on every event that the harness has: the turn ends, and the mistake is to be seen. */

import { cp, readFile } from 'node:fs/promises'
import { callAnswer, errorReply, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { provider, sandbox, type Run } from './program.ts'

const builtIn = await readFile(new URL('../../cordis.yml', import.meta.url), 'utf8')

/** A run with one failed attempt, one tool call and an answer: it passes every event. */
async function runWith(event: string): Promise<Run> {
  let requests = 0
  await using server = await provider(() => [errorReply(503, 'busy'), callAnswer({ name: 'glob', arguments: { pattern: '*' } })][requests++] ?? textAnswer('done'))
  await using box = await sandbox({}, server)
  await cp(new URL('../compositions/throwing-listener/throws.js', import.meta.url), box.workspace.resolve('throws.js'))
  await box.workspace.write('cordis.yml', `${builtIn}\n- id: throws\n  name: ./throws.js\n  config: { event: ${event} }\n`)
  const run = await box.run(['-p', '--config', 'cordis.yml', '--set', 'llm-retry.baseDelayMs=1', 'go'])
  server.assertStrict()
  return run
}

/** What only tells of something. The last two are heard when the agent gets its section, and when everything ends. */
it.each(['session/created', 'session/event', 'agent/created', 'agent/status', 'agent/queued', 'agent/session-start', 'agent/disposed', 'tools/change', 'system-prompt/change'])('completes and tells of a listener of %s that throws', async event => {
  const { code, stdout, stderr } = await runWith(event)

  expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' })
  expect(stderr).toContain(`the listener of ${event} broke`)
})

/** What decides about something: without an answer there is no going on. */
it.each(['system-prompt/assemble', 'agent/prompt-submit', 'agent/pre-step', 'agent/request', 'agent/request-error', 'agent/step-result', 'agent/turn-continuation', 'llm/stream', 'session/flush'])('ends the turn visibly when a listener of %s throws', async event => {
  const { code, stderr } = await runWith(event)

  expect(code).toBe(1)
  expect(stderr).toMatch(new RegExp(`^dsh: the turn failed.*the listener of ${event} broke`, 'm'))
})

it.each(['tools/pre-execute', 'tools/execute', 'tools/post-execute'])('makes an error result of a listener of %s that throws, and goes on', async event => {
  const { code, stdout, stderr } = await runWith(event)

  expect({ code, stdout }).toEqual({ code: 0, stdout: 'done\n' })
  expect(stderr).toMatch(new RegExp(`✗ .*the listener of ${event} broke`))
})
