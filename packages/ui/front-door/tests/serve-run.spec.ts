import { PassThrough } from 'node:stream'
import { harness } from '@deepseek-ai/dsh-testkit'
import { expect, it } from 'vitest'
import { EXIT, FrontDoor, serveRun } from '../src/index.ts'

const open = async () => {
  const terminal = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() }
  return await harness({ plugins: [[FrontDoor as never, { terminal, request: { cwd: '/', agentOptions: {}, verbosity: 'normal' } }]] })
}

it('ends an interface that comes after the signal to end, as while the one before it made way', async () => {
  await using h = await open()
  const { frontDoor } = h.ctx
  frontDoor.open()
  frontDoor.interrupt('SIGINT')
  frontDoor.interrupt('SIGTERM')
  frontDoor.interrupt('SIGHUP')
  let worked = false
  await serveRun(h.ctx, async () => {
    worked = true
    return EXIT.completed
  })

  expect([await frontDoor.finished, worked]).toEqual([143, false])
})

it('keeps nothing that is typed once the run is over', async () => {
  await using h = await open()
  const { frontDoor } = h.ctx
  const modes: boolean[] = []
  Object.assign(frontDoor.terminal.stdin, { isTTY: true, setRawMode: (mode: boolean) => void modes.push(mode) })
  frontDoor.keepKeys()
  frontDoor.keepKeys()
  const stdin = frontDoor.terminal.stdin as PassThrough
  stdin.write('ab')
  stdin.write('\u0003')
  await new Promise(resolve => setImmediate(resolve))
  expect([frontDoor.takeKeys(), frontDoor.takeKeys(), modes]).toEqual(['ab\u0003', '', [true, false]])

  frontDoor.finish(EXIT.completed)
  frontDoor.keepKeys()
  expect(modes).toEqual([true, false])
})
