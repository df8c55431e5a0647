/** Stopping: prompts are answered `cancelled` at once, nothing comes late, nothing is left running, and the session goes on. */

import { readFile } from 'node:fs/promises'
import { answer, callAnswer, delta, textAnswer } from '@deepseek-ai/dsh-llm-mock-server'
import { expect, it } from 'vitest'
import { cards, editor, methods, said } from './acp-client.ts'
import { isAlive } from './is-alive.ts'
import { provider, sandbox } from './program.ts'

const { session } = methods.agent

/** Longer is not at once; the machine may be busy. */
const AT_ONCE_MS = 200
const MARGIN_MS = 300

const ENDLESS = { pieces: [delta({ content: 'Half an ' }), delta({ content: 'answer' })], end: 'hang' } as const

it('answers a cancelled prompt at once, closes the model\'s socket, and sends nothing afterwards', async () => {
  await using server = await provider([ENDLESS, textAnswer('back')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()
  const prompt = zed.prompt(sessionId, 'go')
  await zed.until(() => said(zed.updates()) === 'Half an answer')
  const begun = performance.now()

  await zed.agent.notify(session.cancel, { sessionId })
  const { stopReason } = await prompt
  const took = performance.now() - begun
  const count = zed.seen.length
  await zed.until(() => server.requests[0]?.aborted === true)
  await new Promise(resolve => setTimeout(resolve, 300))

  expect({ stopReason, late: zed.seen.slice(count) }).toEqual({ stopReason: 'cancelled', late: [] })
  expect(took).toBeLessThan(AT_ONCE_MS + MARGIN_MS)
  expect(await zed.prompt(sessionId, 'again')).toMatchObject({ stopReason: 'end_turn' })
  server.assertStrict()
})

it('kills the processes of a command, and shows its call as failed before it answers', async () => {
  await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'sleep 300 & echo $! > child.pid; echo $$ > shell.pid; wait' } }), textAnswer('back')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { args: ['--permission', 'auto'] })
  const { sessionId } = await zed.open()
  const prompt = zed.prompt(sessionId, 'go')
  const pids = await Promise.all(['child.pid', 'shell.pid'].map(file => pidIn(box.workspace.resolve(file))))
  const begun = performance.now()

  await zed.agent.notify(session.cancel, { sessionId })

  expect((await prompt).stopReason).toBe('cancelled')
  expect(performance.now() - begun).toBeLessThan(AT_ONCE_MS + MARGIN_MS)
  expect(pids.filter(isAlive)).toEqual([])
  expect(cards(zed.updates())['c1']).toMatchObject({ status: 'failed', rawOutput: { error: { code: 'ABORTED' } } })
})

it('takes a permission request back, lets the tool not run, and ignores the answer that comes later', async () => {
  const late = Promise.withResolvers<void>()
  let wasCancelled = false
  await using server = await provider([callAnswer({ id: 'c1', name: 'bash', arguments: { command: 'touch marker' } }), textAnswer('back')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box, {
    async permission(_request, signal) {
      signal.addEventListener('abort', () => (wasCancelled = true), { once: true })
      await late.promise
      return { outcome: { outcome: 'selected', optionId: 'allow-once' } }
    },
  })
  const { sessionId } = await zed.open()
  const prompt = zed.prompt(sessionId, 'go')
  await zed.until(() => zed.seen.some(({ kind }) => kind === 'permission'))

  await zed.agent.notify(session.cancel, { sessionId })
  const { stopReason } = await prompt
  await zed.until(() => wasCancelled)
  late.resolve()
  expect(await zed.prompt(sessionId, 'again')).toMatchObject({ stopReason: 'end_turn' })

  expect(stopReason).toBe('cancelled')
  await expect(readFile(box.workspace.resolve('marker'))).rejects.toMatchObject({ code: 'ENOENT' })
})

it('answers prompts that wait behind the cancelled one, too', async () => {
  await using server = await provider([ENDLESS, textAnswer('back')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()
  const prompts = ['one', 'two', 'three'].map(text => zed.prompt(sessionId, text))
  await zed.until(() => said(zed.updates()) === 'Half an answer')

  await zed.agent.notify(session.cancel, { sessionId })

  expect((await Promise.all(prompts)).map(({ stopReason }) => stopReason)).toEqual(['cancelled', 'cancelled', 'cancelled'])
  expect(await zed.prompt(sessionId, 'again')).toMatchObject({ stopReason: 'end_turn' })
})

it('stops a prompt whose request is cancelled by the protocol\'s own notification', async () => {
  await using server = await provider([ENDLESS])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()
  const stop = new AbortController()
  const prompt = zed.agent.request(session.prompt, { sessionId, prompt: [{ type: 'text', text: 'go' }] }, { cancellationSignal: stop.signal })
  await zed.until(() => said(zed.updates()) === 'Half an answer')

  stop.abort()

  expect(await prompt).toMatchObject({ stopReason: 'cancelled' })
})

it('does nothing when there is nothing to cancel, or no such session', async () => {
  await using server = await provider([textAnswer('hello')])
  await using box = await sandbox({}, server)
  await using zed = await editor(box)
  const { sessionId } = await zed.open()

  await zed.agent.notify(session.cancel, { sessionId })
  await zed.agent.notify(session.cancel, { sessionId: 'nobody' })

  expect(await zed.prompt(sessionId, 'hi')).toMatchObject({ stopReason: 'end_turn' })
})

it('answers every prompt of a client that cancels at any moment and prompts again without waiting', async () => {
  await using server = await provider(({ body }) => {
    const last = String(body.messages.at(-1)?.['content'])
    if (last === 'the last') return textAnswer('still here')
    return answer({ reasoning: ['a', 'b', 'c'], text: 'some words of an answer', deltas: 12, delayMs: 25, ...(last.endsWith('3') && { calls: [{ name: 'bash', arguments: { command: 'sleep 0.1' } }] }) })
  })
  await using box = await sandbox({}, server)
  await using zed = await editor(box, { args: ['--permission', 'auto'] })
  const { sessionId } = await zed.open()
  const prompts: Promise<{ stopReason: string }>[] = []

  for (let round = 0; round < 30; round++) {
    prompts.push(zed.prompt(sessionId, `prompt ${round}`))
    await new Promise(resolve => setTimeout(resolve, pauseOf(round)))
    void zed.agent.notify(session.cancel, { sessionId })
  }
  const last = zed.prompt(sessionId, 'the last')

  const reasons = (await Promise.all(prompts)).map(({ stopReason }) => stopReason)
  // An answer takes some 400 ms: only what was cancelled late may have been finished before.
  expect(reasons.filter((reason, round) => reason !== 'cancelled' && !(reason === 'end_turn' && pauseOf(round) >= 300))).toEqual([])
  expect((await last).stopReason).toBe('end_turn')
  expect(said(zed.updates())).toMatch(/still here$/)
  server.assertStrict()
})

it.each(['an answer streams', 'a command runs', 'a permission is asked for'])('ends within two seconds when the client vanishes while %s, leaves no process, and keeps the log', async moment => {
  const command = moment === 'a permission is asked for' ? 'touch marker' : 'sleep 300 & echo $! > child.pid; trap "" TERM; echo $$ > shell.pid; wait; sleep 300'
  await using server = await provider([moment === 'an answer streams' ? ENDLESS : callAnswer({ id: 'c1', name: 'bash', arguments: { command } })])
  await using box = await sandbox({}, server)
  const zed = await editor(box, { args: moment === 'a command runs' ? ['--permission', 'auto'] : [], permission: () => new Promise(() => undefined) })
  const { sessionId } = await zed.open()
  void Promise.allSettled([zed.prompt(sessionId, 'go')])
  await zed.until(() => (moment === 'an answer streams' ? said(zed.updates()) !== '' : moment === 'a command runs' ? Object.values(cards(zed.updates()))[0]?.['status'] === 'in_progress' : zed.seen.some(({ kind }) => kind === 'permission')))
  const pids = moment === 'a command runs' ? await Promise.all(['child.pid', 'shell.pid'].map(file => pidIn(box.workspace.resolve(file)))) : []
  const begun = performance.now()

  const run = await zed.quit()

  expect(run.code).toBe(0)
  expect(performance.now() - begun).toBeLessThan(2000 + MARGIN_MS)
  expect(pids.filter(isAlive)).toEqual([])
  const [stored] = JSON.parse((await box.run(['sessions', 'list', '--json'])).stdout) as { id: string; turns: number; damage?: unknown }[]
  expect(stored).toMatchObject({ id: sessionId, turns: 1 })
  expect(stored?.damage).toBe(undefined)
})

it.each([['SIGTERM', 143], ['SIGINT', 130]] as const)('ends in order on %s', async (signal, code) => {
  await using server = await provider([ENDLESS])
  await using box = await sandbox({}, server)
  const zed = await editor(box)
  const { sessionId } = await zed.open()
  const prompt = zed.prompt(sessionId, 'go')
  await zed.until(() => said(zed.updates()) !== '')

  zed.child.kill(signal)

  expect((await prompt).stopReason).toBe('cancelled')
  expect((await zed.ended).code).toBe(code)
})

/** From 0 to 499 ms, in no order. */
function pauseOf(round: number): number {
  return (round * 97) % 500
}

async function pidIn(file: string): Promise<number> {
  for (let i = 0; i < 2000; i++) {
    const text = await readFile(file, 'utf8').catch(() => '')
    if (text.endsWith('\n')) return Number(text)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  throw new Error(`${file} was not written`)
}
